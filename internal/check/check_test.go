package check

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
)

func TestSortGivesOneOrder(t *testing.T) {
	at := func(file string, line, col int, rule string) *Finding {
		return &Finding{File: file, Pos: effect.Pos{Line: line, Col: col}, Rule: rule}
	}
	want := []*Finding{
		at("a.go", 2, 1, "dualwrite/no-tx"), at("a.go", 10, 1, "dualwrite/inside-tx"), at("a.go", 10, 1, "dualwrite/no-tx"),
		at("a.go", 10, 2, "dualwrite/inside-tx"), at("b.go", 1, 1, "dualwrite/no-tx"),
	}
	for seed := range uint64(20) {
		got := slices.Clone(want)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		Sort(got)
		assert.Equal(t, want, got)
	}
}

// down is a publish two calls below a function: the call, a step that the compiler has made, and the library's method.
func down() *flow.Witness {
	pkg := &effect.Package{Files: []string{"shop.go", "line.go"}}
	step := func(fn, label string, pos effect.Pos, sub *flow.Witness) *flow.Witness {
		return &flow.Witness{Graph: &effect.Graph{Name: fn}, Pkg: pkg, Node: &effect.Node{Label: label, Pos: pos}, Sub: sub}
	}
	leaf := step("line.(*Line).Say", "kafka.(*Writer).WriteMessages", effect.Pos{File: 1, Line: 9, Col: 12}, nil)
	wrapper := step("line.Line.Say", "line.(*Line).Say", effect.Pos{}, leaf)
	return step("shop.Place", "line.Line.Say", effect.Pos{Line: 30, Col: 2}, wrapper)
}

func TestChainLeadsToTheEffect(t *testing.T) {
	assert.Equal(t, []Step{
		{File: "shop.go", Line: 30, Column: 2, Function: "shop.Place", Effect: "call", Note: "line.Line.Say"},
		{File: "line.go", Line: 9, Column: 12, Function: "line.(*Line).Say", Effect: "publish", Note: "kafka.(*Writer).WriteMessages"},
	}, Chain(down(), "publish"))
	assert.Empty(t, Chain(nil, "publish"))
}

func TestStepOfWithoutAPlace(t *testing.T) {
	end := &flow.Witness{Graph: &effect.Graph{Name: "shop.Place"}} // the end of a function is no node
	assert.Equal(t, Step{Function: "shop.Place", Effect: "commit"}, StepOf(end, "commit"))
	assert.Empty(t, Chain(end, "commit"))
}
