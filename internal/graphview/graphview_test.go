package graphview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// program puts graphs into a program of one package.
func program(graphs ...*effect.Graph) *effect.Program {
	pkg := &effect.Package{Path: "example.com/shop", Name: "shop", Files: []string{"shop.go"}, Graphs: graphs}
	p := &effect.Program{Packages: []*effect.Package{pkg}, Graphs: map[effect.FuncID]*effect.Graph{},
		Targets: map[effect.MethodKey][]effect.FuncID{}, PackageOf: map[*effect.Graph]*effect.Package{}}
	for _, g := range graphs {
		p.Graphs[g.ID] = g
		p.PackageOf[g] = pkg
	}
	return p
}

func text(t *testing.T, p *effect.Program, g *effect.Graph) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, New(p, g).Text(&b, func(file string) string { return file }))
	return b.String()
}

func at(line int) effect.Pos { return effect.Pos{Line: line, Col: 1} }

func TestRoots(t *testing.T) {
	g := &effect.Graph{
		ID: "shop.F", Method: true, Params: []effect.Param{{Name: "s"}, {Name: "ctx"}, {Name: "_"}}, FreeVars: []effect.Param{{Name: "tx"}},
		Closures: []effect.ClosureSite{{Fn: "shop.F$1"}, {Fn: "lib/x.G"}, {Method: effect.MethodKey{Iface: "example.com/shop.Store", Name: "Save"}}},
		Blocks: []effect.Block{{Exit: effect.Return, Nodes: []effect.Node{
			{ID: 1, Op: effect.OpEffect, Pos: at(1), Effect: &effect.Effect{Kind: model.Begin}},
			{ID: 2, Op: effect.OpCall, Pos: at(2), Fun: effect.Roots{{Kind: effect.ParamRoot, Index: 1}}},
			{ID: 3, Op: effect.OpCall, Callee: "shop.Quiet", Label: "shop.Quiet"},
		}}},
	}
	v := New(program(g, &effect.Graph{ID: "shop.F$1", Name: "shop.F$1", Parent: "shop.F"}, &effect.Graph{ID: "shop.Quiet"}), g)
	for _, c := range []struct {
		roots effect.Roots
		want  string
	}{
		{nil, ""},
		{effect.Roots{{Kind: effect.ParamRoot}}, "recv"},
		{effect.Roots{{Kind: effect.ParamRoot, Field: "example.com/shop.Service.db"}}, "recv.db"},
		{effect.Roots{{Kind: effect.ParamRoot, Index: 1}, {Kind: effect.ParamRoot, Index: 2}}, "ctx|arg2"},
		{effect.Roots{{Kind: effect.ParamRoot, Index: 9}}, "?"},
		{effect.Roots{{Kind: effect.FreeRoot}}, "tx"},
		{effect.Roots{{Kind: effect.GlobalRoot, Name: "example.com/shop.DB"}}, "shop.DB"},
		{effect.Roots{{Kind: effect.FieldRoot, Name: "example.com/shop.T.db", Field: "example.com/shop.T.db", Elem: true}}, "shop.T.db[]"},
		{effect.Roots{{Kind: effect.ScopeRoot, Node: 1}}, "s1"},
		{effect.Roots{{Kind: effect.ScopeRoot, Node: 2}}, "the transaction of 2"},
		{effect.Roots{{Kind: effect.ScopeRoot, Node: 9}}, "a transaction"},
		{effect.Roots{{Kind: effect.ScopeRoot, Node: 1}, {Kind: effect.TypeRoot}}, "s1"},
		{effect.Roots{{Kind: effect.TypeRoot}}, "a transaction"},
		{effect.Roots{{Kind: effect.CallRoot, Node: 2}}, "result of 2"},
		{effect.Roots{{Kind: effect.CallRoot, Node: 2, Index: 1}}, "result 2 of 2"},
		{effect.Roots{{Kind: effect.CallRoot, Node: 3}}, "shop.Quiet()"},
		{effect.Roots{{Kind: effect.FuncRoot}}, "$1"},
		{effect.Roots{{Kind: effect.FuncRoot, Index: 1}}, "x.G"},
		{effect.Roots{{Kind: effect.FuncRoot, Index: 2}}, "shop.Store.Save"},
		{effect.Roots{{Kind: effect.KindRoot, Name: "broker"}}, "a publisher of kind broker"},
	} {
		assert.Equal(t, c.want, v.roots(c.roots))
	}
}

// A check of the context decides between two paths; what the last step returns decides the exit.
func TestOutcomes(t *testing.T) {
	g := &effect.Graph{
		ID: "shop.F", Name: "shop.F", Pos: at(1), Params: []effect.Param{{Name: "ctx"}}, Results: []effect.ResultKind{effect.ErrorResult},
		Blocks: []effect.Block{
			{
				Nodes: []effect.Node{{ID: 1, Op: effect.OpPresence, Tested: effect.Roots{{Kind: effect.ParamRoot}}, Out: []effect.Var{1}}},
				Succs: []effect.Edge{{To: 1}, {To: 2}},
				Cond:  effect.Cond{Tests: []effect.Test{{Var: 1, True: effect.NonZero, False: effect.Zero}}},
			},
			{
				Nodes: []effect.Node{{ID: 2, Op: effect.OpEffect, Pos: at(3), Out: []effect.Var{2},
					Effect: &effect.Effect{Kind: model.Write, Table: "orders_" + sqltext.Hole, Verb: sqltext.Insert, Conflict: true, Handle: effect.Roots{{Kind: effect.ParamRoot}}}}},
				Exit: effect.Return, Return: []effect.Operand{{Var: 2}},
			},
			{
				Nodes: []effect.Node{{ID: 3, Op: effect.OpEffect, Pos: at(5), Mode: effect.Started, Label: "kafka.(*Writer).WriteMessages",
					Effect: &effect.Effect{Kind: model.Publish, Tier: model.TierAdvice, Async: true}}},
				Succs: []effect.Edge{{To: 3}},
			},
			{Nodes: []effect.Node{{ID: 4, Op: effect.OpEffect, Pos: at(6), Effect: &effect.Effect{Kind: model.SQL, Text: effect.Roots{{Kind: effect.ParamRoot}}}}}, Exit: effect.Panic},
		},
	}
	for i := range g.Blocks {
		g.Blocks[i].Live.Set(1)
		g.Blocks[i].Live.Set(2)
	}
	assert.Equal(t, `shop.F(ctx)   shop.go:1
  roots: ctx
  1  :1  a transaction in it?                                      via ctx  set→2  nil→3
  2  :3  write orders_… (insert, conflict handled)                 via ctx  ok→exit(ok)  err→exit(err)
  3  :5  go publish kafka.(*Writer).WriteMessages (async, advice)           →4
  4  :6  sql, text from ctx                                                 →panic
`, text(t, program(g), g))
}

func TestCallsWithNothingBehindThem(t *testing.T) {
	key := effect.MethodKey{Iface: "example.com/shop.Store", Name: "Save"}
	g := &effect.Graph{ID: "shop.F", Name: "shop.F", Pos: at(1), Blocks: []effect.Block{{Exit: effect.Return, Nodes: []effect.Node{
		{ID: 1, Op: effect.OpCall, Pos: at(2), Callee: "shop.Quiet", Label: "shop.Quiet"},
		{ID: 2, Op: effect.OpCall, Pos: at(3), Callee: "shop.Missing", Label: "shop.Missing", Args: []effect.Roots{nil, nil}},
		{ID: 3, Op: effect.OpCall, Pos: at(4), Method: key, Label: "shop.Store.Save"},
	}}}}
	assert.Equal(t, `shop.F()   shop.go:1
  1  :3  call shop.Missing(…)    →2
       ⇒ its body is not known
  2  :4  call shop.Store.Save()  →exit
       ⇒ no implementation is known
  (calls without effects that are left out: 1)
`, text(t, program(g, &effect.Graph{ID: "shop.Quiet"}), g))
}

func TestEmpty(t *testing.T) {
	g := &effect.Graph{ID: "shop.F", Name: "shop.F", Pos: at(1)}
	assert.Equal(t, "shop.F()   shop.go:1\n  no effects\n", text(t, program(g), g))
	var b strings.Builder
	require.NoError(t, New(program(g), g).DOT(&b))
	assert.Contains(t, b.String(), `label="shop.F()";`)
}
