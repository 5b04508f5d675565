package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// generatedStep listens to a step of a generated builder (ent), which is a function of the program, and reports whether
// it is one. Its arguments are not taken for the effect's data: what a generated setter is given says little.
func (b *funcBuilder) generatedStep(ch *chain, c *ssa.CallCommon) bool {
	obj := calledObject(c)
	if obj == nil || obj.Pkg() == nil || receiverOf(c) == nil || !b.isGenerated(obj.Pkg().Path()) {
		return false
	}
	named, ok := types.Unalias(deref(obj.Signature().Recv().Type())).(*types.Named)
	if !ok {
		return false
	}
	b.entStep(&ch.said, named.Obj().Name(), obj, stepArgs(c))
	b.listen(&ch.said, c, obj)
	return true
}

func (b *funcBuilder) isGenerated(path string) bool {
	return path != b.out.Path && b.Generator != nil && b.Generator(path) != ""
}

// entStep reads the setters of ent's builders: SetStatus assigns, AddBalance adds where it is given one number (of edges
// it is given a list), AppendTags adds to a list.
func (b *funcBuilder) entStep(s *said, receiver string, obj *types.Func, args []ssa.Value) {
	name := obj.Name()
	switch {
	case receiver != "" && strings.HasSuffix(receiver, "Client"):
		if name == "UpdateOneID" || name == "DeleteOneID" || name == "UpdateOne" || name == "DeleteOne" {
			s.column("id", "=")
		}
	case strings.HasPrefix(name, "Set") && len(name) > len("Set"):
		col := sqltext.Snake(strings.TrimPrefix(strings.TrimPrefix(name, "Set"), "Nillable"))
		s.set(col, "?")
	case strings.HasPrefix(name, "Clear") && len(args) == 0:
		s.set(sqltext.Snake(strings.TrimPrefix(name, "Clear")), "NULL")
	case strings.HasPrefix(name, "Add") && addsNumber(obj), strings.HasPrefix(name, "Append") && len(args) == 1:
		col := sqltext.Snake(strings.TrimPrefix(strings.TrimPrefix(name, "Add"), "Append"))
		s.set(col, col+" + ?")
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
