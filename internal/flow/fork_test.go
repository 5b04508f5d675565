package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
)

// TestRulesRunSideBySide has many more works than processors, each of them with rules of its own.
func TestRulesRunSideBySide(t *testing.T) {
	s := newSketch()
	s.fn("caller", nodes(call("store"), call("tell")))
	s.fn("store", nodes(write()))
	s.fn("tell", nodes(publish()))
	p := s.program(DefaultOptions())
	alone, _ := p.Run(written)

	found := make([][]*Hit, 16)
	var works []func(fork *Program)
	for i := range found {
		works = append(works, func(fork *Program) {
			first, second := *written, *written
			for _, rule := range []*Rule{&first, &second} {
				hits, gaveUp := fork.Run(rule)
				assert.Empty(t, gaveUp)
				found[i] = append(found[i], hits...)
			}
		})
	}
	p.SideBySide(works)
	for _, hits := range found {
		assert.Len(t, hits, 2*len(alone))
		assert.Equal(t, alone[0].First.Node, hits[0].First.Node)
	}
}

// TestAForkLeavesTheProgramAlone adds to everything that a fork has room for.
func TestAForkLeavesTheProgramAlone(t *testing.T) {
	p := newSketch().program(DefaultOptions())
	before := len(p.values.sets)
	f := p.fork()
	assert.NotEqual(t, empty, f.values.text("SELECT 1"))
	f.values.kind("broker")
	f.values.closure(closure{fn: "p.f"})
	f.bases.class("p.Server.db")
	f.bases.union("a", "b")
	f.frame(&graph{Graph: &effect.Graph{}}, nil, nil)
	assert.Len(t, p.values.sets, before)
	assert.Empty(t, p.values.texts)
	assert.Empty(t, p.values.kinds)
	assert.Empty(t, p.values.closures)
	assert.Empty(t, p.bases.ids)
	assert.Empty(t, p.bases.parent)
	assert.Empty(t, p.frames)
}

// TestCellsAreLearnedThroughCalls hands a function through three parameters into a field, against the order in which
// functions are looked at.
func TestCellsAreLearnedThroughCalls(t *testing.T) {
	s := newSketch()
	hand := func(to string, from effect.Root) effect.Node {
		n := call(to)
		n.Args = []effect.Roots{{from}}
		return n
	}
	param := effect.Root{Kind: effect.ParamRoot, Role: effect.FuncType}
	takes := func(g *effect.Graph) *effect.Graph {
		g.Params = []effect.Param{{Name: "fn", Role: effect.FuncType}}
		return g
	}
	s.fn("sends", nodes(publish()))
	takes(s.fn("a", nodes())).Stores = []effect.Store{{Cell: "p.Server.fn", Value: effect.Roots{param}}}
	takes(s.fn("b", nodes(hand("a", param))))
	takes(s.fn("c", nodes(hand("b", param))))
	maker := s.fn("d", nodes(hand("c", effect.Root{Kind: effect.FuncRoot})))
	maker.Closures = []effect.ClosureSite{{Fn: "p.sends"}}
	runs := effect.Node{Op: effect.OpCall, Fun: effect.Roots{{Kind: effect.FieldRoot, Field: "p.Server.fn", Role: effect.FuncType}}}
	s.fn("e", nodes(write(), runs))
	assert.Equal(t, []string{"e 1-2"}, s.windows(t))
}
