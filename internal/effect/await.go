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

// asyncField is the field by which clients are told to return before the broker has answered.
const asyncField = "Async"

// AsyncKind is the kind of a client that is made to return before the broker has answered.
const AsyncKind = "async"

// clientRoots marks a client that is told to be asynchronous where it is made.
func (b *funcBuilder) clientRoots(a *ssa.Alloc) Roots {
	if a.Comment == "complit" && b.asyncClient(deref(a.Type())) && setsTrue(a) {
		return Roots{{Kind: KindRoot, Name: AsyncKind}}
	}
	return nil
}

// asyncClient reports whether a type is a library's struct that can be told to be asynchronous.
func (b *funcBuilder) asyncClient(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || b.programPackage(named.Obj().Pkg().Path()) || !b.Models.HasPackage(named.Obj().Pkg().Path()) {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if basic, ok := f.Type().Underlying().(*types.Basic); ok && f.Name() == asyncField && basic.Kind() == types.Bool {
			return true
		}
	}
	return false
}

// setsTrue reports whether a literal sets the field.
func setsTrue(a *ssa.Alloc) bool {
	st := deref(a.Type()).Underlying().(*types.Struct)
	for _, ref := range *a.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || st.Field(fa.Field).Name() != asyncField {
			continue
		}
		for _, use := range *fa.Referrers() {
			if store, ok := use.(*ssa.Store); ok {
				k, isConst := store.Val.(*ssa.Const)
				return isConst && k.Value != nil && k.Value.String() == "true"
			}
		}
	}
	return false
}
