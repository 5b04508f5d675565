package dedupe

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

func set(all ...side) (s sides) {
	for _, v := range all {
		s.add(v)
	}
	return s
}

func TestSides(t *testing.T) {
	s := set(yes, failedNo)
	for v := absent; v <= failedNo; v++ {
		assert.Equal(t, v == yes || v == failedNo, s.has(v), fmt.Sprint(v))
	}
}

// A check decides where the change is made for one answer only.
func TestDecides(t *testing.T) {
	for _, s := range []sides{set(yes), set(no), set(no, failed), set(failed), set(failedYes), set(no, failedYes), set(no, absent)} {
		assert.True(t, decides(s), "%b", s)
	}
	for _, s := range []sides{set(untested), set(yes, no), set(no, untested), set(failedYes, failedNo), set(), set(absent)} {
		assert.False(t, decides(s), "%b", s)
	}
}

// A record is honoured where a row that was there keeps the change from being made.
func TestHonoured(t *testing.T) {
	plain := insertInto("inbox", "message_id")
	swallowed := with(insertInto("inbox", "message_id"), conflict)
	looked := with(with(insertInto("inbox", "message_id"), conflict), checked)
	claim := &effect.Effect{Kind: model.Claim}
	for _, tt := range []struct {
		name string
		e    *effect.Effect
		s    sides
		want bool
	}{
		{"an insert that has succeeded", plain, set(untested), true},
		{"an insert whose error is passed over", plain, set(untested, failed), false},
		{"an insert after whose failure one goes on", plain, set(failedYes), false},
		{"a conflict nobody looks at", swallowed, set(untested), false},
		{"a conflict that decides", swallowed, set(no), true},
		{"a conflict that decides nothing", swallowed, set(yes, no), false},
		{"a conflict that decides on one path", swallowed, set(no, untested), false},
		{"a conflict that is looked at elsewhere", looked, set(untested), true},
		{"the same with its error passed over", looked, set(untested, failed), false},
		{"a claim that decides", claim, set(yes), true},
		{"a claim nobody looks at", claim, set(untested), false},
	} {
		assert.Equal(t, tt.want, honoured(tt.e, tt.s), tt.name)
	}
}

// A call that comes back the same for both answers leaves its caller with nothing.
func TestForked(t *testing.T) {
	bits := func(shift int, v side) uint16 { return uint16(v) << shift }
	assert.Empty(t, forked(nil))
	assert.Empty(t, forked([]uint16{bits(innerShift, yes), bits(innerShift, yes)}))
	assert.Empty(t, forked([]uint16{bits(innerShift, yes), bits(outerShift, no)}), "two checks")
	assert.Equal(t, []flow.Mark{inner}, forked([]uint16{bits(innerShift, yes), bits(innerShift, no)}))
	assert.Equal(t, []flow.Mark{outer}, forked([]uint16{bits(outerShift, yes), bits(outerShift, no) | openBit}))
	assert.Equal(t, []flow.Mark{outer + afterFailure}, forked([]uint16{bits(outerShift, failedYes), bits(outerShift, failedNo)}))
}

func TestBitsStayApart(t *testing.T) {
	for in := absent; in <= failedNo; in++ {
		for out := absent; out <= failedNo; out++ {
			s := &flow.Step{State: &flow.State{Bits: openBit | durableBit}}
			put(s, innerShift, in)
			put(s, outerShift, out)
			assert.Equal(t, [2]side{in, out}, [2]side{get(s.State.Bits, innerShift), get(s.State.Bits, outerShift)})
			assert.EqualValues(t, openBit|durableBit, s.State.Bits&(openBit|durableBit))
		}
	}
}

func TestReach(t *testing.T) {
	assert.Less(t, reach(&effect.Effect{Kind: model.Lookup}), reach(insertInto("inbox")), "a key deep below is a cache")
	assert.Less(t, reach(selectFrom("orders")), reach(insertInto("inbox")))
}
