package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// idOf names an SSA function for the whole program. Instances of generic functions share the ID of their origin.
func idOf(fn *ssa.Function) FuncID {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if parent := fn.Parent(); parent != nil {
		_, suffix, _ := strings.Cut(fn.Name(), "$")
		return idOf(outermost(fn)) + FuncID("$"+suffix)
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return idOfObject(obj)
	}
	return FuncID(model.Normalise(fn.RelString(nil)))
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// idOfObject names a declared function or method.
func idOfObject(obj *types.Func) FuncID { return FuncID(model.SymbolOf(obj)) }

// displayName writes a function for people: "pkg.(*T).Method", with the package's name.
func displayName(fn *ssa.Function) string {
	if fn.Parent() != nil {
		_, suffix, _ := strings.Cut(fn.Name(), "$")
		return displayName(outermost(fn)) + "$" + suffix
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return fn.Name()
	}
	return displayObject(obj)
}

func displayObject(obj *types.Func) string {
	pkg := ""
	if obj.Pkg() != nil {
		pkg = obj.Pkg().Name() + "."
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return pkg + obj.Name()
	}
	t, star := recv.Type(), ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	name := ""
	if named, ok := types.Unalias(t).(*types.Named); ok {
		name = named.Obj().Name()
	}
	if star == "" {
		return pkg + name + "." + obj.Name()
	}
	return pkg + "(*" + name + ")." + obj.Name()
}

// typeName writes a named type as models do: "database/sql.Tx"; "" for others.
func typeName(t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}

// deref strips one pointer.
func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// cellName names a struct field program-wide: "pkg.T.f".
func cellName(owner types.Type, field int) (name string, fieldType types.Type) {
	owner = deref(owner)
	st, ok := owner.Underlying().(*types.Struct)
	if !ok || field >= st.NumFields() {
		return "", nil
	}
	f := st.Field(field)
	base := typeName(owner)
	if base == "" {
		base = "struct"
	}
	return base + "." + f.Name(), f.Type()
}
