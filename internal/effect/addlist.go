package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// findAppend finds an ID that is put at the end of a list of IDs, whatever is in the list: x.IDs = append(x.IDs, id).
func (b *funcBuilder) findAppend(v ssa.Value) {
	call, ok := v.(*ssa.Call)
	if !ok {
		return
	}
	built, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || built.Name() != "append" {
		return
	}
	object, field := fieldRead(call.Call.Args[0])
	if object == nil || !listOfIDs(field, call.Type()) || !b.inPlace(call, object, field) || b.chosen(call.Block()) {
		return
	}
	b.added = append(b.added, object)
	b.g.Adds = append(b.g.Adds, Add{Pos: b.pos(call.Pos(), 0), Field: sqltext.Snake(strings.TrimSuffix(field, "s")) + "s", Param: -1, InPlace: true, Listed: true})
}

// listOfIDs reports whether an exported field is a list of IDs by its name and its elements: events that a thing gathers
// until it is stored are structs.
func listOfIDs(field string, t types.Type) bool {
	one, plural := strings.CutSuffix(field, "s")
	list, ok := t.Underlying().(*types.Slice)
	if !ok || !plural || !KeyName(one) || field[:1] != strings.ToUpper(field[:1]) {
		return false
	}
	switch list.Elem().Underlying().(type) {
	case *types.Basic, *types.Array: // an array of bytes is a UUID
		return true
	}
	return false
}

// chosen reports whether a branch that asks more than whether an error is nil decides whether a block is reached. Whether a
// loop goes on is no such branch.
func (b *funcBuilder) chosen(block *ssa.BasicBlock) bool {
	for _, at := range b.fn.Blocks {
		branch, ok := at.Instrs[len(at.Instrs)-1].(*ssa.If)
		if !ok || at == block || b.loops.header[at.Index] != 0 || b.plainError(branch.Cond) {
			continue
		}
		if comesTo(at.Succs[0], block, at) != comesTo(at.Succs[1], block, at) {
			return true
		}
	}
	return false
}

// comesTo reports whether a way leads from one block to another, and not through a third.
func comesTo(from, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		block := work[len(work)-1]
		work = work[:len(work)-1]
		if block == to {
			return true
		}
		if !seen[block] {
			seen[block] = true
			work = append(work, block.Succs...)
		}
	}
	return false
}
