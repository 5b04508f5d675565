package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// findDispatch makes the call of a mediator a call of the method by which it calls handlers: the linker finds those that
// handle the type that is sent, since only they implement the interface with its type arguments.
func (b *funcBuilder) findDispatch(instr ssa.CallInstruction, row *model.Row) {
	c := instr.Common()
	name, method, _ := strings.Cut(row.Calls, ".")
	t := handlerType(c, name)
	if t == nil {
		b.findLibraryCall(instr)
		return
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return
	}
	key := MethodKey{Iface: types.TypeString(t, nil), Name: method}
	b.Interfaces[key.Iface] = iface
	n := b.callNode(instr)
	n.Method, n.Dispatched = key, true
}

// handlerType is the named interface of the called function's package, with the first type arguments of the call. In
// generic code these are not known, and everything would handle everything: then there is none.
func handlerType(c *ssa.CallCommon, name string) types.Type {
	obj, fn := calledObject(c), c.StaticCallee()
	if obj == nil || obj.Pkg() == nil || fn == nil {
		return nil
	}
	tn, ok := obj.Pkg().Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	named, ok := tn.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > len(fn.TypeArgs()) {
		return nil
	}
	args := fn.TypeArgs()[:named.TypeParams().Len()]
	if len(args) == 0 {
		return named
	}
	for _, a := range args {
		if hasTypeParam(a, 0) {
			return nil
		}
	}
	t, err := types.Instantiate(nil, named, args, true)
	if err != nil {
		return nil
	}
	return t
}
