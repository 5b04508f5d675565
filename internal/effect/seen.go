package effect

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// MapSymbol begins the symbol of effects on a map of the language; the field or variable that holds the map follows.
const MapSymbol = "map "

// A map that lives as long as its object or the program can hold what has been seen: seen[id]. Only those maps are
// followed that are kept in a field or a package variable, are read by their keys and also assigned to by key somewhere in
// the package, so that tables of constants stay out.

// seenMaps are the fields and package variables that hold such maps.
func (pb *packageBuilder) seenMaps() map[string]bool {
	if pb.seen != nil {
		return pb.seen
	}
	pb.seen = map[string]bool{}
	for _, fn := range pb.functions() {
		if fn.Name() == "init" && fn.Synthetic != "" {
			continue
		}
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				if up, ok := instr.(*ssa.MapUpdate); ok {
					if cell := mapCell(up.Map); cell != "" {
						pb.seen[cell] = true
					}
				}
			}
		}
	}
	return pb.seen
}

// mapCell names the field or package variable that a map is read from, if the map can be one of what was seen: a set of
// strings or numbers, or the times of them.
func mapCell(m ssa.Value) string {
	t, ok := m.Type().Underlying().(*types.Map)
	load, isLoad := m.(*ssa.UnOp)
	if !ok || !isLoad || load.Op != token.MUL || !isKeyType(t.Key()) || !isMarkType(t.Elem()) {
		return ""
	}
	switch x := load.X.(type) {
	case *ssa.Global:
		return globalName(x)
	case *ssa.FieldAddr:
		name, _ := cellName(x.X.Type(), x.Field)
		return name
	}
	return ""
}

func isKeyType(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsString|types.IsInteger) != 0 || typeName(t) == "github.com/google/uuid.UUID"
}

func isMarkType(t types.Type) bool {
	if typeName(t) == "time.Time" {
		return true
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		return st.NumFields() == 0
	}
	return types.Identical(t.Underlying(), types.Typ[types.Bool])
}

// findMap gives a node to a lookup in such a map, or to an assignment of a key.
func (b *funcBuilder) findMap(instr ssa.Instruction, m ssa.Value, kind model.Effect) {
	if cell := mapCell(m); cell != "" && b.seenMaps()[cell] {
		n := b.newNode(instr)
		n.Op = OpEffect
		n.Effect = &Effect{Kind: kind, Symbol: MapSymbol + cell, Exists: kind == model.Lookup}
	}
}

// asksMap reports whether a lookup asks whether the key is there.
func asksMap(l *ssa.Lookup) bool {
	t, ok := l.X.Type().Underlying().(*types.Map)
	return ok && (l.CommaOk || types.Identical(t.Elem().Underlying(), types.Typ[types.Bool]))
}

func (b *funcBuilder) fillMap(n *Node, instr ssa.Instruction, m, key ssa.Value) {
	n.Pos = b.pos(instr.Pos(), 0)
	n.Label = mapLabel(m)
	n.Effect.Message = b.dataOf(key)
	n.ArgData = []Origins{n.Effect.Message}
}

// mapLabel names a map as the code does.
func mapLabel(m ssa.Value) string {
	load := m.(*ssa.UnOp)
	if fa, ok := load.X.(*ssa.FieldAddr); ok {
		return fieldName(fa.X.Type(), fa.Field) + "[…]"
	}
	return load.X.Name() + "[…]"
}

// assignedOnce is what a field is given in this package, if that is one value.
func (pb *packageBuilder) assignedOnce(fa *ssa.FieldAddr) ssa.Value {
	want, _ := cellName(fa.X.Type(), fa.Field)
	if want == "" {
		return nil
	}
	return pb.fieldValues()[want]
}

// fieldValues are the fields that the package gives a value in one place only.
func (pb *packageBuilder) fieldValues() map[string]ssa.Value {
	if pb.fields != nil {
		return pb.fields
	}
	pb.fields = map[string]ssa.Value{}
	for _, fn := range pb.functions() {
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				if fa, ok := st.Addr.(*ssa.FieldAddr); ok {
					name, _ := cellName(fa.X.Type(), fa.Field)
					if _, twice := pb.fields[name]; twice {
						pb.fields[name] = nil
					} else {
						pb.fields[name] = st.Val
					}
				}
			}
		}
	}
	return pb.fields
}
