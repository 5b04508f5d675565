package flow

import "github.com/dmlint/dmlint/internal/effect"

// handed finds every function that a function value can be, whatever the path: back from where it is called or
// registered to where it was made. Values (see value.go) bound their sets, since they are part of the engine's states; a
// table of handlers is longer than that.
type handed struct {
	p       *Program
	stores  map[string][]source      // by cell
	calls   map[*graph][]callSite    // by callee
	makers  map[effect.FuncID][]site // by closure
	visited map[handedKey]bool
	found   []*graph
	have    map[*graph]bool
}

type source struct {
	g     *graph
	roots effect.Roots
}

type callSite struct {
	g *graph
	n *effect.Node
}

type site struct {
	g *graph
	s *effect.ClosureSite
}

type handedKey struct {
	g *graph
	r effect.Root
}

func newHanded(p *Program) *handed {
	h := &handed{p: p, stores: map[string][]source{}, calls: map[*graph][]callSite{}, makers: map[effect.FuncID][]site{}}
	for _, g := range p.graphs {
		for i := range g.Stores {
			st := &g.Stores[i]
			h.stores[st.Cell] = append(h.stores[st.Cell], source{g, st.Value})
		}
		for i := range g.Closures {
			s := &g.Closures[i]
			h.makers[s.Fn] = append(h.makers[s.Fn], site{g, s})
		}
		g.each(func(n *effect.Node) {
			for _, id := range p.staticTargets(n) {
				if t := p.byID[id]; t != nil {
					h.calls[t] = append(h.calls[t], callSite{g, n})
				}
			}
		})
	}
	return h
}

// functions lists the functions that roots in g can be, in the order in which they are met.
func (h *handed) functions(g *graph, roots effect.Roots) []*graph {
	h.visited, h.found, h.have = map[handedKey]bool{}, nil, map[*graph]bool{}
	h.visit(g, roots)
	return h.found
}

func (h *handed) visit(g *graph, roots effect.Roots) {
	for _, r := range roots {
		key := handedKey{g, r}
		if h.visited[key] {
			continue
		}
		h.visited[key] = true
		h.root(g, r)
	}
}

func (h *handed) root(g *graph, r effect.Root) {
	if r.Field != "" { // what a field holds is the same in all objects
		h.cell(r.Field)
		return
	}
	switch r.Kind {
	case effect.FuncRoot:
		h.made(&g.Closures[r.Index])
	case effect.GlobalRoot, effect.FieldRoot:
		h.cell(r.Name)
	case effect.ParamRoot:
		for _, c := range h.calls[g] {
			if r.Index < len(c.n.Args) {
				h.visit(c.g, c.n.Args[r.Index])
			}
		}
	case effect.FreeRoot:
		for _, m := range h.makers[g.ID] {
			if r.Index < len(m.s.Env) {
				h.visit(m.g, m.s.Env[r.Index])
			}
		}
	case effect.CallRoot:
		h.result(g, r)
	}
}

func (h *handed) cell(name string) {
	for _, s := range h.stores[name] {
		h.visit(s.g, s.roots)
	}
}

func (h *handed) made(s *effect.ClosureSite) {
	for _, t := range h.p.closureTargets(&closure{fn: s.Fn, method: s.Method}) {
		if !h.have[t] {
			h.have[t] = true
			h.found = append(h.found, t)
		}
	}
}

// result follows a call to what its callees return: what they have been given here, or what they have made.
func (h *handed) result(g *graph, r effect.Root) {
	n := g.node(r.Node)
	if n == nil {
		return
	}
	for _, id := range h.p.staticTargets(n) {
		t := h.p.byID[id]
		if t == nil || r.Index >= len(t.Returns) {
			continue
		}
		for _, ret := range t.Returns[r.Index] {
			if ret.Kind != effect.ParamRoot || ret.Field != "" {
				h.visit(t, effect.Roots{ret})
			} else if ret.Index < len(n.Args) {
				h.visit(g, n.Args[ret.Index])
			}
		}
	}
}
