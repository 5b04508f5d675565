package dedupe

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
)

func get(bits uint16, shift int) side { return side(bits >> shift & 7) }

func put(s *flow.Step, shift int, v side) {
	s.State.Bits = s.State.Bits&^(7<<shift) | uint16(v)<<shift
	if shift == innerShift {
		s.State.Bits &^= 3 << firstShift
	}
}

// first is the side of the inner check or record after the first branch on its answer.
func first(bits uint16) side {
	if v := side(bits >> firstShift & 3); v != absent {
		return yes - 1 + v
	}
	return get(bits, innerShift)
}

// turn notes a later branch on the answer.
func turn(s *flow.Step, shift int, v side) {
	from := first(s.State.Bits)
	put(s, shift, v)
	if shift == innerShift && from != v && (from == yes || from == no) {
		s.State.Bits |= uint16(from-yes+1) << firstShift
	}
}

// tested notes which way a branch on the answer went.
func tested(s *flow.Step, m flow.Mark, shift int) {
	if !s.Tests(m) {
		return
	}
	if e := s.Latest(m); e == nil || strength(e) == weak && !e.Exists && !isRecord(e) && !tellsState(s.Cond.Words) && !(m == inner && findsNone(s)) {
		return
	}
	at := get(s.State.Bits, shift)
	if at == sifted {
		return // what is left has passed, whatever is asked of it
	}
	low, high := yes, no
	if at >= failed {
		low, high = failedYes, failedNo
	}
	if s.Side {
		turn(s, shift, low)
	} else {
		turn(s, shift, high)
	}
}

// findsNone reports whether a branch is taken because a list that was read is empty. What is done with rows that are there
// is done again for the same rows, so that the other side says nothing.
func findsNone(s *flow.Step) bool {
	none := slices.Contains(s.Cond.Words, effect.NoneWord)
	return none && s.Side || !none && !s.Side && slices.Contains(s.Cond.Words, effect.SomeWord)
}

// sifts is the end of a loop's round. Where it keeps only what the answer allows, what comes after the loop is done for one
// answer; where it puts things into two places by it, nothing is decided yet: whoever reads these looks at the answer.
func sifts(s *flow.Step, m flow.Mark, shift int) {
	at := get(s.State.Bits, shift)
	if at == absent || !s.Has(unit) || !s.Tests(m) || !asksKey(s.Latest(m)) {
		return
	}
	switch {
	case s.Kind == flow.Sifted:
		put(s, shift, sifted)
	case at == yes || at == no:
		put(s, shift, untested)
	}
}

// noRecord reports whether rows are written where only a key was asked before, and no table of messages is kept: they are
// part of the work.
func noRecord(s *flow.Step) bool { return s.Kind == flow.Wrote && !s.Records() }
