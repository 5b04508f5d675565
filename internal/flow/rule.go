package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// A Rule is an automaton over the effects of a path.
type Rule struct {
	Name string
	// Step sees each event in order and changes the state.
	Step func(s *Step)
	// Claims reports whether what a step did is enough to say that a later publish announces it, so that the callers'
	// windows which end at the same publish are weaker.
	Claims func(w *Witness) bool
}

// EventKind says what happened.
type EventKind uint8

// The events that rules see.
const (
	Opened     EventKind = iota // a transaction was begun
	Committed                   // the innermost transaction was committed
	RolledBack                  // the innermost transaction was rolled back, or its function ended without a commit
	Wrote                       // rows were changed
	Enqueued                    // an event or job was written through a transaction: an outbox row
	Published                   // an event or job was given to a broker
	Received                    // a message was taken from a broker: a new unit of work
	Acked                       // a message was confirmed
)

// Where says how an effect's handle relates to the open transaction.
type Where uint8

// The places of an effect.
const (
	Outside Where = iota // no transaction is open, or the effect is on another database
	Inside               // through the open transaction
	Escaped              // past the open transaction, on the same database
	Likely               // past the open transaction, on what is likely the same database
	Unclear              // a transaction is open and the handle is not known
)

// An Event is one step as a rule sees it.
type Event struct {
	Kind   EventKind
	Where  Where
	Effect *effect.Effect
	// Outbox says that the table written holds events to be published.
	Outbox bool
}

// Step is a rule's view of one event: what is remembered, and what to do about it.
type Step struct {
	Event
	State *State

	e    *engine
	f    *frame
	sum  *summary
	path *path
	at   *Witness
}

// Has reports whether a mark is set.
func (s *Step) Has(m Mark) bool { return s.State.live(m) }

// HasOwn reports whether the function itself, or what it has called, has set a mark.
func (s *Step) HasOwn(m Mark) bool { return s.State.own&bit(m) != 0 && s.State.mute[m] == 0 }

// Set sets a mark; this step is its witness.
func (s *Step) Set(m Mark) {
	if s.State.own&bit(m) == 0 {
		s.path.wit[m] = nil
	}
	s.State.own |= bit(m)
	s.State.told &^= bit(m)
	s.State.mute[m] = 0
	s.path.wit.add(m, s.at)
}

// Become sets mark to because of what mark from stood for: a commit makes writes durable. The witness keeps both.
func (s *Step) Become(from, to Mark) {
	s.Gather(from)
	s.Set(to)
	s.Clear(from)
}

// Gather makes what set a mark part of this step's witness.
func (s *Step) Gather(m Mark) { s.at.Writes = append(s.at.Writes, s.path.wit[m]...) }

// Clear forgets a mark.
func (s *Step) Clear(m Mark) {
	s.State.clear(m)
	s.path.wit[m] = nil
}

// Report announces a window of the given kind between what set the mark and this step. What the function itself has set
// is reported here; what a caller has set is reported by that caller.
func (s *Step) Report(kind string, m Mark) {
	if s.State.own&bit(m) != 0 && s.State.mute[m] == 0 {
		s.e.announce(s.f, s.path, escalation{kind: kind, mark: m, where: s.Where}, s.at)
	}
	if s.State.inherited&bit(m) != 0 && s.State.mute[m] == 0 {
		s.sum.escalate(escalation{kind: kind, mark: m, later: s.at, where: s.Where, claimed: s.e.claims(s.path, m)})
	}
}

// claims reports whether the function itself has set a mark by a step that the later end of a window belongs to.
func (e *engine) claims(p *path, m Mark) bool {
	if p.st.own&bit(m) == 0 || p.st.mute[m] != 0 || e.rule.Claims == nil {
		return false
	}
	return slices.ContainsFunc(p.wit[m], e.rule.Claims)
}

// A Hit is a window that a rule found, before it is judged.
type Hit struct {
	Kind         string
	Graph        *effect.Graph
	Pkg          *effect.Package
	First, Later *Witness
	Where        Where
	// Related says that the two ends share data, or that nobody can tell.
	Related bool
	// Relay says that what is published was read from the rows that are written.
	Relay bool
	// Claimed says that a nearer window ends at the same step: what is published there announces something else.
	Claimed bool
}
