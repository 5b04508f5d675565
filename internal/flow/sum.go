package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// A Sum is a place where something that was read is added to before it is written back.
type Sum struct {
	Graph *effect.Graph
	Pkg   *effect.Package
	Pos   effect.Pos
	Field string
}

// addAt is a step of a function that adds to a field of something: in place, or by what it calls.
type addAt struct {
	pos   effect.Pos
	field string
	read  []int // the calls that gave the thing which has the field, or filled it in
	sum   int   // the number of a sum that is a value, or -1
}

// paramSum is a parameter to a field of which a function adds.
type paramSum struct {
	param int
	field string
}

// findSums learns which functions add to a field of one of their parameters: acc.Credit(n).
func (p *Program) findSums() {
	p.sums = map[*graph][]paramSum{}
	for changed := true; changed; {
		changed = false
		for _, g := range p.graphs {
			changed = p.sumsOfParams(g) || changed
		}
	}
}

func (p *Program) sumsOfParams(g *graph) bool {
	changed := false
	note := func(param int, field string) {
		known := slices.ContainsFunc(p.sums[g], func(s paramSum) bool { return s.param == param })
		if !known && param >= 0 {
			p.sums[g] = append(p.sums[g], paramSum{param, field})
			changed = true
		}
	}
	for _, a := range g.Adds {
		if a.InPlace && !a.Listed { // whoever calls x.AddID may have asked x.HasID
			note(a.Param, a.Field)
		}
	}
	g.each(func(n *effect.Node) {
		for _, id := range p.staticTargets(n) {
			for _, s := range p.sums[p.byID[id]] {
				note(paramOf(g, n, s.param), s.field)
			}
		}
	})
	return changed
}

// paramOf gives the parameter that an argument of a call is, or -1.
func paramOf(g *graph, n *effect.Node, arg int) int {
	for _, part := range partsOf(n, arg) {
		if part.Field == "" && part.From.Kind == effect.ParamSource && part.From.Field == "" {
			return part.From.Index
		}
	}
	return -1
}

// addsIn lists the steps of a function that add to something, in order.
func (p *Program) addsIn(g *graph) []addAt {
	var out []addAt
	for i, a := range g.Adds {
		at := addAt{pos: a.Pos, field: a.Field, read: a.Read, sum: -1}
		if !a.InPlace {
			at.sum = i
		}
		out = append(out, at)
	}
	g.each(func(n *effect.Node) {
		for _, id := range p.staticTargets(n) {
			for _, s := range p.sums[p.byID[id]] {
				out = append(out, addAt{pos: n.Pos, field: s.field, read: resultsIn(n, s.param), sum: -1})
			}
		}
	})
	return out
}

// SumOf finds the place where what a write stores was added to after it had been read: on the way from the top of the
// witness's chain down to the write. What the call that writes fills in itself, such as counts of what went well, is none.
func (p *Program) SumOf(w *Witness) (Sum, bool) {
	for ; w != nil; w = w.Sub {
		g := p.byID[w.Graph.ID]
		if g == nil || w.Node == nil {
			continue
		}
		data := p.DataOf(w)
		for _, a := range p.addsIn(g) {
			if a.read = slices.DeleteFunc(slices.Clone(a.read), func(id int) bool { return id == w.Node.ID }); p.storesSum(g, a, data) {
				return Sum{Graph: w.Graph, Pkg: w.Pkg, Pos: a.pos, Field: a.field}, true
			}
		}
		if s, ok := p.sumInClosure(g, w); ok {
			return s, true
		}
	}
	return Sum{}, false
}

// storesSum reports whether data holds a sum, or the thing that was added to, and that was read here.
func (p *Program) storesSum(g *graph, a addAt, data effect.Origins) bool {
	if !p.readsState(g, a.read) {
		return false
	}
	if a.sum >= 0 {
		return slices.ContainsFunc(data, func(o int) bool {
			return g.Origins[o].Kind == effect.SumOrigin && g.Origins[o].Index == a.sum
		})
	}
	return slices.ContainsFunc(data, func(o int) bool {
		return o < len(g.Origins) && g.Origins[o].Kind == effect.CallOrigin && slices.Contains(a.read, g.Origins[o].Node)
	})
}

// resultsIn lists the calls whose result an argument is.
func resultsIn(n *effect.Node, arg int) []int {
	var nodes []int
	for _, part := range partsOf(n, arg) {
		if part.Field == "" && part.From.Kind == effect.ResultSource && part.From.Field == "" {
			nodes = append(nodes, part.From.Node)
		}
	}
	return nodes
}

// readsState reports whether one of the calls reads rows.
func (p *Program) readsState(g *graph, calls []int) bool {
	return slices.ContainsFunc(calls, func(id int) bool {
		n := g.node(id)
		if n == nil {
			return false
		}
		if own(n)&looks != 0 {
			return true
		}
		return slices.ContainsFunc(p.staticTargets(n), func(id effect.FuncID) bool {
			t := p.byID[id]
			return t != nil && t.does&looks != 0
		})
	})
}

// addsToParam finds the step by which a function adds to something that it is given.
func (p *Program) addsToParam(t *graph) (addAt, bool) {
	for _, a := range t.Adds {
		if a.InPlace && a.Param >= 0 {
			return addAt{pos: a.Pos, field: a.Field}, true
		}
	}
	var found addAt
	ok := false
	t.each(func(n *effect.Node) {
		for _, id := range p.staticTargets(n) {
			for _, s := range p.sums[p.byID[id]] {
				if !ok && paramOf(t, n, s.param) >= 0 {
					found, ok = addAt{pos: n.Pos, field: s.field}, true
				}
			}
		}
	})
	return found, ok
}

// sumInClosure finds a closure, handed to what writes, that adds to what it is given: repo.Update(id, func(x) { x.n++ }).
func (p *Program) sumInClosure(g *graph, w *Witness) (Sum, bool) {
	if w.Sub == nil || w.Node.Effect != nil {
		return Sum{}, false
	}
	for _, roots := range w.Node.Args {
		for _, r := range roots {
			if r.Kind != effect.FuncRoot || r.Index >= len(g.Closures) {
				continue
			}
			t := p.byID[g.Closures[r.Index].Fn]
			if t == nil {
				continue
			}
			if a, ok := p.addsToParam(t); ok {
				return Sum{Graph: t.Graph, Pkg: t.pkg, Pos: a.pos, Field: a.field}, true
			}
		}
	}
	return Sum{}, false
}
