package effect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// findAdds finds the sums that have a field of something in them, before data is followed, so that what a sum goes into
// is known to hold it: a read-modify-write doubles with its message.
func (b *funcBuilder) findAdds() {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				b.findAdd(v)
			}
		}
	}
}

func (b *funcBuilder) findAdd(v ssa.Value) {
	object, field := summed(v)
	if object == nil {
		b.findAppend(v)
		return
	}
	b.sums[v] = len(b.g.Adds)
	b.added = append(b.added, object)
	b.g.Adds = append(b.g.Adds, Add{Pos: b.pos(v.Pos(), 0), Field: sqltext.Snake(field), Param: -1, InPlace: b.inPlace(v, object, field)})
}

// fillAdds says where the things that are added to come from.
func (b *funcBuilder) fillAdds() {
	for i, object := range b.added {
		b.g.Adds[i].Param = b.paramBehind(object, 0)
		b.g.Adds[i].Read = b.readBy(object)
	}
}

// readBy lists the calls whose result an object is, or that fill it in.
func (b *funcBuilder) readBy(object ssa.Value) []int {
	var nodes []int
	for _, s := range b.sourcesOf(object, "", 0) {
		if s.Kind == ResultSource && !slices.Contains(nodes, s.Node) {
			nodes = append(nodes, s.Node)
		}
	}
	if a, ok := object.(*ssa.Alloc); ok {
		w := b.newDataWalk()
		for _, ref := range *a.Referrers() {
			w.filledBy(ref, 0)
		}
		for _, i := range w.found {
			if o := b.g.Origins[i]; o.Kind == CallOrigin && !slices.Contains(nodes, o.Node) {
				nodes = append(nodes, o.Node)
			}
		}
	}
	slices.Sort(nodes)
	return nodes
}

// summed recognises x.f + n, x.f - n and x.f.Add(n) for numbers, and m[k] + n for a map in a field; it gives x and f.
func summed(v ssa.Value) (object ssa.Value, field string) {
	switch v := v.(type) {
	case *ssa.BinOp:
		if v.Op != token.ADD && v.Op != token.SUB || !isNumber(v.Type()) {
			return nil, ""
		}
		if object, field = fieldRead(v.X); object != nil {
			return object, field
		}
		if v.Op == token.ADD {
			return fieldRead(v.Y)
		}
	case *ssa.Call:
		obj := calledObject(v.Common())
		recv := receiverOf(v.Common())
		if obj == nil || recv == nil || obj.Name() != "Add" && obj.Name() != "Sub" || v.Common().IsInvoke() {
			return nil, ""
		}
		if obj.Signature().Results().Len() != 1 || !types.Identical(deref(obj.Signature().Results().At(0).Type()), deref(recv.Type())) || typeName(deref(recv.Type())) == "time.Time" {
			return nil, ""
		}
		return fieldRead(recv)
	}
	return nil, ""
}

func isNumber(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}

// fieldRead gives the thing and the field that a value is read from.
func fieldRead(v ssa.Value) (object ssa.Value, field string) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return fa.X, fieldName(fa.X.Type(), fa.Field)
		}
	case *ssa.Field:
		return v.X, fieldName(v.X.Type(), v.Field)
	case *ssa.Convert:
		return fieldRead(v.X)
	case *ssa.Lookup:
		return fieldRead(v.X)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok {
			return fieldRead(l.X)
		}
	}
	return nil, ""
}

// inPlace reports whether a sum is put back into the field that it was read from.
func (b *funcBuilder) inPlace(sum, object ssa.Value, field string) bool {
	for _, ref := range *sum.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if fa, ok := ref.Addr.(*ssa.FieldAddr); ok && fa.X == object && strings.EqualFold(fieldName(fa.X.Type(), fa.Field), field) {
				return true
			}
		case *ssa.MapUpdate:
			if x, f := fieldRead(ref.Map); x == object && f == field {
				return true
			}
		}
	}
	return false
}

// paramBehind gives the parameter that a value is, or is a field of, or -1.
func (b *funcBuilder) paramBehind(v ssa.Value, depth int) int {
	if depth > 6 {
		return -1
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		if i, ok := b.params[v]; ok {
			return i
		}
	case *ssa.UnOp:
		return b.paramBehind(v.X, depth+1)
	case *ssa.FieldAddr:
		return b.paramBehind(v.X, depth+1)
	case *ssa.Field:
		return b.paramBehind(v.X, depth+1)
	case *ssa.Alloc: // a parameter that was moved to memory
		if c := b.contentOf(v); len(c.whole) == 1 && depth < 3 {
			return b.paramBehind(c.whole[0], depth+1)
		}
	}
	return -1
}
