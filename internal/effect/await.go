package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A client that queues messages says elsewhere what became of them: through a channel, a callback or a future. Who does
// not wait for that knows no more than that the message is in memory.

// hearsBack reports whether a call is given something through which it reports how it ended, or whether the code keeps
// what it gives back beside an error.
func (b *funcBuilder) hearsBack(instr ssa.CallInstruction) bool {
	c := instr.Common()
	for _, a := range c.Args {
		switch a.Type().Underlying().(type) {
		case *types.Chan, *types.Signature:
			if k, ok := a.(*ssa.Const); !ok || !k.IsNil() {
				return true
			}
		}
	}
	v := instr.Value()
	if v == nil || v.Referrers() == nil {
		return false
	}
	if _, tuple := v.Type().(*types.Tuple); !tuple {
		return !isError(v) && len(*v.Referrers()) > 0
	}
	for _, ref := range *v.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && !isError(x) && len(*x.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// waits reports whether the function waits for something that was begun before: it flushes a client, or takes an answer
// out of a channel. A tick and the end of a context are no answers.
func (b *funcBuilder) waits() bool {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				if waitingCall(instr.Common()) {
					return true
				}
			case *ssa.UnOp:
				if ch, ok := instr.X.Type().Underlying().(*types.Chan); ok && answers(ch) {
					return true
				}
			case *ssa.Select:
				for _, st := range instr.States {
					if ch, ok := st.Chan.Type().Underlying().(*types.Chan); ok && st.Dir == types.RecvOnly && answers(ch) {
						return true
					}
				}
			}
		}
	}
	return false
}

func answers(ch *types.Chan) bool {
	if s, ok := ch.Elem().Underlying().(*types.Struct); ok && s.NumFields() == 0 {
		return false
	}
	return typeName(ch.Elem()) != "time.Time"
}

func waitingCall(c *ssa.CallCommon) bool {
	obj := calledObject(c)
	if obj == nil {
		return false
	}
	name := obj.Name()
	return strings.HasPrefix(name, "Flush") || name == "Wait" || name == "PublishAsyncComplete" || name == "Successes" || name == "AbortBufferedRecords"
}
