package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

func reading() effect.Node {
	return effect.Node{Op: effect.OpEffect, Effect: &effect.Effect{Kind: model.Read, Table: "accounts"}}
}

// storing is a write of what stands at some origins.
func storing(data ...int) effect.Node {
	n := write()
	n.Effect.Message = data
	return n
}

// sumOf gives the field that is added to before the write that a function publishes after, and the line.
func (s *sketch) sumOf(function string) (string, int) {
	p := s.program(DefaultOptions())
	hits, _ := p.Run(written)
	for _, h := range hits {
		if h.Graph.Name == "p."+function {
			sum, _ := p.SumOf(h.First)
			return sum.Field, sum.Pos.Line
		}
	}
	return "no window", 0
}

func TestSumsInOneFunction(t *testing.T) {
	s := newSketch()
	fn := func(name string, add effect.Add, origins ...effect.Origin) {
		g := s.fn(name, nodes(reading(), storing(0), publish()))
		g.Adds, g.Origins = []effect.Add{add}, origins
	}
	fn("value", effect.Add{Field: "balance", Param: -1, Read: []int{1}, Pos: effect.Pos{Line: 7}}, effect.Origin{Kind: effect.SumOrigin, Index: 0})
	fn("inPlace", effect.Add{Field: "balance", Param: -1, Read: []int{1}, InPlace: true}, effect.Origin{Kind: effect.CallOrigin, Node: 1})
	fn("otherSum", effect.Add{Field: "balance", Param: -1, Read: []int{1}}, effect.Origin{Kind: effect.SumOrigin, Index: 1})
	fn("notStored", effect.Add{Field: "balance", Param: -1, Read: []int{1}}, effect.Origin{Kind: effect.CallOrigin, Node: 1})
	fn("notRead", effect.Add{Field: "balance", Param: -1}, effect.Origin{Kind: effect.SumOrigin, Index: 0})
	fn("readOtherwise", effect.Add{Field: "balance", Param: -1, Read: []int{3}}, effect.Origin{Kind: effect.SumOrigin, Index: 0})
	for function, want := range map[string]string{"value": "balance", "inPlace": "balance", "otherSum": "", "notStored": "", "notRead": "", "readOtherwise": ""} {
		field, _ := s.sumOf(function)
		assert.Equal(t, want, field, function)
	}
	_, line := s.sumOf("value")
	assert.Equal(t, 7, line, "it is said where it stands")
}

// A method that adds to its receiver, called by another one, changes what its caller has read.
func TestSumsOfParameters(t *testing.T) {
	s := newSketch()
	s.fn("credit", nodes()).Adds = []effect.Add{{Field: "balance", Param: 0, InPlace: true}}
	s.fn("show", nodes()).Adds = []effect.Add{{Field: "balance", Param: 0}}
	s.fn("deposit", nodes(withParts(call("credit"), given(0, "", param(1, "")))))
	s.fn("load", nodes(reading()))
	handed := func(callee string, arg int) effect.Node {
		n := withParts(call(callee), given(arg, "", effect.Source{Kind: effect.ResultSource, Node: 1}))
		n.ArgData = make([]effect.Origins, arg+1)
		n.ArgData[arg] = effect.Origins{0}
		return n
	}
	fn := func(name string, first, second effect.Node) {
		s.fn(name, nodes(first, second, storing(0), publish())).Origins = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}
	}
	fn("direct", call("load"), handed("credit", 0))
	fn("indirect", call("load"), handed("deposit", 1))
	fn("shown", call("load"), handed("show", 0))
	fn("made", call("show"), handed("credit", 0))
	for function, want := range map[string]string{"direct": "balance", "indirect": "balance", "shown": "", "made": ""} {
		field, _ := s.sumOf(function)
		assert.Equal(t, want, field, function)
	}
}

// An update function reads, gives what it has read to a closure, and writes it.
func TestSumsInClosures(t *testing.T) {
	s := newSketch()
	s.fn("update", nodes(reading(), write()))
	closure := func(name string, adds ...effect.Add) {
		s.fn(name+"$1", nodes()).Adds = adds
		n := call("update")
		n.Args = []effect.Roots{{{Kind: effect.FuncRoot, Index: 0}}}
		s.fn(name, nodes(n, publish())).Closures = []effect.ClosureSite{{Fn: effect.FuncID("p." + name + "$1")}}
	}
	closure("adds", effect.Add{Field: "balance", Param: 0, InPlace: true})
	closure("reads", effect.Add{Field: "balance", Param: 0})
	closure("captures", effect.Add{Field: "balance", Param: -1, InPlace: true})
	for function, want := range map[string]string{"adds": "balance", "reads": "", "captures": ""} {
		field, _ := s.sumOf(function)
		assert.Equal(t, want, field, function)
	}
}
