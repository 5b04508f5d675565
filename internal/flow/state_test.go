package flow

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
)

func TestFacts(t *testing.T) {
	var f facts
	assert.Equal(t, effect.Unknown, f.get(1))
	f = f.set(300, effect.NonZero).set(2, effect.Zero).set(45, effect.NonZero)
	assert.Equal(t, effect.Zero, f.get(2))
	assert.Equal(t, effect.NonZero, f.get(300))
	assert.Equal(t, effect.Unknown, f.get(300&0xff), "300 is not 44 in one byte")
	assert.Equal(t, facts("").set(45, effect.NonZero).set(300, effect.NonZero).set(2, effect.Zero), f, "the order of setting does not show")
	assert.Equal(t, facts("").set(2, effect.Zero).set(300, effect.NonZero), f.set(45, effect.Unknown), "what is not known takes no room")
	assert.Equal(t, f, f.set(0, effect.NonZero), "0 is no variable")
}

// TestFactsAreAMap compares facts with a map under many random assignments.
func TestFactsAreAMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var f facts
	m := map[effect.Var]effect.Outcome{}
	for range 5000 {
		v, o := effect.Var(1+rnd.IntN(600)), effect.Outcome(rnd.IntN(3))
		f, m[v] = f.set(v, o), o
		v = effect.Var(1 + rnd.IntN(600))
		assert.Equal(t, m[v], f.get(v))
	}
}

func TestFactsRestrict(t *testing.T) {
	f := facts("").set(1, effect.Zero).set(65, effect.NonZero).set(300, effect.Zero)
	var live effect.Bits
	live.Set(65)
	assert.Equal(t, facts("").set(65, effect.NonZero), f.restrict(live))
	live.Set(1)
	live.Set(300)
	assert.Equal(t, f, f.restrict(live))
	assert.Equal(t, facts(""), f.restrict(nil))
}

func TestFactsMoveAtOnce(t *testing.T) {
	f := facts("").set(1, effect.Zero).set(2, effect.NonZero)
	from := func(v effect.Var) effect.Operand { return effect.Operand{Var: v} }
	swapped := f.move([]effect.Move{{To: 1, From: from(2)}, {To: 2, From: from(1)}})
	assert.Equal(t, facts("").set(1, effect.NonZero).set(2, effect.Zero), swapped)

	moved := f.move([]effect.Move{
		{To: 3, From: effect.Operand{Const: effect.NonZero}},
		{To: 4, From: effect.Operand{Var: 2, Not: true}},
		{To: 1, From: from(9)},
	})
	assert.Equal(t, effect.NonZero, moved.get(3))
	assert.Equal(t, effect.Zero, moved.get(4))
	assert.Equal(t, effect.Unknown, moved.get(1), "nothing is known of 9")
}

// TestFactsMoveOr is errors.Join: non-nil when either is, nil when both are.
func TestFactsMoveOr(t *testing.T) {
	for _, tt := range []struct{ a, b, want effect.Outcome }{
		{effect.NonZero, effect.Unknown, effect.NonZero},
		{effect.Unknown, effect.NonZero, effect.NonZero},
		{effect.Zero, effect.NonZero, effect.NonZero},
		{effect.Zero, effect.Zero, effect.Zero},
		{effect.Zero, effect.Unknown, effect.Unknown},
		{effect.Unknown, effect.Zero, effect.Unknown},
	} {
		f := facts("").set(1, tt.a).set(2, tt.b)
		got := f.move([]effect.Move{{To: 3, From: effect.Operand{Var: 1}, Or: effect.Operand{Var: 2}}})
		assert.Equal(t, tt.want, got.get(3), "%v or %v", tt.a, tt.b)
	}
}

func TestAssume(t *testing.T) {
	cond := effect.Cond{Tests: []effect.Test{{Var: 1, True: effect.NonZero, False: effect.Zero}}}
	f, feasible := assume("", cond, true)
	assert.True(t, feasible)
	assert.Equal(t, effect.NonZero, f.get(1))
	_, feasible = assume(f, cond, false)
	assert.False(t, feasible, "the other branch contradicts what is known")

	oneSided := effect.Cond{Tests: []effect.Test{{Var: 1, True: effect.NonZero}}} // errors.Is
	f, feasible = assume("", oneSided, false)
	assert.True(t, feasible)
	assert.Equal(t, effect.Unknown, f.get(1), "not being of a kind says nothing")
}

const mark Mark = 1

func set(marks ...Mark) State {
	var s State
	for _, m := range marks {
		s.own |= bit(m)
	}
	return s
}

func TestARoundOfALoopIsMuted(t *testing.T) {
	s := set(mark)
	s.goRound(3)
	assert.False(t, s.live(mark), "an earlier round did it")
	s.goRound(4)
	s.leave([]int{4})
	assert.False(t, s.live(mark), "it was round 3 that muted it")
	s.leave([]int{3})
	assert.True(t, s.live(mark), "after the loop it counts again")
}

func TestARoundOfAnOuterLoop(t *testing.T) {
	s := set(mark)
	s.goRound(2) // inner
	s.leave([]int{2})
	s.goRound(1) // outer
	assert.False(t, s.live(mark))
	s.leave([]int{1, 2})
	assert.True(t, s.live(mark))
}

func TestManyLoopsShareANumber(t *testing.T) {
	s := set(mark)
	s.goRound(300)
	assert.False(t, s.live(mark))
	s.leave([]int{300})
	assert.True(t, s.live(mark))
}

func TestEnter(t *testing.T) {
	s := set(0, mark)
	s.told = bit(0)
	callee := s.enter(false)
	assert.True(t, callee.live(mark))
	assert.Zero(t, callee.own, "a caller did it")
	assert.Zero(t, callee.told)

	closure := s.enter(true)
	assert.Equal(t, s.own, closure.own, "a closure belongs to who handed it over")

	s.goRound(1)
	callee = s.enter(false)
	assert.False(t, callee.live(mark), "a callee begins without what is muted")
	s.leave([]int{1})
	assert.True(t, s.live(mark), "and the caller has kept it")
}

func TestClear(t *testing.T) {
	s := set(0, mark)
	s.inherited = bit(mark)
	s.goRound(1)
	s.clear(mark)
	assert.Equal(t, func() State { s := set(0); s.goRound(1); return s }(), s)
}

func TestWitnessesAreBounded(t *testing.T) {
	var ws witnesses
	first, last := &Witness{Handled: true}, &Witness{}
	ws.add(mark, first)
	shared := ws
	for range maxWitnesses {
		ws.add(mark, last)
	}
	assert.Len(t, ws[mark], maxWitnesses)
	assert.NotContains(t, ws[mark], first, "the latest are kept")
	assert.Equal(t, []*Witness{first}, shared[mark], "another path's are not touched")
}
