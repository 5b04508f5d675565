package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// calledBack is the function that a library calls: the argument itself, or the named method or field of what it holds.
// An object that is registered without a method's name is called by all methods that it exports: a workflow engine's
// activities.
func (b *funcBuilder) calledBack(v ssa.Value, method string) Roots {
	if method != "" {
		return b.calledOn(v, method, 0)
	}
	mi, ok := v.(*ssa.MakeInterface)
	if !ok || b.role(mi.X.Type()) == FuncType {
		return b.rootsOf(v)
	}
	named, ok := types.Unalias(deref(mi.X.Type())).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !b.programPackage(named.Obj().Pkg().Path()) {
		return b.rootsOf(v)
	}
	var rs Roots
	set := types.NewMethodSet(mi.X.Type())
	for sel := range set.Methods() {
		if fn := sel.Obj().(*types.Func); fn.Exported() {
			rs = append(rs, b.boundSite(fn, mi.X)) // all of them: an object has more than a set of roots holds
		}
	}
	return rs
}

func (b *funcBuilder) boundSite(fn *types.Func, recv ssa.Value) Root {
	return b.addSite(ClosureSite{Fn: idOfObject(fn), IsBound: true, Bound: b.rootsOf(recv)})
}

func (b *funcBuilder) addSite(site ClosureSite) Root {
	b.g.Closures = append(b.g.Closures, site)
	return Root{Kind: FuncRoot, Index: len(b.g.Closures) - 1}
}

// maxWrapped bounds how many wrappers a handler is looked for in.
const maxWrapped = 6

// calledOn finds the named method of the objects that v is or holds. Where only an interface is known, any of its
// implementations can be meant.
func (b *funcBuilder) calledOn(v ssa.Value, method string, depth int) Roots {
	var inner []ssa.Value
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return b.methodOf(x.X, method)
	case *ssa.ChangeInterface:
		inner = []ssa.Value{x.X}
	case *ssa.Phi:
		inner = x.Edges
	case *ssa.Slice: // variadic
		if a, ok := x.X.(*ssa.Alloc); ok {
			inner = b.contentOf(a).whole
		}
	case *ssa.Call: // a library's wrapper around the handler, a tracer's
		if fn, _ := unwrap(x.Common().StaticCallee()); fn != nil && !b.inProgram(fn) {
			inner = x.Common().Args
		}
	}
	var rs Roots
	for _, in := range inner {
		if depth < maxWrapped {
			rs = rs.add(b.calledOn(in, method, depth+1)...)
		}
	}
	if len(rs) > 0 {
		return rs
	}
	return b.methodOf(v, method)
}

// methodOf is the named method of v, or the function in the field of that name. A function with a method is called by it.
func (b *funcBuilder) methodOf(v ssa.Value, method string) Roots {
	if s, ok := v.Type().Underlying().(*types.Slice); ok && types.IsInterface(s.Elem()) {
		return Roots{b.interfaceSite(v, s.Elem(), method)}
	}
	obj, path, _ := types.LookupFieldOrMethod(v.Type(), true, b.in.SSA.Pkg, method)
	switch obj := obj.(type) {
	case *types.Var:
		if obj.IsField() && len(path) == 1 {
			return b.fieldRoots(v, path[0])
		}
	case *types.Func:
		if types.IsInterface(v.Type()) {
			return Roots{b.interfaceSite(v, v.Type(), method)}
		}
		if b.role(v.Type()) == FuncType {
			return b.rootsOf(v)
		}
		return Roots{b.boundSite(obj, v)}
	}
	return nil
}

// interfaceSite is the method of an object of which only the interface t is known.
func (b *funcBuilder) interfaceSite(v ssa.Value, t types.Type, method string) Root {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		t = named.Origin()
	}
	name := typeName(t)
	if name == "" {
		name = types.TypeString(t, nil)
	}
	b.Interfaces[name] = t.Underlying().(*types.Interface)
	return b.addSite(ClosureSite{Method: MethodKey{Iface: name, Name: method}, IsBound: true, Bound: b.rootsOf(v)})
}
