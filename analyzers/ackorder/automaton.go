package ackorder

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// The marks.
const (
	settled flow.Mark = iota // the message is confirmed
	failed                   // an effect of the message has failed
	apart                    // work was started or handed on, and nobody has waited for it
)

// The state's bits.
const (
	didBit  = 1 << iota // an effect of the message has happened
	tailBit             // one had happened when the message was confirmed
	awayBit             // the path is that of a goroutine that the handler has started
)

// The kinds of hits.
const (
	effectKind   = "effect"   // confirmed → an effect
	handKind     = "hand"     // confirmed → work that is handed on
	awayKind     = "away"     // a goroutine → an effect in it
	ackApart     = "ackapart" // work that nobody waits for → confirmed
	returnApart  = "endapart" // work that nobody waits for → the handler returns
	ackFailed    = "ackfail"  // a failed effect → confirmed
	returnFailed = "endfail"  // a failed effect → the handler returns without an error
	skipKind     = "skip"     // a failed effect → the next message
)

func step(s *flow.Step) {
	switch s.Kind {
	case flow.Entered, flow.Nothing:
		begin(s)
	case flow.Received:
		received(s)
	case flow.Acked:
		acked(s)
	case flow.Wrote, flow.Enqueued, flow.Published, flow.Acted:
		did(s)
	case flow.Failed:
		if loses(s.Effect) && !(beside(s.Effect) && s.State.Bits&didBit != 0) {
			s.Clear(failed)
			s.Set(failed)
		}
	case flow.Nacked, flow.Kept, flow.Decided:
		s.Clear(failed)
	case flow.Passed:
		passed(s)
	case flow.Spawned:
		spawned(s)
	case flow.Waited:
		if s.State.Bits&awayBit == 0 {
			s.Clear(apart)
		}
	case flow.Ended:
		ended(s)
	}
}

// begin is a new message.
func begin(s *flow.Step) {
	for _, m := range []flow.Mark{settled, failed, apart} {
		s.Clear(m)
	}
	s.State.Bits = 0
	if s.Kind == flow.Received && s.Side || s.Kind == flow.Entered && confirmedBefore(s.Settling()) {
		s.Set(settled)
	}
}

func confirmedBefore(how model.Settling) bool { return how == model.OnReceipt || how == model.Never }

// received is the next message: if an effect of the last one has failed, it was passed over.
func received(s *flow.Step) {
	if s.Silent(failed) {
		s.Hear(failed)
		s.Report(skipKind, failed)
	}
	begin(s)
}

func acked(s *flow.Step) {
	if s.Where == flow.Inside { // it shares the fate of its transaction
		return
	}
	if s.Has(failed) {
		s.Report(ackFailed, failed)
		s.Clear(failed)
	}
	if s.State.Bits&awayBit == 0 && s.Has(apart) {
		s.Report(ackApart, apart)
		s.Clear(apart)
	}
	s.State.Bits &^= tailBit
	if s.State.Bits&didBit != 0 {
		s.State.Bits |= tailBit
	}
	s.Clear(settled)
	s.Set(settled)
}

// did is an effect that has happened. Whatever happens after a failure may make up for it: a dead letter, a row that
// records it, another try.
func did(s *flow.Step) {
	s.Clear(failed)
	if !matters(s.Effect) {
		return
	}
	if s.Has(settled) {
		s.Report(effectKind, settled)
	}
	if s.State.Bits&awayBit != 0 && s.Has(apart) {
		s.Report(awayKind, apart)
	}
	s.State.Bits |= didBit
}

// passed is work that is handed to whoever receives from a channel.
func passed(s *flow.Step) {
	if s.Has(settled) {
		s.Report(handKind, settled)
	}
	if s.State.Bits&awayBit == 0 {
		s.Set(apart)
	}
}

func spawned(s *flow.Step) {
	if s.Side {
		s.Clear(apart)
		s.State.Bits |= awayBit
	}
	if s.Side || s.State.Bits&awayBit == 0 {
		s.Set(apart)
	}
}

func ended(s *flow.Step) {
	if s.Outcome != effect.Zero {
		return
	}
	if s.Has(failed) {
		s.Drop(failed)
	}
	if !s.Outermost() || s.State.Bits&awayBit != 0 {
		return
	}
	if s.Has(failed) {
		s.Report(returnFailed, failed)
	}
	if s.Has(apart) {
		s.Report(returnApart, apart)
	}
}

// matters reports whether it is a loss that an effect does not happen. Keys, caches, counters and locks are made again,
// and a line less in a log hurts nobody.
func matters(e *effect.Effect) bool {
	if e == nil {
		return false
	}
	switch e.Kind {
	case model.Publish:
		return e.Tier != model.TierAdvice && !e.Notify
	case model.Enqueue:
		return true
	case model.External:
		return e.Tier != model.TierAdvice
	case model.Write:
		switch e.Verb {
		case sqltext.DDL, sqltext.Session, sqltext.Truncate:
			return false
		}
		return e.Tier != model.TierAdvice && !trail(e.Table)
	}
	return false
}

// loses reports whether it is a loss that an effect fails: also one that nobody in sight has made, and a commit.
func loses(e *effect.Effect) bool { return e == nil || e.Kind == model.Commit || matters(e) }

// beside reports whether an effect is likely to be no more than a notice where another one has happened before it.
func beside(e *effect.Effect) bool { return e != nil && e.Kind == model.External }

// trailWords are parts of the names of tables that keep what may be missing: a trail, a cache, a lease.
var trailWords = []string{"log", "logs", "audit", "audits", "history", "histories", "trail", "trails", "metric", "metrics", "trace", "traces",
	"session", "sessions", "cache", "caches", "lock", "locks", "lease", "leases", "heartbeat", "heartbeats", "migrations"}

func trail(table string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(table), func(r rune) bool { return r == '_' || r == '.' }), func(part string) bool {
		return slices.Contains(trailWords, part)
	})
}
