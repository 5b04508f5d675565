package effect

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/model"
)

// A Program is a set of packages whose interface calls have been resolved.
type Program struct {
	Packages []*Package
	Graphs   map[FuncID]*Graph
	// Targets are the functions that a call of an interface method can reach: methods of the program's own types, and
	// library methods, as graphs of one effect.
	Targets map[MethodKey][]FuncID
	// PackageOf finds a graph's package.
	PackageOf map[*Graph]*Package
}

// A Linker resolves interface calls. Types are those that can be implementations.
type Linker struct {
	Models     *model.Set
	Interfaces map[string]*types.Interface
	// Library are modelled library methods that are used as values.
	Library map[FuncID]*types.Func
	// Types are the packages whose types count as implementations.
	Types []*types.Package

	program *Program
	byName  map[string][]*candidate // by method name
}

// A candidate is a type that can be an implementation. Looking up methods by their types is slow, and an interface of
// hundreds of methods is asked about once for each: so names are compared first, and answers are kept.
type candidate struct {
	named   *types.Named
	methods map[string]bool // by name
	answers map[*types.Interface]bool
}

// implements reports whether a pointer to the type satisfies the interface.
func (c *candidate) implements(iface *types.Interface) bool {
	answer, known := c.answers[iface]
	if !known {
		answer = c.hasAll(iface) && implements(c.named, iface)
		c.answers[iface] = answer
	}
	return answer
}

// hasAll reports whether the type has methods of the names that an interface asks for.
func (c *candidate) hasAll(iface *types.Interface) bool {
	for m := range iface.Methods() {
		if !c.methods[m.Name()] {
			return false
		}
	}
	return true
}

// Link makes a program out of packages.
func (l *Linker) Link(packages []*Package) *Program {
	slices.SortFunc(packages, func(a, b *Package) int { return cmp.Compare(a.Path, b.Path) })
	l.program = &Program{Packages: packages, Graphs: map[FuncID]*Graph{}, Targets: map[MethodKey][]FuncID{}, PackageOf: map[*Graph]*Package{}}
	for _, p := range packages {
		for _, g := range p.Graphs {
			if l.program.Graphs[g.ID] == nil {
				l.program.Graphs[g.ID] = g
				l.program.PackageOf[g] = p
			}
		}
	}
	for id, fn := range l.Library {
		if l.program.Graphs[id] == nil {
			l.libraryGraph(fn, l.Models.Lookup(fn))
		}
	}
	l.collectTypes()
	for _, p := range packages {
		for _, key := range p.Handlers {
			l.resolve(key)
		}
		for _, g := range p.Graphs {
			l.linkGraph(g)
		}
	}
	return l.program
}

// collectTypes indexes the types that can be implementations by the names of their methods.
func (l *Linker) collectTypes() {
	l.byName = map[string][]*candidate{}
	for _, p := range l.Types {
		scope := p.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			named, ok := tn.Type().(*types.Named)
			if !ok || types.IsInterface(named) || isDouble(named) {
				continue
			}
			c := &candidate{named: named, methods: map[string]bool{}, answers: map[*types.Interface]bool{}}
			for _, m := range methodNames(named) {
				c.methods[m] = true
				l.byName[m] = append(l.byName[m], c)
			}
		}
	}
}

// isDouble reports whether a type stands in for the real thing: in tests, or in the memory of the process.
func isDouble(named *types.Named) bool {
	name := strings.ToLower(named.Obj().Name())
	pkg := strings.ToLower(named.Obj().Pkg().Name())
	if strings.HasPrefix(pkg, "test") || strings.HasSuffix(pkg, "test") || strings.HasPrefix(name, "inmemory") {
		return true
	}
	for _, word := range []string{"mock", "fake", "stub", "spy"} {
		if strings.HasPrefix(name, word) || strings.HasSuffix(name, word) || strings.HasPrefix(pkg, word) || strings.HasSuffix(pkg, word+"s") || strings.HasSuffix(pkg, word) {
			return true
		}
	}
	if st, ok := named.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Embedded() && typeName(deref(f.Type())) == "github.com/stretchr/testify/mock.Mock" {
				return true
			}
		}
	}
	return false
}

func methodNames(named *types.Named) []string {
	set := types.NewMethodSet(types.NewPointer(named))
	names := make([]string, 0, set.Len())
	for sel := range set.Methods() {
		names = append(names, sel.Obj().Name())
	}
	return names
}

func (l *Linker) linkGraph(g *Graph) {
	for i := range g.Closures {
		l.resolve(g.Closures[i].Method)
	}
	for b := range g.Blocks {
		for n := range g.Blocks[b].Nodes {
			l.resolve(g.Blocks[b].Nodes[n].Method)
		}
	}
}

// resolve finds the targets of an interface method once.
func (l *Linker) resolve(key MethodKey) {
	if key.IsZero() {
		return
	}
	if _, done := l.program.Targets[key]; done {
		return
	}
	l.program.Targets[key] = nil
	iface := l.Interfaces[key.Iface]
	if iface == nil {
		return
	}
	var ids []FuncID
	for _, c := range l.byName[key.Name] {
		if !c.implements(iface) {
			continue
		}
		if id := l.target(c.named, key.Name); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	l.program.Targets[key] = l.withoutTwins(ids)
}

// withoutTwins leaves out library methods that do the same as an earlier one: an interface over the connections, pools
// and transactions of one library has several, and each would double the work.
func (l *Linker) withoutTwins(ids []FuncID) []FuncID {
	var kept []FuncID
	for _, id := range ids {
		g := l.program.Graphs[id]
		if !slices.ContainsFunc(kept, func(other FuncID) bool { return l.twins(g, l.program.Graphs[other]) }) {
			kept = append(kept, id)
		}
	}
	return kept
}

// twins reports whether two graphs of library methods differ by their names only.
func (l *Linker) twins(a, b *Graph) bool {
	if l.program.PackageOf[a] != nil || l.program.PackageOf[b] != nil || !slices.Equal(a.Results, b.Results) || len(a.Params) != len(b.Params) {
		return false
	}
	x, y := *a.Blocks[0].Nodes[0].Effect, *b.Blocks[0].Nodes[0].Effect
	x.Symbol, y.Symbol = "", ""
	return reflect.DeepEqual(x, y) && reflect.DeepEqual(a.Returns, b.Returns)
}

// implements reports whether a pointer to named satisfies the interface. Generic interfaces and types are compared by
// the names and the number of parameters of their methods, since their instances are not known here.
func implements(named *types.Named, iface *types.Interface) bool {
	ptr := types.NewPointer(named)
	if named.TypeParams().Len() == 0 && types.Implements(ptr, iface) {
		return true
	}
	if named.TypeParams().Len() == 0 && !mentionsTypeParam(iface) {
		return false
	}
	for m := range iface.Methods() {
		obj, _, _ := types.LookupFieldOrMethod(ptr, true, m.Pkg(), m.Name())
		fn, ok := obj.(*types.Func)
		if !ok || fn.Signature().Params().Len() != m.Signature().Params().Len() || fn.Signature().Results().Len() != m.Signature().Results().Len() {
			return false
		}
	}
	return iface.NumMethods() > 0
}

func mentionsTypeParam(iface *types.Interface) bool {
	for m := range iface.Methods() {
		for _, tuple := range []*types.Tuple{m.Signature().Params(), m.Signature().Results()} {
			for v := range tuple.Variables() {
				if hasTypeParam(v.Type(), 0) {
					return true
				}
			}
		}
	}
	return false
}

func hasTypeParam(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return hasTypeParam(t.Elem(), depth+1)
	case *types.Slice:
		return hasTypeParam(t.Elem(), depth+1)
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if hasTypeParam(a, depth+1) {
				return true
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			if hasTypeParam(v.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// target gives the function that implements a method of a type: one of the program, or a modelled library method.
func (l *Linker) target(named *types.Named, method string) FuncID {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), method)
	fn, ok := obj.(*types.Func)
	if !ok {
		return ""
	}
	if id := idOfObject(fn); l.program.Graphs[id] != nil {
		return id
	}
	if rows := l.Models.Lookup(fn); len(rows) > 0 {
		return l.libraryGraph(fn, rows)
	}
	return ""
}

// libraryGraph makes a graph of a modelled library method: one effect that goes through its parameters.
func (l *Linker) libraryGraph(fn *types.Func, rows []*model.Row) FuncID {
	id := idOfObject(fn)
	row := rows[0]
	switch row.Effect {
	case model.Ignore, model.Builder, model.Construct, model.Lock, model.Handle, model.Commits, model.Dispatch, model.Wait:
		return ""
	}
	if row.Kind == model.Command || row.Kind == model.Script { // what it does stands in the call
		return ""
	}
	sig := fn.Signature()
	g := &Graph{ID: id, Name: displayObject(fn), Pkg: fn.Pkg().Path(), Wrapper: true, Method: true, Vars: 1}
	g.Params = append(g.Params, Param{Name: "recv"})
	node := Node{ID: 1, Op: OpEffect, Label: displayObject(fn), Out: []Var{1}}
	node.Args = append(node.Args, Roots{{Kind: ParamRoot}})
	for i := range sig.Params().Len() {
		g.Params = append(g.Params, Param{Name: sig.Params().At(i).Name()})
		g.Origins = append(g.Origins, Origin{Kind: ParamOrigin, Index: i + 1})
		node.Args = append(node.Args, Roots{{Kind: ParamRoot, Index: i + 1}})
		node.ArgData = append(node.ArgData, Origins{i})
	}
	node.Effect = libraryEffect(rows, sig)
	node.Effect.KeyUse = handedKey(l.Models, row, sig)
	ret := make([]Operand, sig.Results().Len())
	for i := range ret {
		kind := OpaqueResult
		if types.Identical(types.Unalias(sig.Results().At(i).Type()), errorType) {
			kind, ret[i] = ErrorResult, Operand{Var: 1}
		}
		g.Results = append(g.Results, kind)
		g.Returns = append(g.Returns, libraryResult(node.Effect, i))
		g.ReturnData = append(g.ReturnData, nil)
	}
	live := Bits{}
	g.Blocks = []Block{{Nodes: []Node{node}, Exit: Return, Return: ret, Live: live}}
	l.program.Graphs[id] = g
	return id
}

func libraryEffect(rows []*model.Row, sig *types.Signature) *Effect {
	row := rows[0]
	e := &Effect{Kind: row.Effect, Symbol: row.Symbol, Tier: row.Tier, Async: row.Async, Joins: row.Joins, Typed: row.Typed, Queued: row.Queued,
		Cumulative: row.Cumulative, Verb: verbOf(row.Verb)}
	e.Pays, e.Once, e.Request = row.Kind == model.Payment, row.Kind == model.Once, handedRequest(row)
	if e.Exists = row.Effect == model.Lookup; !row.Effect.OfKey() {
		e.Handle = argRoots(row.Handle)
	}
	if e.Kind == model.Receive && row.Settles == model.AsMade {
		e.Settles = row.Settles
	}
	if !row.Closure.IsZero() && row.Closure.Field == "" {
		e.Closure = argRoots(row.Closure)
	}
	if !row.SQL.IsZero() {
		e.Text = argRoots(row.SQL)
	}
	for _, r := range rows {
		if !r.Scope.IsZero() && r.Effect == row.Effect {
			e.Scopes = append(e.Scopes, r.Scope)
		}
	}
	for i := range sig.Params().Len() {
		if !isContext(sig.Params().At(i).Type()) {
			e.Message = e.Message.add(i)
		}
	}
	return e
}

func argRoots(a model.Arg) Roots {
	switch a.Kind {
	case model.Param:
		return Roots{{Kind: ParamRoot, Index: a.Index + 1}}
	default:
		return Roots{{Kind: ParamRoot}}
	}
}

func libraryResult(e *Effect, i int) Roots {
	for _, s := range e.Scopes {
		if e.Kind == model.Begin && s.Kind == model.Result && s.Index == i {
			return Roots{{Kind: ScopeRoot, Node: 1}}
		}
	}
	return Roots{{Kind: ParamRoot}}
}
