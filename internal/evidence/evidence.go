// Package evidence gathers the places of a program that a review asks for beside its flaws: which tables hold events and
// who writes them, who publishes them and under which lock, what records messages, what is pruned, and what settings and
// metrics there are.
//
// Evidence says that something is there, not that it is right: that is for rules, and for people, to judge.
package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/dedupe"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// Kind is what evidence is about.
type Kind string

// The kinds of evidence.
const (
	Publish       Kind = "publish"            // an event is given to a broker
	KeyedPublish  Kind = "keyed-publish"      // one that is given to a log or queue with keys
	Write         Kind = "write"              // state is changed
	Transaction   Kind = "transaction"        // a transaction is begun
	Outbox        Kind = "outbox"             // an event is put into an outbox
	Relay         Kind = "relay"              // rows of an outbox are read to be published
	Lock          Kind = "lock"               // these rows are locked, or one process at a time reads them
	Handler       Kind = "handler"            // a function handles messages
	Inbox         Kind = "inbox"              // a message is recorded
	UniqueKey     Kind = "unique-key"         // a table of messages has a unique key
	Guard         Kind = "guard"              // a change under a condition on status or version
	State         Kind = "state"              // a status is assigned
	External      Kind = "external"           // something outside the database is changed
	CallKey       Kind = "idempotency-key"    // a call to the outside is given a key
	Table         Kind = "table"              // a table of events or messages
	Pruning       Kind = "pruning"            // rows of such a table are deleted
	InboxPruning  Kind = "inbox-pruning"      // rows of a table of messages are deleted
	Ack           Kind = "ack"                // a message is confirmed
	Requeue       Kind = "requeue"            // a message is given back
	DeadLetter    Kind = "dead-letter"        // messages that fail are put aside
	DeliveryLimit Kind = "delivery-limit"     // they are delivered a limited number of times
	Retry         Kind = "retry"              // something is tried again in place, a limited number of times
	ExactlyOnce   Kind = "exactly-once"       // a client is asked to deliver exactly once
	Single        Kind = "single"             // there is one partition, or one consumer
	LagMetric     Kind = "lag-metric"         // how far a consumer is behind is measured
	BacklogMetric Kind = "backlog-metric"     // how much is waiting in an outbox or queue
	DeadMetric    Kind = "dead-letter-metric" // how many messages were put aside
	Unused        Kind = "unused"             // something that looks like an outbox or inbox and is used by nobody
)

// A Fact is one piece of evidence.
type Fact struct {
	Kind Kind
	// Text says what is there, in words that follow a place: "outbox is written".
	Text string
	// File, Pos and Function say where; Package is the function's.
	File     string
	Pos      effect.Pos
	Function string
	Package  string
	// Subject is what it is about, such as a table.
	Subject string
}

// Gather looks through a program. Facts are sorted by kind and place.
func Gather(p *flow.Program) []Fact {
	g := &gatherer{p: p, handled: p.Handled(dedupe.Polls), live: p.Live(), tables: map[string]*use{}}
	g.settings()
	g.sites()
	g.ofTables()
	g.neverTouched()
	g.handlers()
	g.callKeys()
	slices.SortStableFunc(g.facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.File, b.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Text, b.Text))
	})
	return slices.CompactFunc(g.facts, func(a, b Fact) bool {
		return a.Kind == b.Kind && a.File == b.File && a.Pos.Line == b.Pos.Line && a.Text == b.Text
	})
}

type gatherer struct {
	p *flow.Program
	// handled are the functions that run for messages, live those that run at all, nil where that is not known.
	handled, live map[effect.FuncID]bool
	tables        map[string]*use
	facts         []Fact
	relays        bool // a library publishes the rows of outboxes
}

// note adds a fact about a place in a function.
func (g *gatherer) note(kind Kind, text, subject string, s flow.Site) {
	g.facts = append(g.facts, Fact{Kind: kind, Text: text, Subject: subject, File: check.FileIn(s.Pkg, s.Node.Pos), Pos: s.Node.Pos,
		Function: s.Graph.Name, Package: s.Graph.Pkg})
}

func (g *gatherer) handlers() {
	for _, h := range g.p.Handlers() {
		g.facts = append(g.facts, Fact{Kind: Handler, Text: "messages are handled", File: h.File, Pos: h.Pos, Function: h.Function, Package: h.Package})
	}
}

// callKeys finds the functions that call the outside and give what they send a key which can mean nothing else.
func (g *gatherer) callKeys() {
	outside := func(e *effect.Effect) bool { return e.Kind == model.External }
	g.p.EachOwn(func(fn *effect.Graph, pkg *effect.Package) {
		at := slices.IndexFunc(fn.KeyNotes, func(n effect.KeyNote) bool { return strings.Contains(strings.ToLower(n.Name), "idempot") })
		if at >= 0 && g.handled[fn.ID] && g.p.Does(fn, outside) {
			g.facts = append(g.facts, Fact{Kind: CallKey, Text: "a call is given a key: " + fn.KeyNotes[at].Name, File: check.FileIn(pkg, fn.Pos), Pos: fn.Pos,
				Function: fn.Name, Package: fn.Pkg})
		}
	})
}
