package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
)

// bases groups the places that hold the same database handle: fields, parameters and globals, united where one is
// assigned to the other. A class is a number from 1.
type bases struct {
	parent map[string]string
	ids    map[string]int32
	names  []string
	// apart holds the pairs of classes that some object or function holds at once without their being the same: two
	// databases. A class in no such pair is likely the only database there is.
	apart map[[2]int32]bool
	// kept caches which functions put which parameters where they can be found later.
	kept map[resultKey]bool
}

func newBases() *bases {
	return &bases{parent: map[string]string{}, ids: map[string]int32{}, names: []string{""}, apart: map[[2]int32]bool{}, kept: map[resultKey]bool{}}
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
		if i >= len(t.Params) || !canBeBase(t.Params[i].Role) || !p.keeps(t, i, 0) {
			continue
		}
		for _, name := range p.places(g, roots, 0) {
			p.bases.union(paramCell(t.ID, i), name)
		}
	}
}

// keeps reports whether a function puts a parameter where it can be found later. One that only uses it may be given this
// database now and another one then.
func (p *Program) keeps(g *graph, i, depth int) bool {
	key := resultKey{g.index, i}
	kept, known := p.bases.kept[key]
	if !known {
		p.bases.kept[key] = false // while it is being found out
		kept = p.findKept(g, i, depth)
		p.bases.kept[key] = kept
	}
	return kept
}

func (p *Program) findKept(g *graph, i, depth int) bool {
	isParam := func(r effect.Root) bool { return r.Kind == effect.ParamRoot && r.Index == i && r.Field == "" }
	for _, st := range g.Stores {
		if slices.ContainsFunc(st.Value, isParam) {
			return true
		}
	}
	found := false
	g.each(func(n *effect.Node) {
		for j, roots := range n.Args {
			if found || depth > 3 || !slices.ContainsFunc(roots, isParam) {
				continue
			}
			for _, id := range p.staticTargets(n) {
				if t := p.byID[id]; t != nil && p.keeps(t, j, depth+1) {
					found = true
				}
			}
		}
	})
	return found
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

// findDistinct looks for objects and functions that hold two handles which are not the same.
func (p *Program) findDistinct() {
	held := map[string][]int32{} // struct → classes
	for _, g := range p.graphs {
		for _, st := range g.Stores {
			i := strings.LastIndexByte(st.Cell, '.')
			if i > 0 && storesBase(st) {
				held[st.Cell[:i]] = append(held[st.Cell[:i]], p.bases.class(st.Cell))
			}
		}
		var classes []int32
		for i, param := range g.Params {
			if param.Role == effect.BaseOnly {
				classes = append(classes, p.bases.class(paramCell(g.ID, i)))
			}
		}
		p.bases.separate(classes)
	}
	for _, classes := range held {
		p.bases.separate(classes)
	}
}

// separate notes that all these classes are held at once.
func (b *bases) separate(classes []int32) {
	for _, x := range classes {
		for _, y := range classes {
			if x != y {
				b.apart[[2]int32{x, y}] = true
			}
		}
	}
}

// likelySame reports whether two classes that were not united may still be the same database: neither is known to be
// held beside another.
func (b *bases) likelySame(x, y int32) bool {
	for pair := range b.apart {
		if pair[0] == x || pair[0] == y {
			return false
		}
	}
	return true
}

func storesBase(st effect.Store) bool {
	for _, r := range st.Value {
		if canBeBase(r.Role) {
			return true
		}
	}
	return false
}
