package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

func TestHandlersInOrder(t *testing.T) {
	message := []effect.Param{{Name: "m", Role: effect.MessageType, Message: "*nats.Msg"}}
	s := newSketch()
	s.fn("Alone", nodes(write())).Params = message
	s.fn("Called", nodes(write())).Params = message
	s.fn("Loop", loopOver(receiveFrom("<-chan amqp.Delivery"), call("Called")), effect.Block{Exit: effect.Return})
	s.fn("Plain", nodes(write()))
	assert.Equal(t, []effect.FuncID{"p.Alone", "p.Loop", "p.Called"}, s.program(DefaultOptions()).HandlerIDs(), "those that others call come last")
}

func TestThin(t *testing.T) {
	s := newSketch()
	one := s.fn("one", nodes(reading(), write()))
	two := s.fn("two", nodes(write(), write()))
	wraps := s.fn("wraps", nodes(call("one"), call("reads")))
	both := s.fn("both", nodes(call("one"), publish()))
	reads := s.fn("reads", nodes(reading(), reading()))
	either := s.fn("either", s.to(nodes(reading()), 1, 1, 2), nodes(write()), nodes(write()))
	first := s.fn("first", s.to(nodes(write()), 1, 1, 2), nodes(write()), nodes())
	rounds := s.fn("rounds", loopOver(write()), nodes(write()))
	p := s.program(DefaultOptions())
	for g, want := range map[*effect.Graph]bool{one: true, two: false, wraps: true, both: false, reads: true, either: true, first: false, rounds: false} {
		assert.Equal(t, want, p.Thin(g), g.Name)
	}
	assert.False(t, p.Thin(&effect.Graph{ID: "p.unknown"}))
}

func TestWhoReachesAnEffect(t *testing.T) {
	s := newSketch()
	s.fn("a", nodes(call("b")))
	s.fn("b", nodes(call("c"), call("reads")))
	s.fn("c", nodes(call("d")))
	s.fn("d", nodes(write()))
	s.fn("reads", nodes(reading()))
	s.fn("loop", nodes(call("loop"), call("reads")))
	p := s.program(DefaultOptions())
	writes := func(e *effect.Effect) bool { return e.Kind == model.Write }
	assert.Equal(t, map[effect.FuncID]bool{"p.a": true, "p.b": true, "p.c": true, "p.d": true}, p.Reaching(writes))
	assert.Equal(t, []effect.FuncID{"p.d"}, p.Touching(writes, 0))
	assert.Equal(t, []effect.FuncID{"p.b", "p.c", "p.d"}, p.Touching(writes, 2), "callers first")
	assert.Empty(t, p.Reaching(func(e *effect.Effect) bool { return e.Kind == model.Claim }))
	assert.Len(t, p.Touching(func(e *effect.Effect) bool { return e.Kind == model.Read }, 9), 4, "who calls himself comes once")
}
