package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// findKept marks a step by which a function keeps, where an error was found, that something has failed: it is
// looked at later.
func (b *funcBuilder) findKept(instr ssa.Instruction, block *ssa.BasicBlock) {
	kept := false
	switch i := instr.(type) {
	case *ssa.Call:
		built, ok := i.Call.Value.(*ssa.Builtin)
		kept = ok && built.Name() == "append"
		if endsProcess(&i.Call) {
			b.mark(instr, model.Keep)
		}
	case *ssa.MapUpdate:
		kept = true
	case *ssa.Send:
		kept = true
	case *ssa.BinOp:
		basic, ok := i.Type().Underlying().(*types.Basic)
		kept = i.Op == token.ADD && ok && basic.Info()&types.IsInteger != 0
	case *ssa.Store:
		switch a := i.Addr.(type) {
		case *ssa.FreeVar, *ssa.Global:
			kept = true
		case *ssa.FieldAddr:
			_, local := a.X.(*ssa.Alloc)
			kept = !local
		}
		if kept && isError(i.Val) && !isNil(i.Val) { // an error is kept as it is
			b.mark(instr, model.Keep)
			return
		}
	}
	if kept && afterError(block) {
		b.mark(instr, model.Keep)
	}
}

// afterError reports whether a block is only reached when an error is not nil.
func afterError(block *ssa.BasicBlock) bool {
	for d := block; d != nil && d.Idom() != nil; d = d.Idom() {
		pred := d.Idom()
		branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
		if !ok || len(d.Preds) != 1 {
			continue
		}
		cmp, ok := branch.Cond.(*ssa.BinOp)
		if ok && isError(cmp.X) && isNil(cmp.Y) && (cmp.Op == token.NEQ) == (pred.Succs[0] == d) {
			return true
		}
	}
	return false
}

// collected reports whether a call is given a list that the function has put together: of the messages that went well.
func (b *funcBuilder) collected(c *ssa.CallCommon) bool {
	return slices.ContainsFunc(c.Args, func(a ssa.Value) bool { return b.appended(a, 0) })
}

func (b *funcBuilder) appended(v ssa.Value, depth int) bool {
	if depth > 6 || v == nil {
		return false
	}
	any := func(vs []ssa.Value) bool {
		return slices.ContainsFunc(vs, func(v ssa.Value) bool { return b.appended(v, depth+1) })
	}
	switch v := v.(type) {
	case *ssa.Call:
		built, ok := v.Call.Value.(*ssa.Builtin)
		return ok && built.Name() == "append"
	case *ssa.Phi:
		return any(v.Edges)
	case *ssa.Slice:
		return b.appended(v.X, depth+1)
	case *ssa.ChangeType:
		return b.appended(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.appended(v.X, depth+1)
	case *ssa.UnOp:
		return b.appended(v.X, depth+1)
	case *ssa.Alloc:
		content := b.contentOf(v)
		for _, vs := range content.fields {
			if any(vs) {
				return true
			}
		}
		return any(content.whole)
	}
	return false
}

// endsProcess reports whether a call does not come back: log.Fatal, logger.Fatalw, os.Exit. What has failed is then not
// confirmed.
func endsProcess(c *ssa.CallCommon) bool {
	obj := calledObject(c)
	return obj != nil && (strings.HasPrefix(obj.Name(), "Fatal") || strings.HasPrefix(obj.Name(), "Panic") || obj.Name() == "Exit" && obj.Pkg() != nil && obj.Pkg().Path() == "os")
}

// mark makes a step without a handle, at which no finding can stand: it has no number, so that the others keep theirs.
func (b *funcBuilder) mark(instr ssa.Instruction, kind model.Effect) {
	b.marks[instr] = &Node{Op: OpEffect, Pos: b.pos(instr.Pos(), 0), Label: string(kind), Effect: &Effect{Kind: kind}}
}
