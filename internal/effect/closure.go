package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// closureRoots makes a closure site for a function value.
func (b *funcBuilder) closureRoots(v ssa.Value) Roots {
	site := ClosureSite{}
	switch v := v.(type) {
	case *ssa.Function:
		target, bound := unwrap(v)
		site.Fn, site.IsBound = idOf(target), bound
		b.setInterfaceMethod(&site, v)
	case *ssa.MakeClosure:
		fn := v.Fn.(*ssa.Function)
		target, bound := unwrap(fn)
		site.Fn, site.IsBound = idOf(target), bound
		if bound || fn.Synthetic != "" {
			if obj, ok := target.Object().(*types.Func); ok && len(b.Models.Lookup(obj)) > 0 {
				b.Library[site.Fn] = obj
			}
			site.IsBound = true
			site.Bound = b.unionRoots(v.Bindings...)
			b.setInterfaceMethod(&site, fn)
			break
		}
		for _, binding := range v.Bindings {
			site.Env = append(site.Env, b.rootsOf(binding))
			site.CellEnv = append(site.CellEnv, b.closureCell(binding))
		}
	}
	b.g.Closures = append(b.g.Closures, site)
	return Roots{{Kind: FuncRoot, Index: len(b.g.Closures) - 1}}
}

// closureCell follows a captured variable if its outcome can matter.
func (b *funcBuilder) closureCell(v ssa.Value) Var {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		if _, isPtr := v.Type().Underlying().(*types.Pointer); isPtr {
			return b.cell(v)
		}
	}
	return 0
}

// unwrap finds the method behind a bound-method wrapper or thunk.
func unwrap(fn *ssa.Function) (target *ssa.Function, bound bool) {
	if fn.Synthetic == "" || fn.Blocks == nil {
		return fn, false
	}
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if callee := call.Common().StaticCallee(); callee != nil {
					return callee, len(fn.FreeVars) > 0
				}
			}
		}
	}
	return fn, false
}

func (b *funcBuilder) setInterfaceMethod(site *ClosureSite, fn *ssa.Function) {
	if fn.Synthetic == "" {
		return
	}
	for _, block := range fn.Blocks {
		for _, instr := range block.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Common().IsInvoke() {
				site.Method = b.methodKey(call.Common())
				site.IsBound = len(fn.FreeVars) > 0
			}
		}
	}
}

// storedByClosure finds what a closure assigns to a captured variable, as far as it is a result of the closure's own
// parameters: `func(tx) { captured = tx }` escapes provenance and is left out; constants and calls bring nothing.
func (b *funcBuilder) storedByClosure(mc *ssa.MakeClosure, a *ssa.Alloc) Roots {
	fn := mc.Fn.(*ssa.Function)
	for _, captured := range capturedAs(mc, a) {
		for _, ref := range *captured.Referrers() {
			st, ok := ref.(*ssa.Store)
			if !ok || st.Addr != captured {
				continue
			}
			if free, ok := st.Val.(*ssa.FreeVar); ok {
				if j := freeIndex(fn, free); j >= 0 && j < len(mc.Bindings) {
					return b.rootsOf(mc.Bindings[j])
				}
			}
		}
	}
	return nil
}

// capturedAs lists the free variables in which a closure holds a value of the function that makes it.
func capturedAs(mc *ssa.MakeClosure, v ssa.Value) []*ssa.FreeVar {
	var held []*ssa.FreeVar
	for i, binding := range mc.Bindings {
		if fn := mc.Fn.(*ssa.Function); binding == v && i < len(fn.FreeVars) {
			held = append(held, fn.FreeVars[i])
		}
	}
	return held
}

func freeIndex(fn *ssa.Function, v *ssa.FreeVar) int {
	for i, f := range fn.FreeVars {
		if f == v {
			return i
		}
	}
	return -1
}
