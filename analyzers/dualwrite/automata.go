package dualwrite

import "github.com/dmlint/dmlint/internal/flow"

// The kinds of hits that the automata report.
const (
	afterKind   = "after"   // a publish after something was committed
	insideKind  = "inside"  // a publish in a transaction that has written or will write
	beforeKind  = "before"  // a publish before the write that it announces
	escapedKind = "escaped" // a write past the open transaction
)

// Marks of the automaton after: writes of the open transaction, an outbox row in it, and what is durable without a row
// beside it.
const (
	dirty flow.Mark = iota
	done
	row
)

// rowBit is set when the open transaction holds an outbox row.
const rowBit = 1

// after looks for a publish that follows a write: in the same transaction, or once it is durable.
func after(s *flow.Step) {
	switch s.Kind {
	case flow.Opened:
		if s.State.Scope == 1 {
			s.Clear(row)
		}
	case flow.Committed:
		if s.Has(row) {
			s.Clear(dirty) // the row makes up for whatever is lost after this
		} else if s.Has(dirty) {
			s.Become(dirty, done)
		}
		s.Clear(row)
	case flow.RolledBack:
		s.Clear(dirty)
		s.Clear(row)
	case flow.Wrote:
		afterWrite(s)
	case flow.Enqueued:
		enqueued(s)
	case flow.Published:
		afterPublish(s)
	case flow.Received:
		s.Clear(dirty)
		s.Clear(done)
	}
}

func afterPublish(s *flow.Step) {
	switch {
	case s.Where == flow.Inside && s.Has(dirty):
		s.Report(insideKind, dirty)
	case s.Has(done):
		s.Report(afterKind, done)
	}
	if s.HasOwn(row) { // a publisher that keeps a log of what it sends: its row says nothing of other events
		s.Clear(row)
	}
}

func afterWrite(s *flow.Step) {
	switch {
	case s.Outbox:
		enqueued(s)
	case !isState(s.Effect):
	case s.Where == flow.Inside || s.Where == flow.Unclear:
		s.Set(dirty)
	default:
		s.Set(done)
	}
}

// enqueued is an outbox row: in the transaction it covers its writes; outside it is one more thing to lose.
func enqueued(s *flow.Step) {
	switch {
	case s.Where == flow.Inside || s.Where == flow.Unclear:
		s.Set(row)
	case s.Has(done) && s.Where == flow.Outside && s.State.Scope == 0:
		s.Report(afterKind, done)
	}
}

// Marks of the automaton before.
const (
	early flow.Mark = iota // published, and nothing written since
	pend                   // published inside the open transaction
	wrote                  // the open transaction has written
)

// before looks for a publish that the write which it announces follows.
func before(s *flow.Step) {
	switch s.Kind {
	case flow.Opened:
		if s.State.Scope == 1 {
			s.State.Bits = 0
		}
	case flow.Committed:
		s.Gather(wrote)
		if s.Has(wrote) && s.Has(early) && s.State.Bits&rowBit == 0 {
			s.Report(beforeKind, early)
		}
		s.Clear(pend)
		s.Clear(wrote)
		s.State.Bits = 0
	case flow.RolledBack:
		s.Clear(pend)
		s.Clear(wrote)
		s.State.Bits = 0
	case flow.Enqueued:
		s.State.Bits |= rowBit
	case flow.Wrote:
		beforeWrite(s)
	case flow.Published:
		if s.Where == flow.Inside {
			s.Set(pend)
		} else {
			s.Set(early)
		}
	case flow.Received:
		s.Clear(early)
		s.Clear(pend)
		s.Clear(wrote)
	}
}

func beforeWrite(s *flow.Step) {
	switch {
	case s.Outbox:
		s.State.Bits |= rowBit
	case !isState(s.Effect):
	case s.Where == flow.Inside || s.Where == flow.Unclear:
		if s.Has(pend) {
			s.Report(insideKind, pend)
		}
		s.Set(wrote)
	default:
		if s.Has(early) {
			s.Report(beforeKind, early)
		}
	}
}

// opened is the mark of the automaton escaped: a transaction is open.
const opened flow.Mark = 0

// escaped looks for writes that go past the open transaction to the same database.
func escaped(s *flow.Step) {
	switch s.Kind {
	case flow.Opened:
		if s.State.Scope == 1 {
			s.Set(opened)
		}
	case flow.Committed, flow.RolledBack:
		if s.State.Scope <= 1 {
			s.Clear(opened)
		}
	case flow.Wrote, flow.Enqueued:
		if (s.Where == flow.Escaped || s.Where == flow.Likely) && s.State.Scope == 1 && isState(s.Effect) {
			s.Report(escapedKind, opened)
		}
	}
}
