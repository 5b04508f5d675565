package effect

import (
	"go/types"
	"slices"
	"strings"
)

// completeTargets adds to a linked program what the facts know of interface methods and this package's types do not show:
// implementations by unexported types, or by types of packages out of sight. An implementation of one interface is one of
// every other that the first satisfies.
func (u *unit) completeTargets(program *Program, ifaces map[string]*types.Interface) {
	for _, id := range sortedKeys(u.below.library) {
		if program.Graphs[id] == nil {
			program.Graphs[id] = u.below.library[id]
		}
	}
	byName := map[string][]MethodKey{}
	for m := range u.below.targets {
		u.addInterface(ifaces, m.Iface)
		byName[m.Name] = append(byName[m.Name], m)
	}
	for m, ids := range program.Targets {
		for _, other := range byName[m.Name] {
			if other != m && !satisfies(ifaces[other.Iface], ifaces[m.Iface]) {
				continue
			}
			for _, id := range u.below.targets[other] {
				if program.Graphs[id] != nil {
					ids = append(ids, id)
				}
			}
		}
		slices.Sort(ids)
		program.Targets[m] = slices.Compact(ids)
	}
}

func satisfies(have, want *types.Interface) bool {
	return have != nil && want != nil && want.NumMethods() > 0 && types.Implements(have, want)
}

// provide notes which interfaces of the program the package's own types implement, unexported ones above all: nobody else
// can see those. It lists the methods that it has found implementations of.
func (u *unit) provide(program *Program) []MethodKey {
	var methods []MethodKey
	for _, named := range namedTypes(u.pass.Pkg) {
		if types.IsInterface(named) || isDouble(named) {
			continue
		}
		for _, iface := range u.interfacesInSight() {
			if it := iface.Underlying().(*types.Interface); implements(named, it) {
				for m := range it.Methods() {
					if id := methodID(named, m.Name()); program.Graphs[id] != nil {
						key := MethodKey{typeName(iface), m.Name()}
						program.addTarget(key, id)
						methods = append(methods, key)
					}
				}
			}
		}
	}
	return methods
}

// addTarget notes an implementation of an interface method.
func (p *Program) addTarget(m MethodKey, id FuncID) {
	if i, found := slices.BinarySearch(p.Targets[m], id); !found {
		p.Targets[m] = slices.Insert(slices.Clip(p.Targets[m]), i, id)
	}
}

// methodID names the function that a method of a type is, promoted ones by the type that declares them.
func methodID(named *types.Named, method string) FuncID {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), method)
	if fn, ok := obj.(*types.Func); ok {
		return idOfObject(fn)
	}
	return ""
}

// interfacesInSight are the named interfaces of the program: of this package and of those below it.
func (u *unit) interfacesInSight() []*types.Named {
	if u.interfaces != nil {
		return u.interfaces
	}
	u.interfaces = []*types.Named{}
	collect := func(p *types.Package) {
		for _, named := range namedTypes(p) {
			if it, ok := named.Underlying().(*types.Interface); ok && it.NumMethods() > 0 {
				u.interfaces = append(u.interfaces, named)
			}
		}
	}
	collect(u.pass.Pkg)
	for _, path := range sortedKeys(u.visible) {
		if u.inProgram(path) {
			collect(u.visible[path])
		}
	}
	return u.interfaces
}

// namedTypes lists the types that a package declares, in the order of their names.
func namedTypes(p *types.Package) []*types.Named {
	var out []*types.Named
	for _, name := range p.Scope().Names() {
		if tn, ok := p.Scope().Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if named, ok := tn.Type().(*types.Named); ok {
				out = append(out, named)
			}
		}
	}
	return out
}

// exposed lists the functions and interface methods of other packages that callers can reach through this package's types
// without importing theirs: the methods of what its exported functions, variables and fields give.
func (u *unit) exposed() (funcs []FuncID, methods []MethodKey) {
	e := &exposure{below: u.below, own: u.pass.Pkg, seen: map[types.Type]bool{}, named: map[string]bool{}}
	scope := u.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj.Exported() {
			e.visit(obj.Type())
		}
	}
	for _, p := range u.below.packages {
		for _, g := range p.Graphs {
			if recv, ok := receiverType(g.ID); ok && e.named[recv] {
				funcs = append(funcs, g.ID)
			}
		}
	}
	for m := range u.below.targets {
		if e.named[m.Iface] {
			methods = append(methods, m)
		}
	}
	slices.Sort(funcs)
	return slices.Compact(funcs), methods
}

// receiverType takes "pkg.T" out of the name of a method "(pkg.T).M", its closures included.
func receiverType(id FuncID) (string, bool) {
	rest, ok := strings.CutPrefix(string(id), "(")
	end := strings.IndexByte(rest, ')')
	if !ok || end < 0 {
		return "", false
	}
	return rest[:end], true
}

// exposure walks over types as far as callers can get.
type exposure struct {
	below *facts
	own   *types.Package
	seen  map[types.Type]bool
	named map[string]bool // the types of other packages with graphs
}

func (e *exposure) visit(t types.Type) {
	t = types.Unalias(t)
	if e.seen[t] {
		return
	}
	e.seen[t] = true
	switch t := t.(type) {
	case *types.Pointer:
		e.visit(t.Elem())
	case *types.Slice:
		e.visit(t.Elem())
	case *types.Array:
		e.visit(t.Elem())
	case *types.Chan:
		e.visit(t.Elem())
	case *types.Map:
		e.visit(t.Key())
		e.visit(t.Elem())
	case *types.Signature:
		e.visitTuple(t.Results())
		e.visitCallbacks(t.Params())
	case *types.Interface:
		for m := range t.Methods() {
			e.visit(m.Signature())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				e.visit(f.Type())
			}
		}
	case *types.Named:
		e.visitNamed(t)
	}
}

func (e *exposure) visitTuple(t *types.Tuple) {
	for v := range t.Variables() {
		e.visit(v.Type())
	}
}

// visitCallbacks visits what the functions that a caller passes are given.
func (e *exposure) visitCallbacks(params *types.Tuple) {
	for v := range params.Variables() {
		if fn, ok := v.Type().Underlying().(*types.Signature); ok {
			e.visitTuple(fn.Params())
		}
	}
}

func (e *exposure) visitNamed(t *types.Named) {
	pkg := t.Obj().Pkg()
	if pkg == nil || pkg != e.own && e.below.packages[pkg.Path()] == nil {
		return
	}
	if pkg != e.own {
		e.named[typeName(t)] = true
	}
	for a := range t.TypeArgs().Types() {
		e.visit(a)
	}
	for m := range t.Methods() {
		if m.Exported() {
			e.visit(m.Signature())
		}
	}
	e.visit(t.Underlying())
}
