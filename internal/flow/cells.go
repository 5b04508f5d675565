package flow

import "github.com/dmlint/dmlint/internal/effect"

// maxCellRounds bounds the fixpoint over what fields and parameters hold; each round takes function values one call
// further.
const maxCellRounds = 6

// learnCells finds what fields, globals, parameters and free variables can hold, whatever the path: function values and
// constructed publishers. Transactions are left out: which one is a question of the path.
func (p *Program) learnCells() {
	for range maxCellRounds {
		changed := false
		put := func(cell string, v value) {
			if u := p.values.union(p.cells[cell], v); u != p.cells[cell] {
				p.cells[cell] = u
				changed = true
			}
		}
		p.frames = map[string]*frame{}
		for _, g := range p.graphs {
			p.learnFrom(g, put)
		}
		if !changed {
			break
		}
	}
	p.frames = map[string]*frame{}
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
