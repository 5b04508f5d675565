package flow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// A sketch makes graphs by hand: each test shows a control flow and the hits that a rule finds in it.
type sketch struct {
	pkg *effect.Package
}

func newSketch() *sketch {
	return &sketch{pkg: &effect.Package{Path: "p", Name: "p", Files: []string{"p.go"}}}
}

// fn adds a function; the lines of its nodes are numbered from 1 in the order in which they are made.
func (s *sketch) fn(name string, blocks ...effect.Block) *effect.Graph {
	g := &effect.Graph{ID: effect.FuncID("p." + name), Name: "p." + name, Pkg: "p", Blocks: blocks}
	id := 0
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			id++
			g.Blocks[b].Nodes[i].ID = id
			g.Blocks[b].Nodes[i].Pos = effect.Pos{Line: id, Col: 1}
			for v := effect.Var(1); v <= 16; v++ {
				g.Blocks[b].Live.Set(int(v))
			}
		}
	}
	s.pkg.Graphs = append(s.pkg.Graphs, g)
	return g
}

func (s *sketch) program(opts Options) *Program {
	p := &effect.Program{Packages: []*effect.Package{s.pkg}, Graphs: map[effect.FuncID]*effect.Graph{},
		Targets: map[effect.MethodKey][]effect.FuncID{}, PackageOf: map[*effect.Graph]*effect.Package{}}
	for _, g := range s.pkg.Graphs {
		p.Graphs[g.ID] = g
		p.PackageOf[g] = s.pkg
	}
	return Prepare(p, opts)
}

func write() effect.Node {
	return effect.Node{Op: effect.OpEffect, Effect: &effect.Effect{Kind: model.Write, Table: "orders"}}
}

func publish() effect.Node {
	return effect.Node{Op: effect.OpEffect, Effect: &effect.Effect{Kind: model.Publish}}
}

// fallible is a write whose outcome is in variable v.
func fallible(v effect.Var) effect.Node {
	n := write()
	n.Out = []effect.Var{v}
	return n
}

func call(name string, out ...effect.Var) effect.Node {
	return effect.Node{Op: effect.OpCall, Callee: effect.FuncID("p." + name), Out: out}
}

func nodes(ns ...effect.Node) effect.Block { return effect.Block{Nodes: ns, Exit: effect.Return} }

// to makes a block go on to others; with two of them the first is taken where variable v is not nil.
func (s *sketch) to(b effect.Block, v effect.Var, targets ...int) effect.Block {
	b.Exit = effect.Branch
	for _, t := range targets {
		b.Succs = append(b.Succs, effect.Edge{To: t})
	}
	if len(targets) == 2 {
		b.Cond = effect.Cond{Tests: []effect.Test{{Var: v, True: effect.NonZero, False: effect.Zero}}}
	}
	return b
}

// written is the rule of the tests: a publish after a write.
var written = &Rule{Name: "written", Step: func(s *Step) {
	switch s.Kind {
	case Wrote:
		s.Set(mark)
	case Published:
		if s.Has(mark) {
			s.Report("window", mark)
		}
	}
}}

// windows runs the rule and writes each hit as "function first-later".
func (s *sketch) windows(t *testing.T) []string {
	t.Helper()
	hits, gaveUp := s.program(DefaultOptions()).Run(written)
	assert.Empty(t, gaveUp)
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s %d-%d", strings.TrimPrefix(h.Graph.Name, "p."), h.First.Node.Pos.Line, h.Later.Node.Pos.Line))
	}
	return out
}

func TestAWindowInOneFunction(t *testing.T) {
	s := newSketch()
	s.fn("Bad", nodes(write(), publish()))
	s.fn("Good", nodes(publish(), write()))
	assert.Equal(t, []string{"Bad 1-2"}, s.windows(t))
}

func TestAWindowIsReportedWhereBothEndsAre(t *testing.T) {
	s := newSketch()
	s.fn("caller", nodes(call("store"), call("tell")))
	s.fn("store", nodes(write()))
	s.fn("tell", nodes(call("send")))
	s.fn("send", nodes(publish()))
	s.fn("other", nodes(call("both")))
	s.fn("both", nodes(write(), call("tell")))
	assert.ElementsMatch(t, []string{"caller 1-2", "both 1-2"}, s.windows(t))
}

func TestAnOutcomeDecides(t *testing.T) {
	s := newSketch()
	// if err := write(); err != nil { publish() }
	s.fn("onError", s.to(nodes(fallible(1)), 1, 1, 2), nodes(publish()), nodes())
	// if err := write(); err == nil { publish() }
	s.fn("onSuccess", s.to(nodes(fallible(1)), 1, 1, 2), nodes(), nodes(publish()))
	assert.Equal(t, []string{"onSuccess 1-2"}, s.windows(t))
}

// TestAnOutcomeComesOutOfACall has a helper that returns its write's error, and one that returns the opposite.
func TestAnOutcomeComesOutOfACall(t *testing.T) {
	s := newSketch()
	returning := func(o effect.Outcome) effect.Block {
		return effect.Block{Exit: effect.Return, Return: []effect.Operand{{Const: o}}}
	}
	honest := s.fn("honest", s.to(nodes(fallible(1)), 1, 1, 2), returning(effect.NonZero), returning(effect.Zero))
	honest.Results = []effect.ResultKind{effect.ErrorResult}
	s.fn("refused", s.to(nodes(call("honest", 2)), 2, 1, 2), nodes(publish()), nodes())
	s.fn("done", s.to(nodes(call("honest", 2)), 2, 1, 2), nodes(), nodes(publish()))
	assert.Equal(t, []string{"done 1-2"}, s.windows(t))
}

func loop(entry, body, after effect.Block) []effect.Block {
	entry.Exit, entry.Succs = effect.Branch, []effect.Edge{{To: 1}}
	header := effect.Block{Exit: effect.Branch, Succs: []effect.Edge{{To: 2}, {To: 3, Leaves: []int{1}}}}
	body.Exit, body.Succs = effect.Branch, []effect.Edge{{To: 1, Back: 1}}
	return []effect.Block{entry, header, body, after}
}

func TestLoops(t *testing.T) {
	s := newSketch()
	s.fn("thenPublish", loop(nodes(), nodes(write()), nodes(publish()))...)
	s.fn("nextRound", loop(nodes(), nodes(publish(), write()), nodes())...)
	s.fn("sameRound", loop(nodes(), nodes(write(), publish()), nodes())...)
	s.fn("before", loop(nodes(write()), nodes(publish()), nodes())...)
	assert.ElementsMatch(t, []string{"thenPublish 1-2", "sameRound 1-2", "before 1-2"}, s.windows(t))
}

func TestDeferredCallsRunLast(t *testing.T) {
	deferred := func(n effect.Node) effect.Node {
		n.Mode = effect.Deferred
		return n
	}
	run := effect.Node{Op: effect.OpRunDefers}
	s := newSketch()
	s.fn("publishLast", nodes(deferred(publish()), write(), run))
	s.fn("writeLast", nodes(deferred(write()), publish(), run))
	s.fn("lifo", nodes(deferred(publish()), deferred(write()), run))
	s.fn("fifo", nodes(deferred(write()), deferred(publish()), run))
	assert.ElementsMatch(t, []string{"publishLast 2-1", "lifo 2-1"}, s.windows(t))
}

func TestRecursionEnds(t *testing.T) {
	s := newSketch()
	s.fn("walk", s.to(nodes(write()), 9, 1, 2), nodes(call("walk")), nodes())
	s.fn("Walk", nodes(call("walk"), publish()))
	s.fn("even", nodes(call("odd")))
	s.fn("odd", s.to(nodes(), 9, 1, 2), nodes(call("even")), nodes(write()))
	s.fn("Even", nodes(call("even"), publish()))
	assert.ElementsMatch(t, []string{"Walk 1-2", "Even 1-2"}, s.windows(t))
}

// TestACappedFunctionIsNamed has more paths than are allowed: it must not look clean.
func TestACappedFunctionIsNamed(t *testing.T) {
	s := newSketch()
	var blocks []effect.Block
	for i := range 8 { // each branch doubles what is known
		n := fallible(effect.Var(i + 1))
		blocks = append(blocks, s.to(nodes(n), effect.Var(i+1), 2*i+2, 2*i+1), s.to(nodes(), 0, 2*i+2))
	}
	blocks = append(blocks, nodes(publish()))
	s.fn("wide", blocks...)
	s.fn("narrow", nodes(write(), publish()))
	p := s.program(Options{MaxVisits: 40})
	hits, gaveUp := p.Run(written)
	assert.Equal(t, []string{"p.wide"}, gaveUp)
	assert.NotEmpty(t, hits, "what was found in others is kept")
	_, gaveUp = s.program(DefaultOptions()).Run(written)
	assert.Empty(t, gaveUp)
}

func TestHitsComeInAStableOrder(t *testing.T) {
	s := newSketch()
	for _, name := range []string{"e", "b", "d", "a", "c"} {
		s.fn(name, nodes(write(), publish()))
	}
	assert.Equal(t, []string{"a 1-2", "b 1-2", "c 1-2", "d 1-2", "e 1-2"}, s.windows(t))
}
