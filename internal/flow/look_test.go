package flow

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// seen runs a rule that writes down the kinds of the events of one function.
func (s *sketch) seen(function string, reads bool) map[EventKind]int {
	got := map[EventKind]int{}
	starts := func(*Program) []effect.FuncID { return []effect.FuncID{effect.FuncID("p." + function)} }
	s.program(DefaultOptions()).Run(&Rule{Name: "seen", Reads: reads, Starts: starts, Step: func(st *Step) {
		if st.f.g.Name == "p."+function {
			got[st.Kind]++
		}
	}})
	return got
}

func kv(kind model.Effect) effect.Node {
	return effect.Node{Op: effect.OpEffect, Effect: &effect.Effect{Kind: kind}}
}

func TestEventsOfRulesThatRead(t *testing.T) {
	s := newSketch()
	failing := func(n effect.Node) []effect.Block {
		n.Out = []effect.Var{1}
		return []effect.Block{s.to(nodes(n), 1, 1, 2), nodes(), nodes(write())} // who changes nothing is not looked at
	}
	s.fn("reads", failing(reading())...)
	s.fn("writes", failing(write())...)
	s.fn("looks", failing(kv(model.Lookup))...)
	s.fn("claims", nodes(kv(model.Claim), write()))
	s.fn("remembers", nodes(kv(model.Remember), write()))
	s.fn("counts", nodes(kv(model.Count), write()))
	for function, want := range map[string][]EventKind{
		"reads": {Looked, Missed}, "writes": {Wrote, Refused}, "looks": {Looked, Missed},
		"claims": {Claimed}, "remembers": {Remembered}, "counts": {Counted},
	} {
		got := s.seen(function, true)
		assert.Positive(t, got[Entered], function)
		for _, k := range want {
			assert.Positive(t, got[k], "%s: event %d", function, k)
		}
		plain := s.seen(function, false)
		delete(plain, Wrote)
		delete(plain, Entered)
		assert.Empty(t, plain, "%s: other rules see only writes", function)
	}
}

// asking is a function that reads, branches on what it has read, and does one thing or the other.
func (s *sketch) asking(name string) *effect.Graph {
	entry := s.to(nodes(reading()), 0, 1, 2)
	entry.Cond = effect.Cond{Data: effect.Origins{0}, Words: []string{"status"}}
	g := s.fn(name, entry, nodes(write()), nodes(publish()))
	g.Origins = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}
	return g
}

func TestAsked(t *testing.T) {
	s := newSketch()
	s.asking("branches")
	returned := s.fn("returns", nodes(reading(), write()))
	returned.Origins, returned.ReturnData = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}, []effect.Origins{{0}}
	s.fn("drops", nodes(reading(), write()))
	got := map[string]string{}
	s.program(DefaultOptions()).Run(&Rule{Name: "asked", Reads: true, Step: func(st *Step) {
		if st.Kind == Looked {
			looked, words, back := st.Asked()
			got[st.f.g.Name] = fmt.Sprint(looked, words, back)
		}
	}})
	assert.Equal(t, map[string]string{"p.branches": "true [status] false", "p.returns": "false [] true", "p.drops": "false [] false"}, got)
}

// A branch tests a mark if it looks at the result of the step that has set it.
func TestTests(t *testing.T) {
	s := newSketch()
	s.asking("own")
	entry := s.to(nodes(reading(), reading()), 0, 1, 2)
	entry.Cond = effect.Cond{Data: effect.Origins{0}}
	s.fn("earlier", entry, nodes(write()), nodes(publish())).Origins = []effect.Origin{{Kind: effect.CallOrigin, Node: 1}}
	sides := map[string]map[bool]bool{}
	s.program(DefaultOptions()).Run(&Rule{Name: "tests", Reads: true, Step: func(st *Step) {
		switch {
		case st.Kind == Looked:
			st.Clear(mark)
			st.Set(mark)
		case st.Kind == Tested && st.Tests(mark):
			if sides[st.f.g.Name] == nil {
				sides[st.f.g.Name] = map[bool]bool{}
			}
			sides[st.f.g.Name][st.Side] = true
		}
	}})
	assert.Equal(t, map[string]map[bool]bool{"p.own": {true: true, false: true}}, sides, "both ways, and only about the latest read")
}
