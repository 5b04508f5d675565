package dedupe

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// afterFailure is added to a mark that is left undecided only where the step failed.
const afterFailure = flow.MaxMarks

// forked tells which checks and records a call leaves undecided: it comes back with the same results for either answer.
func forked(bits []uint16) []flow.Mark {
	var marks []flow.Mark
	for m, shift := range map[flow.Mark]int{inner: innerShift, outer: outerShift} {
		var seen sides
		for _, b := range bits {
			seen.add(get(b, shift))
		}
		if seen.has(yes) && seen.has(no) {
			marks = append(marks, m)
		}
		if seen.has(failedYes) && seen.has(failedNo) {
			marks = append(marks, m+afterFailure)
		}
	}
	slices.Sort(marks)
	return marks
}

// reach is how many calls away a check or record may be from the function that looks at its answer, and is still about
// the message: what lies deeper is a cache, a limiter, a part of the machinery.
func reach(e *effect.Effect) int {
	switch {
	case e != nil && isKey(e.Kind):
		return 3
	case strength(e) == weak:
		return 2
	}
	return 6
}

// left forgets a check that a call has made and whose answer nobody here looks at.
func left(s *flow.Step, m flow.Mark, shift int) {
	if !s.Has(m) || !s.Came(m) {
		return
	}
	e := s.Latest(m)
	at := get(s.State.Bits, shift)
	taken := m == inner && takes(e)
	switch {
	case s.Depth(m) > reach(e), at == sifted && !asked(s, e):
		drop(s, m, shift)
		return
	case slices.Contains(s.Forked, m) && (at == yes || at == no):
		if taken || isLook(e) && e.Kind == model.Read && asked(s, e) { // a loop that gathers the rows has looked at them
			put(s, shift, untested)
		} else {
			drop(s, m, shift)
		}
		return
	case slices.Contains(s.Forked, m+afterFailure) && (at == failedYes || at == failedNo):
		at = failed // one error was made of another: it is still to be looked at
		put(s, shift, at)
	}
	if at != untested && at != failed || e == nil || taken {
		return
	}
	if isLook(e) && !(strength(e) == strong && e.Kind == model.Read) && !asked(s, e) {
		drop(s, m, shift)
	}
}
