package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
)

// Of a mark that a rule gathers, paths that meet keep the steps of both; of any other, those of the first.
func TestGather(t *testing.T) {
	g, pkg := &effect.Graph{}, &effect.Package{}
	step := func(n *effect.Node) *Witness { return &Witness{Graph: g, Pkg: pkg, Node: n} }
	a, b := &effect.Node{ID: 1}, &effect.Node{ID: 2}
	e := &engine{rule: &Rule{Gathers: []Mark{1}}}
	known := witnesses{0: {step(a)}, 1: {step(a)}}
	other := witnesses{0: {step(b)}, 1: {step(b)}}
	assert.True(t, e.gather(&known, &other))
	assert.Len(t, known[0], 1)
	assert.Len(t, known[1], 2)
	assert.Equal(t, known[1], other[1])
	again := witnesses{1: {step(a)}}
	assert.False(t, e.gather(&known, &again), "a step that is known")
	assert.Len(t, again[1], 2)
	for i := range 2 * maxWitnesses {
		e.gather(&known, &witnesses{1: {step(&effect.Node{ID: 3 + i})}})
	}
	assert.Len(t, known[1], maxWitnesses)
}
