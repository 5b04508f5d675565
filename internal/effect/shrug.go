package effect

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// shrugged reports whether the error of a call makes no difference: nobody looks at it, or a branch does, logs it and
// joins the other one again.
func (b *funcBuilder) shrugged(instr ssa.CallInstruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	err, has := errorOf(call)
	switch {
	case !has:
		return false
	case err == nil || err.Referrers() == nil:
		return true
	}
	return b.onlyLogged(err, 0)
}

// errorOf gives the error that a call returns last, nil where it is dropped.
func errorOf(call *ssa.Call) (err ssa.Value, has bool) {
	tuple, ok := call.Type().(*types.Tuple)
	if !ok {
		return call, isError(call)
	}
	last := tuple.Len() - 1
	if last < 0 || !types.Identical(tuple.At(last).Type(), types.Universe.Lookup("error").Type()) {
		return nil, false
	}
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == last {
			return x, true
		}
	}
	return nil, true
}

// onlyLogged reports whether all that becomes of a value is text for people.
func (b *funcBuilder) onlyLogged(v ssa.Value, depth int) bool {
	if depth > maxUseDepth {
		return false
	}
	if v.Referrers() == nil {
		return true
	}
	for _, ref := range *v.Referrers() {
		if !b.logs(ref, depth) {
			return false
		}
	}
	return true
}

func (b *funcBuilder) logs(ref ssa.Instruction, depth int) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MakeInterface, *ssa.ChangeInterface:
		return b.onlyLogged(ref.(ssa.Value), depth+1)
	case *ssa.Store:
		_, elem := ref.Addr.(*ssa.IndexAddr) // an argument of a logger stands in a list
		return elem
	case *ssa.Call:
		return b.harmless(ref) && b.onlyLogged(ref, depth+1)
	case *ssa.BinOp:
		return b.comesToNothing(ref)
	}
	return false
}

// comesToNothing reports whether a comparison with nil decides a branch whose two sides meet again at once, with nothing
// done but logging.
func (b *funcBuilder) comesToNothing(cmp *ssa.BinOp) bool {
	if cmp.Op != token.NEQ && cmp.Op != token.EQL || !isNil(cmp.Y) {
		return false
	}
	for _, ref := range *cmp.Referrers() {
		branch, ok := ref.(*ssa.If)
		if !ok || !b.meetAtOnce(branch.Block()) {
			return false
		}
	}
	return true
}

func (b *funcBuilder) meetAtOnce(from *ssa.BasicBlock) bool {
	yes, no := from.Succs[0], from.Succs[1]
	switch {
	case b.idle(yes) && yes.Succs[0] == no:
		return sameFrom(no, from, yes)
	case b.idle(no) && no.Succs[0] == yes:
		return sameFrom(yes, from, no)
	case b.idle(yes) && b.idle(no) && yes.Succs[0] == no.Succs[0]:
		return sameFrom(yes.Succs[0], yes, no)
	}
	return false
}

// sameFrom reports whether a block takes the same values from two predecessors.
func sameFrom(at, one, other *ssa.BasicBlock) bool {
	i, j := -1, -1
	for k, p := range at.Preds {
		switch p {
		case one:
			i = k
		case other:
			j = k
		}
	}
	for _, instr := range at.Instrs {
		if phi, ok := instr.(*ssa.Phi); ok && i >= 0 && j >= 0 && phi.Edges[i] != phi.Edges[j] {
			return false
		}
	}
	return i >= 0 && j >= 0
}

// idle reports whether a block does nothing but log and goes on.
func (b *funcBuilder) idle(block *ssa.BasicBlock) bool {
	if len(block.Succs) != 1 || len(block.Preds) != 1 {
		return false
	}
	for _, instr := range block.Instrs {
		switch instr := instr.(type) {
		case *ssa.Call:
			if !b.harmless(instr) {
				return false
			}
		case *ssa.Store:
			if _, elem := instr.Addr.(*ssa.IndexAddr); !elem {
				return false
			}
		case *ssa.Send, *ssa.MapUpdate, *ssa.Go, *ssa.Defer, *ssa.Select:
			return false
		}
	}
	return true
}

// harmless reports whether a call is one that decides nothing: of a library, or of what is called a log.
func (b *funcBuilder) harmless(call *ssa.Call) bool {
	name := ""
	switch obj := calledObject(call.Common()); {
	case obj != nil:
		name = obj.Name()
	default:
		_, built := call.Common().Value.(*ssa.Builtin)
		return built
	}
	for _, end := range []string{"Fatal", "Exit", "Panic", "Goexit"} {
		if strings.HasPrefix(name, end) {
			return false
		}
	}
	if b.nodes[call] == nil {
		return true
	}
	low := strings.ToLower(name)
	for _, w := range []string{"log", "err", "warn", "info", "debug", "print", "trace"} {
		if strings.Contains(low, w) && b.nodes[call].Effect == nil {
			return true
		}
	}
	return false
}
