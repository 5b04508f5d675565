package flow

import (
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
)

// bases groups the places that hold the same database handle: fields, parameters and globals, united where one is
// assigned to the other. A class is a number from 1.
type bases struct {
	parent map[string]string
	ids    map[string]int32
	names  []string
	// distinct says that the program holds two handles apart somewhere: then two classes that were not united may well
	// be two databases.
	distinct bool
	mixed    map[int32]bool
}

func newBases() *bases {
	return &bases{parent: map[string]string{}, ids: map[string]int32{}, names: []string{""}, mixed: map[int32]bool{}}
}

func (b *bases) find(name string) string {
	root := name
	for {
		up, ok := b.parent[root]
		if !ok || up == root {
			break
		}
		root = up
	}
	for name != root {
		b.parent[name], name = root, b.parent[name]
	}
	return root
}

func (b *bases) union(x, y string) {
	x, y = b.find(x), b.find(y)
	if x == y {
		return
	}
	if y < x { // the same input gives the same representative
		x, y = y, x
	}
	b.parent[y] = x
	if _, ok := b.parent[x]; !ok {
		b.parent[x] = x
	}
}

// class gives the number of a place's class.
func (b *bases) class(name string) int32 {
	root := b.find(name)
	id, ok := b.ids[root]
	if !ok {
		id = int32(len(b.names))
		b.ids[root] = id
		b.names = append(b.names, root)
	}
	return id
}

// unifyBases unites places through stores and calls.
func (p *Program) unifyBases() {
	for _, g := range p.graphs {
		for _, st := range g.Stores {
			for _, name := range p.places(g, st.Value, 0) {
				p.bases.union(st.Cell, name)
			}
		}
		g.each(func(n *effect.Node) {
			for _, id := range p.staticTargets(n) {
				if t := p.byID[id]; t != nil {
					p.unifyCall(g, n, t)
				}
			}
		})
	}
	p.findDistinct()
}

func (p *Program) unifyCall(g *graph, n *effect.Node, t *graph) {
	for i, roots := range n.Args {
		if i >= len(t.Params) || !canBeBase(t.Params[i].Role) {
			continue
		}
		for _, name := range p.places(g, roots, 0) {
			p.bases.union(paramCell(t.ID, i), name)
		}
	}
}

func canBeBase(r effect.TypeRole) bool { return r == effect.BaseOnly || r == effect.EitherType }

// places names the places that roots stand for, where they are database handles.
func (p *Program) places(g *graph, roots effect.Roots, depth int) []string {
	var names []string
	for _, r := range roots {
		if !canBeBase(r.Role) && r.Kind != effect.CallRoot {
			continue
		}
		switch {
		case r.Field != "":
			names = append(names, r.Field)
		case r.Kind == effect.ParamRoot:
			names = append(names, paramCell(g.ID, r.Index))
		case r.Kind == effect.GlobalRoot:
			names = append(names, r.Name)
		case r.Kind == effect.CallRoot && depth < 3:
			names = append(names, p.returnedPlaces(g, r, depth)...)
		}
	}
	return names
}

func (p *Program) returnedPlaces(g *graph, r effect.Root, depth int) []string {
	n := g.node(r.Node)
	if n == nil {
		return nil
	}
	var names []string
	for _, id := range p.staticTargets(n) {
		if t := p.byID[id]; t != nil && r.Index < len(t.Returns) {
			for _, name := range p.places(t, t.Returns[r.Index], depth+1) {
				if !strings.HasPrefix(name, "param ") {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// findDistinct looks for an object or a function that holds two handles which are not the same.
func (p *Program) findDistinct() {
	held := map[string]map[string]bool{} // struct → classes
	for _, g := range p.graphs {
		for _, st := range g.Stores {
			if len(p.places(g, st.Value, 0)) == 0 && !storesBase(st) {
				continue
			}
			if i := strings.LastIndexByte(st.Cell, '.'); i > 0 {
				owner := st.Cell[:i]
				if held[owner] == nil {
					held[owner] = map[string]bool{}
				}
				held[owner][p.bases.find(st.Cell)] = true
			}
		}
		classes := map[string]bool{}
		for i, param := range g.Params {
			if param.Role == effect.BaseOnly {
				classes[p.bases.find(paramCell(g.ID, i))] = true
			}
		}
		p.bases.distinct = p.bases.distinct || len(classes) > 1
	}
	for _, classes := range held {
		p.bases.distinct = p.bases.distinct || len(classes) > 1
	}
}

func storesBase(st effect.Store) bool {
	for _, r := range st.Value {
		if canBeBase(r.Role) {
			return true
		}
	}
	return false
}
