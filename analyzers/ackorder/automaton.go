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
	didBit    = 1 << iota // an effect of the message has happened
	tailBit               // one had happened when the message was confirmed
	besideBit             // one had happened when another one failed
	mendBit               // what was to make up for a failure has failed, too
	unitBit               // a message is being handled
	meantBit              // a promise of delivery was chosen on the way
	awayBit               // the path is that of a goroutine that the handler has started
)

// The kinds of hits.
const (
	effectKind   = "effect"   // confirmed → an effect
	tailKind     = "tail"     // the judge's: a part of the work → confirmed → the rest
	handKind     = "hand"     // confirmed → work that is handed on
	awayKind     = "away"     // a goroutine → an effect in it
	ackApart     = "ackapart" // work that nobody waits for → confirmed
	returnApart  = "endapart" // work that nobody waits for → the handler returns
	ackFailed    = "ackfail"  // a failed effect → confirmed
	returnFailed = "endfail"  // a failed effect → the handler returns without an error
	skipKind     = "skip"     // a failed effect → the next message
	outKind      = "out"      // the judge's: taken → confirmed → given to the caller
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
		fails(s)
	case flow.Decided:
		if s.Cond.Guarantee {
			s.State.Bits |= meantBit
		}
		if s.Cond.Deliberate {
			forgive(s)
		}
	case flow.Left:
		if s.Silent(failed) && s.Came(failed) { // it was tried again, and has not failed again
			forgive(s)
		}
	case flow.Nacked, flow.Kept:
		forgive(s)
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

// fails is an effect that has failed. What fails after another failure was meant to make up for that; if a second try at
// that fails, too, nothing is left to do.
func fails(s *flow.Step) {
	did := s.State.Bits&didBit != 0
	switch {
	case s.State.Bits&unitBit == 0, !loses(s.Effect) || did && beside(s.Effect) || remembers(s.Effect) && (did || s.Effect.Verb != sqltext.Insert):
	case s.Has(failed) && s.State.Bits&mendBit != 0:
		forgive(s)
	case s.Has(failed):
		s.State.Bits |= mendBit
	default:
		s.Set(failed)
		if did {
			s.State.Bits |= besideBit
		}
	}
}

// forgive forgets a failure.
func forgive(s *flow.Step) {
	s.Clear(failed)
	s.State.Bits &^= mendBit | besideBit
}

// report announces a window, unless the code has chosen a promise of delivery on the way.
func report(s *flow.Step, kind string, m flow.Mark) {
	if s.State.Bits&meantBit == 0 {
		s.Report(kind, m)
	}
}

// begin is a new message.
func begin(s *flow.Step) {
	for _, m := range []flow.Mark{settled, failed, apart} {
		s.Clear(m)
	}
	s.State.Bits = 0
	if s.Kind == flow.Received || s.Kind == flow.Entered && s.Handles() {
		s.State.Bits = unitBit
	}
	if s.Kind == flow.Received && s.Side || s.Kind == flow.Entered && confirmedBefore(s.Settling()) {
		s.Set(settled)
	}
}

func confirmedBefore(how model.Settling) bool { return how == model.OnReceipt || how == model.Never }

// received is the next message: if an effect of the last one has failed, it was passed over.
func received(s *flow.Step) {
	if s.Silent(failed) {
		s.Hear(failed)
		report(s, skipKind, failed)
	}
	begin(s)
}

func acked(s *flow.Step) {
	if s.Where == flow.Inside || s.Effect.Settles == model.Never { // it shares the fate of its transaction
		return
	}
	if s.Has(failed) {
		report(s, ackFailed, failed)
		forgive(s)
	}
	if s.State.Bits&awayBit == 0 && s.Has(apart) {
		report(s, ackApart, apart)
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
	forgive(s)
	if s.Effect == nil { // the work of a function that nobody in sight has made
		s.State.Bits |= didBit
	}
	if !matters(s.Effect) {
		return
	}
	if s.Has(settled) && !remembers(s.Effect) {
		report(s, effectKind, settled)
	}
	if s.State.Bits&awayBit != 0 && s.Has(apart) {
		report(s, awayKind, apart)
	}
	s.State.Bits |= didBit
}

// passed is work that is handed to whoever receives from a channel.
func passed(s *flow.Step) {
	if s.Has(settled) {
		report(s, handKind, settled)
	}
	if s.State.Bits&(awayBit|unitBit) == unitBit {
		s.Set(apart)
	}
}

func spawned(s *flow.Step) {
	if s.Side {
		s.Clear(apart)
		s.State.Bits |= awayBit
	}
	if s.State.Bits&unitBit != 0 && (s.Side || s.State.Bits&awayBit == 0) {
		s.Set(apart)
	}
}

func ended(s *flow.Step) {
	if s.Outcome != effect.Zero {
		if s.Outcome == effect.Unknown { // whether it tells is not known
			forgive(s)
		}
		return
	}
	if s.Has(failed) {
		s.Drop(failed)
	}
	if !s.Outermost() || s.State.Bits&awayBit != 0 {
		return
	}
	if s.Has(failed) && !s.Has(settled) {
		report(s, returnFailed, failed)
	}
	if s.Has(apart) {
		report(s, returnApart, apart)
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

// remembers reports whether a write only records that a message was handled: without it the message is handled again.
func remembers(e *effect.Effect) bool {
	return e != nil && e.Kind == model.Write && (e.Inbox || slices.ContainsFunc([]string{"inbox", "idempot", "processed", "consumed", "dedup"}, func(w string) bool { return strings.Contains(e.Table, w) }))
}

// beside reports whether an effect is likely to be no more than a notice where another one has happened before it.
func beside(e *effect.Effect) bool { return e != nil && e.Kind == model.External }

// trailWords are parts of the names of tables that keep what may be missing: a trail, a cache, a lease.
var trailWords = []string{"log", "logs", "audit", "audits", "history", "histories", "trail", "trails", "metric", "metrics", "trace", "traces",
	"session", "sessions", "cache", "caches", "lock", "locks", "lease", "leases", "heartbeat", "heartbeats", "migrations",
	"ratelimit", "ratelimits", "rate"}

func trail(table string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(table), func(r rune) bool { return r == '_' || r == '.' }), func(part string) bool {
		return slices.Contains(trailWords, part)
	})
}
