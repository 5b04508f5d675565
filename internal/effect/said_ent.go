package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// generatedStep listens to a step of a generated builder (ent) and reports whether it is one. Such a step may be a function
// of the program whose body is read (go vet), or one of a package that is not built (the command): it says the same.
func (b *funcBuilder) generatedStep(ch *chain, c *ssa.CallCommon) bool {
	obj := calledObject(c)
	if obj == nil || obj.Pkg() == nil || receiverOf(c) == nil || !b.isGenerated(obj.Pkg().Path()) {
		return false
	}
	named, ok := types.Unalias(deref(obj.Signature().Recv().Type())).(*types.Named)
	if !ok {
		return false
	}
	b.entStep(ch, named.Obj().Name(), obj, stepArgs(c))
	b.plainStep(ch, c)
	return true
}

func (b *funcBuilder) isGenerated(path string) bool {
	return path != b.out.Path && b.Generator != nil && b.Generator(path) != ""
}

// entStep reads the setters of ent's builders: SetStatus assigns, AddBalance adds where it is given one number (of edges
// it is given a list), AppendTags adds to a list.
func (b *funcBuilder) entStep(ch *chain, receiver string, obj *types.Func, args []ssa.Value) {
	name, s := obj.Name(), &ch.said
	switch {
	case receiver != "" && strings.HasSuffix(receiver, "Client"):
		if name == "UpdateOneID" || name == "DeleteOneID" || name == "UpdateOne" || name == "DeleteOne" {
			s.column("id", "=")
		}
		ch.begun = ch.begun || name == "Create"
	case strings.HasPrefix(name, "Set") && len(name) > len("Set"):
		col := sqltext.Snake(strings.TrimPrefix(strings.TrimPrefix(name, "Set"), "Nillable"))
		s.set(col, "?")
		if len(args) == 1 {
			ch.given = append(ch.given, assigned{setColumn(col, args[0]), args[0]})
		}
	case strings.HasPrefix(name, "Clear") && len(args) == 0:
		s.set(sqltext.Snake(strings.TrimPrefix(name, "Clear")), "NULL")
	case strings.HasPrefix(name, "Add") && addsNumber(obj), strings.HasPrefix(name, "Append") && len(args) == 1:
		col := sqltext.Snake(strings.TrimPrefix(strings.TrimPrefix(name, "Add"), "Append"))
		s.set(col, col+" + ?")
	}
}

// setColumn names the column of a setter. One that is given another entity (SetOwner) stores the ID of it.
func setColumn(col string, v ssa.Value) string {
	if named := modelType(v.Type()); named != nil && isPointer(v.Type()) {
		if id, _, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), "ID"); id != nil {
			return col + "_id"
		}
	}
	return col
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// fillGiven notes what setters give a new row, and where the values come from: the call that ends the chain has no argument
// that says it. All of it is kept, since any column may be part of a key. They are not columns of the effect: there, one
// that is named like the key of a message makes a record of messages out of a row.
func (b *funcBuilder) fillGiven(n *Node, ch *chain) {
	if !ch.begun || n.Effect.Verb != sqltext.Insert || len(ch.given) == 0 {
		return
	}
	n.Parts = nil
	for _, g := range ch.given {
		for _, from := range b.sourcesOf(g.value, "", 0) {
			n.Parts = append(n.Parts, Part{Field: g.column, From: from})
		}
	}
}

// addsNumber reports whether a generated method is given exactly one number.
func addsNumber(obj *types.Func) bool {
	sig := obj.Signature()
	if sig.Variadic() || sig.Params().Len() != 1 {
		return false
	}
	basic, ok := sig.Params().At(0).Type().Underlying().(*types.Basic)
	if ok {
		return basic.Info()&types.IsNumeric != 0
	}
	_, isStruct := sig.Params().At(0).Type().Underlying().(*types.Struct) // a decimal
	return isStruct
}
