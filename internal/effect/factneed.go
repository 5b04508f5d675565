package effect

import (
	"cmp"
	"slices"

	"github.com/dmlint/dmlint/internal/model"
)

// A keeper chooses what goes into a package's fact: of its own graphs those that can matter to anybody, of those below it
// the ones that its own lead to.
type keeper struct {
	program *Program
	own     *Package
	// kept are the package's own graphs that can matter; read the fields and globals that these look at.
	kept map[FuncID]bool
	read map[string]bool
	// hot are the fields and globals that are known to hold something that matters, writers the graphs that put it there.
	hot     map[string]bool
	writers map[string][]*Graph

	full, shallow map[FuncID]bool // what else is needed: with what it calls, or by itself
}

// newKeeper looks at a linked program from one of its packages.
func newKeeper(program *Program, own *Package) *keeper {
	k := &keeper{program: program, own: own, kept: map[FuncID]bool{}, read: map[string]bool{}, hot: map[string]bool{},
		writers: map[string][]*Graph{}, full: map[FuncID]bool{}, shallow: map[FuncID]bool{}}
	for _, p := range program.Packages {
		for _, g := range p.Graphs {
			for _, st := range g.Stores {
				if slices.ContainsFunc(st.Value, lasting) {
					k.hot[st.Cell] = true
				}
				k.writers[st.Cell] = append(k.writers[st.Cell], g)
			}
		}
	}
	k.chooseOwn()
	return k
}

// lasting reports whether a root is something that a caller can need to know of: a handle, a function, a publisher. What
// comes in by a parameter of a plain type is handed on without a graph.
func lasting(r Root) bool {
	switch r.Kind {
	case ScopeRoot, KindRoot, FuncRoot, TypeRoot:
		return true
	}
	switch r.Role {
	case BaseOnly, TxOnly, EitherType, FuncType:
		return true
	}
	return false
}

// chooseOwn finds the package's own graphs that matter: each may make others matter.
func (k *keeper) chooseOwn() {
	for changed := true; changed; {
		changed = false
		for _, g := range k.own.Graphs {
			if !k.kept[g.ID] && k.matters(g) {
				k.kept[g.ID] = true
				eachRoot(g, func(r Root) { k.read[cellRead(r)] = true })
				changed = true
			}
		}
	}
}

// cellRead names the field or global that a root reads, or "".
func cellRead(r Root) string {
	switch {
	case r.Field != "":
		return r.Field
	case r.Kind == GlobalRoot:
		return r.Name
	}
	return ""
}

// eachRoot calls f for every root in a graph.
func eachRoot(g *Graph, f func(r Root)) {
	all := func(sets ...Roots) {
		for _, rs := range sets {
			for _, r := range rs {
				f(r)
			}
		}
	}
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			all(n.Fun, n.Tested)
			all(n.Calls...)
			all(n.Args...)
			if e := n.Effect; e != nil {
				all(e.Handle, e.Text, e.Closure)
			}
		}
	}
	for i := range g.Closures {
		all(g.Closures[i].Bound)
		all(g.Closures[i].Env...)
	}
	for i := range g.Stores {
		all(g.Stores[i].Value)
	}
	all(g.Returns...)
}

// known reports whether a function has a graph that matters.
func (k *keeper) known(id FuncID) bool {
	if g := k.program.Graphs[id]; g == nil || k.program.PackageOf[g] == k.own {
		return k.kept[id]
	}
	return true
}

// matters reports whether somebody who calls a function needs its graph.
func (k *keeper) matters(g *Graph) bool {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if k.nodeMatters(g, &g.Blocks[b].Nodes[i]) {
				return true
			}
		}
	}
	for i := range g.Closures {
		if k.siteMatters(&g.Closures[i]) {
			return true
		}
	}
	for i := range g.Stores {
		if k.storeMatters(g, &g.Stores[i]) {
			return true
		}
	}
	for _, rs := range g.Returns {
		if slices.ContainsFunc(rs, func(r Root) bool { return k.rootMatters(g, r) }) {
			return true
		}
	}
	return neverNil(g)
}

func (k *keeper) nodeMatters(g *Graph, n *Node) bool {
	if n.Effect != nil || n.Op == OpPresence || !n.Method.IsZero() || n.Callee != "" && k.known(n.Callee) {
		return true
	}
	callable := func(r Root) bool { return r.Kind != FuncRoot || k.siteMatters(&g.Closures[r.Index]) }
	return slices.ContainsFunc(n.Fun, callable) ||
		slices.ContainsFunc(n.Calls, func(rs Roots) bool { return slices.ContainsFunc(rs, callable) })
}

func (k *keeper) siteMatters(s *ClosureSite) bool { return !s.Method.IsZero() || k.known(s.Fn) }

func (k *keeper) rootMatters(g *Graph, r Root) bool {
	if r.Kind == FuncRoot {
		return k.siteMatters(&g.Closures[r.Index])
	}
	return lasting(r) || k.hot[cellRead(r)]
}

// storeMatters reports whether an assignment tells somebody something: a handle or a function to all, anything else
// only to those who look at the place.
func (k *keeper) storeMatters(g *Graph, st *Store) bool {
	return k.read[st.Cell] || slices.ContainsFunc(st.Value, func(r Root) bool { return k.rootMatters(g, r) })
}

// neverNil recognises constructors of errors: that their result is no nil decides which way a caller goes.
func neverNil(g *Graph) bool {
	for i, kind := range g.Results {
		if kind != ErrorResult {
			continue
		}
		returns := 0
		for b := range g.Blocks {
			if g.Blocks[b].Exit != Return {
				continue
			}
			if returns++; i >= len(g.Blocks[b].Return) || g.Blocks[b].Return[i].Const != NonZero {
				return false
			}
		}
		return returns > 0
	}
	return false
}

// payload collects what the kept graphs lead to, and some further functions and interface methods.
func (k *keeper) payload(further []FuncID, methods []MethodKey) *payload {
	for _, g := range k.own.Graphs {
		if k.kept[g.ID] {
			k.follow(g)
		}
	}
	for _, id := range further {
		k.need(id)
	}
	p := &payload{}
	targets := map[MethodKey]bool{}
	for _, m := range methods {
		k.needTargets(m)
		targets[m] = true
	}
	for _, pkg := range k.program.Packages {
		if slim := k.slimPackage(pkg, targets); slim != nil {
			p.Packages = append(p.Packages, slim)
		}
	}
	slices.SortFunc(p.Packages, func(a, b *Package) int {
		return cmp.Or(boolCompare(a.Path != k.own.Path, b.Path != k.own.Path), cmp.Compare(a.Path, b.Path))
	})
	k.addTargets(p, targets)
	return p
}

// need takes in a function of another package with everything that it leads to.
func (k *keeper) need(id FuncID) {
	g := k.program.Graphs[id]
	if g == nil || k.full[id] || k.program.PackageOf[g] == k.own {
		return
	}
	k.full[id] = true
	k.follow(g)
}

// follow takes in what a graph leads to: what it calls, the closures it makes, and those who fill the fields and globals
// that it looks at.
func (k *keeper) follow(g *Graph) {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			k.need(n.Callee)
			k.needTargets(n.Method)
		}
	}
	for i := range g.Closures {
		k.need(g.Closures[i].Fn)
		k.needTargets(g.Closures[i].Method)
	}
	eachRoot(g, func(r Root) {
		if cell := cellRead(r); k.hot[cell] {
			for _, w := range k.writers[cell] {
				k.needStores(w)
			}
		}
	})
}

func (k *keeper) needTargets(m MethodKey) {
	for _, id := range k.program.Targets[m] {
		k.need(id)
	}
}

// needStores takes in a function for what it stores: it itself, the closures it makes and the functions whose results it
// stores, but not all else that it calls. Constructors would bring in whole programs.
func (k *keeper) needStores(g *Graph) {
	if k.shallow[g.ID] || k.full[g.ID] || k.program.PackageOf[g] == k.own {
		return
	}
	k.shallow[g.ID] = true
	calls := map[int]bool{}
	for i := range g.Stores {
		for _, r := range g.Stores[i].Value {
			switch r.Kind {
			case CallRoot:
				calls[r.Node] = true
			case FuncRoot:
				k.need(g.Closures[r.Index].Fn)
				k.needTargets(g.Closures[r.Index].Method)
			}
		}
	}
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if n := &g.Blocks[b].Nodes[i]; calls[n.ID] {
				k.need(n.Callee)
				k.needTargets(n.Method)
			}
		}
	}
}

// slimPackage copies a package with the graphs that are needed of it, or gives nil where none are. It notes the interface
// methods that these call.
func (k *keeper) slimPackage(pkg *Package, targets map[MethodKey]bool) *Package {
	out := &Package{Path: pkg.Path, Name: pkg.Name, Generator: pkg.Generator, Harness: pkg.Harness, Handlers: pkg.Handlers, Settings: ruled(pkg.Settings), Decoded: pkg.Decoded}
	for _, g := range pkg.Graphs {
		switch {
		case pkg == k.own && k.kept[g.ID]:
			out.Graphs = append(out.Graphs, k.slim(g))
		case pkg != k.own && (k.full[g.ID] || k.shallow[g.ID]):
			out.Graphs = append(out.Graphs, g)
		default:
			continue
		}
		eachMethod(g, func(m MethodKey) { targets[m] = true })
	}
	if len(out.Graphs) > 0 {
		out.Files = factFiles(pkg)
	}
	if len(out.Graphs) == 0 && pkg.Generator == "" {
		return nil
	}
	return out
}

// eachMethod calls f for every interface method that a graph calls or takes the value of.
func eachMethod(g *Graph, f func(m MethodKey)) {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if m := g.Blocks[b].Nodes[i].Method; !m.IsZero() {
				f(m)
			}
		}
	}
	for i := range g.Closures {
		if m := g.Closures[i].Method; !m.IsZero() {
			f(m)
		}
	}
}

// addTargets notes the implementations that are known of the interface methods, with the graphs of library methods.
func (k *keeper) addTargets(p *payload, methods map[MethodKey]bool) {
	library := map[FuncID]bool{}
	for m := range methods {
		ids := k.program.Targets[m]
		if len(ids) == 0 {
			continue
		}
		p.Targets = append(p.Targets, methodTargets{m, slices.Clone(ids)})
		for _, id := range ids {
			if g := k.program.Graphs[id]; g != nil && k.program.PackageOf[g] == nil && !library[id] {
				library[id] = true
				p.Library = append(p.Library, g)
			}
		}
	}
	slices.SortFunc(p.Targets, func(a, b methodTargets) int {
		return cmp.Or(cmp.Compare(a.Method.Iface, b.Method.Iface), cmp.Compare(a.Method.Name, b.Method.Name))
	})
	slices.SortFunc(p.Library, func(a, b *Graph) int { return cmp.Compare(a.ID, b.ID) })
}

// ruled keeps the settings that rules look at.
func ruled(all []Setting) []Setting {
	return slices.DeleteFunc(slices.Clone(all), func(s Setting) bool {
		return s.Does != model.Limits && s.Does != model.Subscribes && s.Does != model.Retries
	})
}
