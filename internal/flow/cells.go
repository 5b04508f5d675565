package flow

import (
	"maps"
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// maxCellRounds bounds the fixpoint over what fields and parameters hold; each round takes function values one call
// further.
const maxCellRounds = 6

// learning is what learnCells remembers from one round to the next: a function is looked at again only where a cell has
// changed that it has been evaluated by.
type learning struct {
	// readers are the functions that mention a cell, through those in which calls of a function were evaluated.
	readers map[string][]*graph
	through map[*graph]map[*graph]bool
	changed map[string]bool
}

// learnCells finds what fields, globals, parameters and free variables can hold, whatever the path: function values and
// constructed publishers. Transactions are left out: which one is a question of the path.
func (p *Program) learnCells() {
	l := &learning{readers: map[string][]*graph{}, through: map[*graph]map[*graph]bool{}, changed: map[string]bool{}}
	for _, g := range p.graphs {
		g.mentions(func(cell string) {
			if rs := l.readers[cell]; len(rs) == 0 || rs[len(rs)-1] != g {
				l.readers[cell] = append(rs, g)
			}
		})
	}
	p.learning = l
	p.learnRounds(l)
	p.learning, p.frames = nil, map[string]*frame{}
}

func (p *Program) learnRounds(l *learning) {
	put := func(cell string, v value) {
		if u := p.values.union(p.cells[cell], v); u != p.cells[cell] {
			p.cells[cell] = u
			l.changed[cell] = true
		}
	}
	dirty := func(*graph) bool { return true }
	for range maxCellRounds {
		for _, g := range p.graphs {
			if dirty(g) {
				p.learnFrom(g, put)
			}
		}
		if len(l.changed) == 0 {
			return
		}
		affected := l.affected()
		for key, f := range p.frames {
			if affected[f.g] {
				delete(p.frames, key)
			}
		}
		dirty = func(g *graph) bool { return affected[g] }
	}
}

// affected are the functions that may be evaluated otherwise now that cells have changed, which it forgets.
func (l *learning) affected() map[*graph]bool {
	var readers []*graph
	for cell := range l.changed {
		readers = append(readers, l.readers[cell]...)
	}
	l.changed = map[string]bool{}
	return spread(readers, func(g *graph) []*graph { return slices.Collect(maps.Keys(l.through[g])) })
}

// evaluated notes that a call in g leads to a function.
func (l *learning) evaluated(g, callee *graph) {
	users := l.through[callee]
	if users == nil {
		users = map[*graph]bool{}
		l.through[callee] = users
	}
	users[g] = true
}

// mentions calls f for the cells that evaluating anything in a function reads directly.
func (g *graph) mentions(f func(cell string)) {
	for i := range g.Params {
		f(g.paramCell(i))
	}
	for i := range g.FreeVars {
		f(g.freeCell(i))
	}
	g.eachRoots(func(rs effect.Roots) {
		for _, r := range rs {
			if r.Field != "" {
				f(r.Field)
			}
			if r.Kind == effect.GlobalRoot {
				f(r.Name)
			}
		}
	})
}

func (p *Program) learnFrom(g *graph, put func(cell string, v value)) {
	f := p.ambient(g)
	for _, st := range g.Stores {
		put(st.Cell, p.kept(f, st.Value))
	}
	for i := range g.Closures {
		site := &g.Closures[i]
		for j, roots := range site.Env {
			if v := p.kept(f, roots); v != empty {
				put(freeCell(site.Fn, j), v)
			}
		}
		if site.IsBound && site.Fn != "" {
			if v := p.kept(f, site.Bound); v != empty {
				put(paramCell(site.Fn, 0), v)
			}
		}
	}
	g.each(func(n *effect.Node) {
		for _, id := range p.staticTargets(n) {
			t := p.byID[id]
			if t == nil {
				continue
			}
			for i, roots := range n.Args {
				if i < len(t.Params) && t.Params[i].Role != effect.ScalarType && t.relevant.Has(i) {
					if v := p.kept(f, roots); v != empty {
						put(t.paramCell(i), v)
					}
				}
			}
		}
	})
}

// kept is what a place keeps of what is put there.
func (p *Program) kept(f *frame, roots effect.Roots) value {
	if len(roots) == 0 {
		return empty
	}
	return p.values.only(p.eval(f, roots), funcAtom, kindAtom, textAtom)
}
