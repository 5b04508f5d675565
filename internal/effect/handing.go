package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// handedOn names the work that is sent on a channel of the program's own: whoever receives from it does the rest.
func (b *funcBuilder) handedOn(ch ssa.Value) string {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return ""
	}
	return b.workType(t.Elem())
}

// namesAnswer reports whether a type is named for what comes back rather than for work that is to be done.
func namesAnswer(name string) bool {
	return slices.ContainsFunc([]string{"Reply", "Response", "Result", "Answer", "Error", "Ack", "Status", "Log", "Metric"}, func(w string) bool { return strings.Contains(name, w) })
}

// workType names the type of what is sent on a channel if it is work that somebody else does: an object of a named type.
// One that brings along a channel or a function can tell the sender how it went.
func (b *funcBuilder) workType(t types.Type) string {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	named, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok {
		return ""
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 || named.Obj().Pkg() == nil || replies(st, 0) {
		return ""
	}
	if namesAnswer(named.Obj().Name()) || named.Obj().Pkg().Path() == "time" || named.Obj().Pkg().Path() == "os" {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}

// replies reports whether an object holds a channel, a function or something to wait for.
func replies(st *types.Struct, depth int) bool {
	for f := range st.Fields() {
		switch u := f.Type().Underlying().(type) {
		case *types.Chan, *types.Signature:
			return true
		case *types.Struct:
			if depth < 3 && replies(u, depth+1) {
				return true
			}
		}
	}
	return false
}

// waitsOn reports whether a receive waits for work that was started elsewhere: not for a message, a timer, a signal or the
// end of a context.
func (b *funcBuilder) waitsOn(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok || b.carriesMessage(t.Elem()) || b.receiveRow(ch, 0) != nil {
		return false
	}
	if name := typeName(deref(t.Elem())); name == "time.Time" || name == "os.Signal" {
		return false
	}
	if call, ok := ch.(*ssa.Call); ok {
		if obj := calledObject(call.Common()); obj != nil && (obj.Name() == "Done" || obj.Name() == "After" || obj.Name() == "Tick") {
			return false
		}
	}
	return b.workType(t.Elem()) == ""
}

// findWait marks a receive that waits for something, and notes what work is taken.
func (b *funcBuilder) findWait(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op != token.ARROW {
			return
		}
		b.noteTaken(instr.X)
		if b.waitsOn(instr.X) {
			b.mark(instr, model.Wait)
		}
	case *ssa.Select:
		for i, st := range instr.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			b.noteTaken(st.Chan)
			if at := caseOf(instr, i); at != nil && b.waitsOn(st.Chan) {
				b.mark(at.Instrs[0], model.Wait)
			}
		}
	}
}

// caseOf is the block of a select's case, nil where it does not show.
func caseOf(sel *ssa.Select, i int) *ssa.BasicBlock {
	for _, ref := range *sel.Referrers() {
		chosen, ok := ref.(*ssa.Extract)
		if !ok || chosen.Index != 0 {
			continue
		}
		for _, ref := range *chosen.Referrers() {
			cmp, ok := ref.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL {
				continue
			}
			k, ok := cmp.Y.(*ssa.Const)
			if !ok || k.Int64() != int64(i) || len(*cmp.Referrers()) != 1 {
				continue
			}
			if branch, ok := (*cmp.Referrers())[0].(*ssa.If); ok && len(branch.Block().Succs[0].Preds) == 1 {
				return branch.Block().Succs[0]
			}
		}
	}
	return nil
}

// noteTaken notes what work a function takes from channels.
func (b *funcBuilder) noteTaken(ch ssa.Value) {
	if t := b.handedOn(ch); t != "" && !slices.Contains(b.g.Takes, t) {
		b.g.Takes = append(b.g.Takes, t)
	}
}
