package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

func receiveFrom(channel string) effect.Node {
	return effect.Node{Op: effect.OpEffect, Label: "broker.Read", Effect: &effect.Effect{Kind: model.Receive, Symbol: channel}}
}

func loopOver(nodes ...effect.Node) effect.Block {
	return effect.Block{Nodes: nodes, Succs: []effect.Edge{{To: 0, Back: 1}, {To: 1, Leaves: []int{1}}}}
}

// reasons gives the handlers of a sketch with their reasons.
func (s *sketch) reasons() map[string]string {
	all := map[string]string{}
	for _, h := range s.program(DefaultOptions()).Handlers() {
		all[h.Function] = h.Reason
	}
	return all
}

func TestReceivers(t *testing.T) {
	s := newSketch()
	s.fn("Loop", loopOver(receiveFrom("<-chan amqp.Delivery"), write()), effect.Block{Exit: effect.Return})
	s.fn("Once", effect.Block{Nodes: []effect.Node{receiveFrom("<-chan amqp.Delivery"), write()}, Exit: effect.Return})
	s.fn("Read", loopOver(receiveFrom("broker.Read"), write()), effect.Block{Exit: effect.Return})
	next := s.fn("next", effect.Block{Nodes: []effect.Node{receiveFrom("broker.Read")}, Exit: effect.Return})
	next.Origins = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}
	next.Results, next.ReturnData = []effect.ResultKind{effect.OpaqueResult, effect.ErrorResult}, []effect.Origins{{0}, {0}}
	s.fn("Next", loopOver(effect.Node{Op: effect.OpCall, Label: "p.next", Callee: next.ID}, write()), effect.Block{Exit: effect.Return})
	flush := publish()
	flush.Effect.Message = effect.Origins{0}
	out := s.fn("flush", loopOver(receiveFrom("<-chan kafka.Message"), flush), effect.Block{Exit: effect.Return})
	out.Origins = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}
	assert.Equal(t, map[string]string{
		"p.Loop": "loops over amqp.Delivery", "p.Once": "receives amqp.Delivery", "p.Read": "receives with broker.Read", "p.Next": "receives with p.next",
	}, s.reasons())
}

func TestTakers(t *testing.T) {
	message := []effect.Param{{Name: "m", Role: effect.MessageType, Message: "*nats.Msg"}}
	s := newSketch()
	s.fn("Handle", effect.Block{Nodes: []effect.Node{write()}, Exit: effect.Return}).Params = message
	s.fn("Plain", effect.Block{Nodes: []effect.Node{write()}, Exit: effect.Return})
	sent := publish()
	sent.Effect.Message = effect.Origins{0}
	send := s.fn("Send", effect.Block{Nodes: []effect.Node{sent}, Exit: effect.Return})
	send.Params, send.Origins = message, []effect.Origin{{Kind: effect.ParamOrigin}}
	look := s.fn("look", effect.Block{Exit: effect.Return})
	look.Params, look.Results = message, []effect.ResultKind{effect.OpaqueResult}
	generated := s.fn("Generated", effect.Block{Nodes: []effect.Node{write()}, Exit: effect.Return})
	generated.Params, generated.Generated = message, true
	assert.Equal(t, map[string]string{"p.Handle": "takes *nats.Msg"}, s.reasons())
	s.pkg.Harness = true
	assert.Empty(t, s.reasons())
}

// A table of handlers is longer than the sets of the engine's values.
func TestDispatchedTable(t *testing.T) {
	s := newSketch()
	table := s.fn("New", effect.Block{Exit: effect.Return})
	want := map[string]string{"p.Loop": "loops over amqp.Delivery"}
	for i := range 3 * maxAtoms {
		name := "on" + string(rune('A'+i))
		g := s.fn(name, effect.Block{Nodes: []effect.Node{write()}, Exit: effect.Return})
		table.Closures = append(table.Closures, effect.ClosureSite{Fn: g.ID})
		table.Stores = append(table.Stores, effect.Store{Cell: "p.T.byKind", Value: effect.Roots{{Kind: effect.FuncRoot, Index: i}}})
		want["p."+name] = "dispatched from p.Loop"
	}
	chosen := effect.Roots{{Kind: effect.FieldRoot, Name: "p.T.byKind", Field: "p.T.byKind", Role: effect.FuncType, Elem: true}}
	call := effect.Node{Op: effect.OpCall, Fun: chosen, ArgData: []effect.Origins{{0}}}
	loop := s.fn("Loop", loopOver(receiveFrom("<-chan amqp.Delivery"), call), effect.Block{Exit: effect.Return})
	loop.Origins = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}
	assert.Equal(t, want, s.reasons())
}

// Where a handler starts, a message is being handled; where one only receives, not yet.
func TestHandlerEntry(t *testing.T) {
	s := newSketch()
	s.fn("Marked", effect.Block{Nodes: []effect.Node{write(), publish()}, Exit: effect.Return}).Handler = true
	s.fn("Once", effect.Block{Nodes: []effect.Node{write(), receiveFrom("broker.Read"), publish()}, Exit: effect.Return})
	hits, _ := s.program(DefaultOptions()).Run(written)
	handled := map[string]bool{}
	for _, h := range hits {
		handled[h.Graph.Name] = h.First.Handled
	}
	assert.Equal(t, map[string]bool{"p.Marked": true, "p.Once": false}, handled)
}
