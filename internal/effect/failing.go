package effect

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// failing makes o, the outcome of v where block uses it, an error if v is made of an error there.
func failing(o Operand, v ssa.Value, block *ssa.BasicBlock) Operand {
	if o.Const == Unknown && !o.Not && isError(v) && (newError(v, 0) || madeOfError(v, 0) && underError(block)) {
		o.Const = NonZero
	}
	return o
}

// newError reports whether a value is the end of a chain of methods that begins with a new error:
// ierr.NewError("…").WithHint("…").Mark(kind).
func newError(v ssa.Value, depth int) bool {
	call, ok := v.(*ssa.Call)
	if !ok || depth > 6 {
		return false
	}
	if recv := receiverOf(call.Common()); recv != nil {
		return newError(recv, depth+1)
	}
	fn := call.Common().StaticCallee()
	return depth > 0 && fn != nil && fn.Pkg != nil && strings.HasSuffix(fn.Pkg.Pkg.Path(), "errors") && strings.HasPrefix(fn.Name(), "New")
}

// madeOfError reports whether a value is made by a call that is given an error, itself or further up a chain of methods:
// ierr.WithError(err).WithHint("…").Mark(kind).
func madeOfError(v ssa.Value, depth int) bool {
	switch x := v.(type) {
	case *ssa.Extract:
		return madeOfError(x.Tuple, depth)
	case *ssa.MakeInterface:
		return madeOfError(x.X, depth)
	case *ssa.Call:
		for _, a := range x.Common().Args {
			if isError(a) {
				return true
			}
		}
		recv := receiverOf(x.Common())
		return recv != nil && depth < 6 && madeOfError(recv, depth+1)
	}
	return false
}

// underError reports whether a block is only reached when an error is not nil.
func underError(block *ssa.BasicBlock) bool {
	for len(block.Preds) == 1 {
		pred := block.Preds[0]
		if branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If); ok {
			if cmp, ok := branch.Cond.(*ssa.BinOp); ok && isError(cmp.X) && isNil(cmp.Y) {
				if nonNil := cmp.Op == token.NEQ; nonNil == (pred.Succs[0] == block) {
					return true
				}
			}
		}
		block = pred
	}
	return false
}
