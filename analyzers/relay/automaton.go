package relay

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/schema"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// rule follows relays from the query that polls a table to what becomes of the rows.
var rule = &flow.Rule{Name: "relay", Step: step, Starts: starts, Reads: true, Gathers: []flow.Mark{marked}}

// The kinds of hits.
const (
	relayKind = "relay" // rows that were polled are published
	openKind  = "open"  // rows that nothing keeps from others are published
	firstKind = "first" // rows are published after their mark was made durable
	handKind  = "hand"  // rows that nothing keeps from others are handed to workers
	afterKind = "after" // rows are marked after a publish that went well
)

// The marks.
const (
	polled  flow.Mark = iota // rows were taken from a queue
	pending                  // they were marked in the open transaction
	marked                   // they were marked for good
	sent                     // something was published
)

const (
	// heldBit says that the rows are locked by the open transaction, claimedBit that they were made this process's own.
	heldBit = 1 << iota
	claimedBit
	// looseBit says that the rows were locked where no transaction keeps the lock, shortBit that the transaction which
	// kept it is over, stolenBit that they were claimed by a step that takes them from others, too.
	looseBit
	shortBit
	stolenBit
	// rowsBit says of a mark that rows of its table were taken before the publish, and of a publish that rows of the
	// marked table were.
	rowsBit
	// launchedBit says that the publish is in a goroutine.
	launchedBit
)

// callersUp is how far above the polling query the loop around it is looked for.
const callersUp = 4

// starts are those who poll and publish.
func starts(p *flow.Program) []effect.FuncID {
	inboxes := func(e *effect.Effect) bool { return polls(e) && inboxName(e.Table) }
	takes := func(e *effect.Effect) bool { return polls(e) || flow.Marks(e) && flow.OutboxName(e.Table) }
	return slices.Concat(p.Relaying(takes, callersUp, false), p.Relaying(inboxes, callersUp, true))
}

// inboxName reports whether a table is one where messages wait that came in, by its name.
func inboxName(table string) bool { return strings.Contains(table, "inbox") }

// polls reports whether an effect takes rows of a queue to work on them: many at a time, or whichever comes next.
func polls(e *effect.Effect) bool {
	if e.Kind != model.Read || e.Table == "" || sqltext.HasHole(e.Table) || e.Exists {
		return false
	}
	return e.Polls && (e.Payload || flow.OutboxName(e.Table)) || flow.OutboxName(e.Table) && !named(e)
}

// named reports whether a read names the row that it wants.
func named(e *effect.Effect) bool {
	return slices.ContainsFunc(e.Where, func(col string) bool { return col == "id" || col == "_id" || col == "event_id" || col == "message_id" })
}

func step(s *flow.Step) {
	switch s.Kind {
	case flow.Looked:
		looked(s)
	case flow.Wrote:
		wrote(s)
	case flow.Committed:
		ended(s, true)
	case flow.RolledBack:
		ended(s, false)
	case flow.Published:
		published(s)
	case flow.Launched:
		launched(s)
	case flow.Handed:
		works(s)
	}
}

// looked is a new batch of rows, or a row of the batch that is looked at again under a lock.
func looked(s *flow.Step) {
	e := s.Effect
	if !polls(e) {
		if e.Locks && s.Where == flow.Inside && s.Has(polled) && sameTable(s, polled, e.Table) {
			s.State.Bits |= heldBit
		}
		return
	}
	claimed := s.State.Bits&claimedBit != 0 && sameTable(s, marked, e.Table)
	stolen := false
	for _, m := range []flow.Mark{marked, pending} {
		if !s.Has(m) {
			continue
		}
		for _, w := range s.Behind(m) {
			if claims(w, e) {
				claimed = claimed || holdsBack(w)
				stolen = !claimed
			}
		}
	}
	for _, m := range []flow.Mark{polled, pending, marked, sent} {
		s.Clear(m)
	}
	s.State.Bits = 0
	s.Set(polled)
	locked := s.Where == flow.Unclear || e.Advisory && (!e.Brief || s.Where == flow.Inside)
	switch {
	case claimed || e.Locks && locked:
		s.State.Bits = claimedBit
	case e.Locks && s.Where == flow.Inside:
		s.State.Bits = heldBit
	case e.Locks:
		s.State.Bits = looseBit
	case stolen:
		s.State.Bits = stolenBit
	}
}

// claims reports whether rows that are read are those that a step before has put a sign on: they are asked for by it.
func claims(w, read *effect.Effect) bool {
	return w.Kind == model.Write && schema.SameTable(w.Table, read.Table) && slices.ContainsFunc(read.Where, func(col string) bool { return slices.Contains(w.Columns, col) })
}

// holdsBack reports whether a claim leaves out the rows that somebody else has claimed, as far as it is known.
func holdsBack(e *effect.Effect) bool {
	return e.Guarded || e.Locks || slices.ContainsFunc(e.Where, sqltext.HasHole)
}

func sameTable(s *flow.Step, m flow.Mark, table string) bool {
	return slices.ContainsFunc(s.Behind(m), func(e *effect.Effect) bool { return schema.SameTable(e.Table, table) })
}

// wrote is a claim or a mark.
func wrote(s *flow.Step) {
	e := s.Effect
	if !flow.Marks(e) {
		works(s)
		return
	}
	if s.Has(sent) && (!s.Has(polled) || sameTable(s, polled, e.Table)) {
		if s.Has(polled) {
			s.State.Bits |= rowsBit
		}
		s.Report(afterKind, sent)
		s.State.Bits &^= rowsBit
	}
	if e.Guarded && e.Checked && (!s.Has(polled) || sameTable(s, polled, e.Table)) {
		s.State.Bits |= claimedBit
	}
	if s.Has(polled) && !sameTable(s, polled, e.Table) {
		works(s)
		return
	}
	if s.Where == flow.Inside || s.Where == flow.Unclear {
		s.Set(pending)
	} else {
		s.Set(marked)
	}
}

// works is what is done about a message that waited in an inbox.
func works(s *flow.Step) {
	if e := s.Latest(polled); s.Has(polled) && e != nil && inboxName(e.Table) && (s.Effect == nil || !sameTable(s, polled, s.Effect.Table)) && s.State.Bits&(heldBit|claimedBit) == 0 {
		s.Report(openKind, polled)
	}
}

// ended makes marks durable. What a transaction has locked and marked is claimed; what it has only locked is free again.
func ended(s *flow.Step, committed bool) {
	if s.State.Scope > 1 {
		return
	}
	held := s.State.Bits&heldBit != 0
	s.State.Bits &^= heldBit
	switch {
	case committed && s.Has(pending):
		if held {
			s.State.Bits |= claimedBit
		}
		s.Become(pending, marked)
	case held && s.State.Bits&claimedBit == 0:
		s.State.Bits |= shortBit
	}
	s.Clear(pending)
}

func published(s *flow.Step) {
	if s.Has(polled) {
		s.Report(relayKind, polled)
	}
	if s.Has(polled) && s.State.Bits&(heldBit|claimedBit) == 0 {
		s.Report(openKind, polled)
	}
	if s.Has(marked) {
		if e := s.Latest(polled); e != nil && s.Has(polled) && sameTable(s, marked, e.Table) {
			s.State.Bits |= rowsBit
		}
		s.Report(firstKind, marked)
		s.State.Bits &^= rowsBit
	}
	s.Clear(sent)
	s.Set(sent)
	s.State.Bits &^= launchedBit
}

// launched is a publish that goes on beside what follows.
func launched(s *flow.Step) {
	if s.Has(polled) {
		s.Clear(sent)
		s.Set(sent)
		s.State.Bits |= launchedBit
	}
}
