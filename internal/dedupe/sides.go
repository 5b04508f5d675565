package dedupe

import "github.com/dmlint/dmlint/internal/flow"

// tested notes which way a branch on the answer went.
func tested(s *flow.Step, m flow.Mark, shift int) {
	if !s.Tests(m) {
		return
	}
	if e := s.Latest(m); e == nil || strength(e) == weak && !e.Exists && !isRecord(e) && !tellsState(s.Cond.Words) {
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
		put(s, shift, low)
	} else {
		put(s, shift, high)
	}
}

// sifts is the end of a loop's round. Where it keeps only what the answer allows, what comes after the loop is done for one
// answer; where it puts things into two places by it, nothing is decided yet: whoever reads these looks at the answer.
func sifts(s *flow.Step, m flow.Mark, shift int) {
	at := get(s.State.Bits, shift)
	if at == absent || !s.Tests(m) || !asksKey(s.Latest(m)) {
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
