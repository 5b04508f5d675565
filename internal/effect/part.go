package effect

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// SourceKind says what kind of place one exact value comes from.
type SourceKind uint8

// The kinds of sources.
const (
	OtherSource  SourceKind = iota // anything else: what is in a message, a constant
	MadeSource                     // made on the spot and different each time: a generated ID, the clock, a random number
	ParamSource                    // parameter Index, or its field
	ResultSource                   // result Index of the call in Node, or its field
)

// A Source is where one exact value comes from, where an [Origin] is all that went into it. A key that is made on the
// spot identifies nothing, however much of the message stands beside it in the row.
type Source struct {
	Kind  SourceKind
	Index int
	Node  int
	// Field is the field of the parameter or result, "" for all of it.
	Field string
	// Either says that the value is this or another one that says the same: it is made on the spot only if all are.
	Either bool
}

// A Part is one piece of an argument or result: a field of a struct, a key of a map, an element of a variadic list (its
// number), or "" for the whole.
type Part struct {
	Arg   int
	Field string
	From  Source
}

// BuiltPart is the field of a part that says that a struct was put together here: fields without a part are empty, or of
// no interest. A struct without it was decoded, or comes from elsewhere, and may have any.
const BuiltPart = "*"

// maxParts bounds how many pieces of one call are kept.
const maxParts = 24

// maxPartDepth bounds how far a value is followed back.
const maxPartDepth = 12

// maxSourceSteps bounds how much is looked at for one value: what is mixed of more is nobody's key.
const maxSourceSteps = 200

// partsOfArgs lists the pieces of a call's arguments that may be somebody's key.
func (b *funcBuilder) partsOfArgs(args []ssa.Value) []Part {
	var parts []Part
	for i, a := range args {
		w := &partWalk{funcBuilder: b, arg: i, seen: map[ssa.Value]bool{}}
		w.visit(a, 0)
		parts = append(parts, w.parts...)
	}
	return boundParts(parts)
}

// boundParts drops what says nothing and keeps the first few.
func boundParts(parts []Part) []Part {
	var out []Part
	for _, p := range parts {
		if p.From.Kind == OtherSource && !KeyName(p.Field) && p.Field != BuiltPart || slices.Contains(out, p) {
			continue
		}
		if out = append(out, p); len(out) == maxParts {
			break
		}
	}
	return out
}

// KeyName reports whether a field or column sounds like something that identifies a row.
func KeyName(name string) bool {
	name = sqltext.Snake(name)
	switch name {
	case "id", "_id", "uuid", "uid", "guid", "key", "pk", "sk", "hash", "reference", "ref", "number":
		return true
	}
	return strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "_uuid")
}

// partWalk takes one argument apart.
type partWalk struct {
	*funcBuilder
	arg   int
	seen  map[ssa.Value]bool
	parts []Part
}

func (w *partWalk) note(field string, from []Source) {
	for _, s := range from {
		w.parts = append(w.parts, Part{w.arg, field, s})
	}
}

// visit looks for structs, maps and lists in v; anything else is a whole.
func (w *partWalk) visit(v ssa.Value, depth int) {
	if v == nil || depth > maxPartDepth || w.seen[v] {
		return
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		w.visit(v.X, depth+1)
	case *ssa.ChangeType:
		w.visit(v.X, depth+1)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			if a, ok := v.X.(*ssa.Alloc); ok {
				w.alloc(a, depth)
				return
			}
		}
		w.note("", w.sourcesOf(v, "", 0))
	case *ssa.Slice:
		w.visit(v.X, depth+1)
	case *ssa.Alloc:
		w.alloc(v, depth)
	case *ssa.MakeMap:
		w.mapped(v)
	case *ssa.Call:
		if b := w.nodes[v]; b == nil && !makes(v) && !isString(v.Type()) { // attributevalue.MarshalMap(order)
			for _, a := range v.Call.Args {
				w.visit(a, depth+1)
			}
			return
		}
		w.note("", w.sourcesOf(v, "", 0))
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && w.nodes[call] == nil && v.Index == 0 {
			w.visit(call, depth+1)
			return
		}
		w.note("", w.sourcesOf(v, "", 0))
	default:
		w.note("", w.sourcesOf(v, "", 0))
	}
}

// alloc takes a struct or an array literal apart.
func (w *partWalk) alloc(a *ssa.Alloc, depth int) {
	switch t := deref(a.Type()).Underlying().(type) {
	case *types.Array:
		for _, ref := range *a.Referrers() {
			w.element(ref, depth)
		}
		return
	case *types.Struct:
		c := w.contentOf(a)
		if len(c.fields) > 0 && len(c.whole) == 0 {
			w.note(BuiltPart, []Source{{}})
		}
		for f := range t.NumFields() {
			for _, val := range c.fields[f] {
				if st, ok := val.Type().Underlying().(*types.Struct); ok && st.NumFields() > 0 && typeName(val.Type()) != "time.Time" {
					w.visit(val, depth+1)
				}
				if _, isMap := val.(*ssa.MakeMap); isMap {
					w.visit(val, depth+1)
				}
				w.note(t.Field(f).Name(), w.sourcesOf(val, "", 0))
			}
		}
		for _, val := range c.whole {
			w.visit(val, depth+1)
		}
		return
	}
	for _, val := range w.contentOf(a).whole {
		w.visit(val, depth+1)
	}
}

// element notes one element of a list under its number; a list of structs has the parts of these.
func (w *partWalk) element(ref ssa.Instruction, depth int) {
	ia, ok := ref.(*ssa.IndexAddr)
	if !ok {
		return
	}
	index, ok := ia.Index.(*ssa.Const)
	if !ok {
		return
	}
	for _, val := range storedInto(ia) {
		if mi, ok := val.(*ssa.MakeInterface); ok {
			val = mi.X
		}
		if modelType(val.Type()) != nil && typeName(deref(val.Type())) != "time.Time" {
			w.visit(val, depth+1)
			continue
		}
		w.note(strconv.FormatInt(index.Int64(), 10), w.sourcesOf(val, "", 0))
	}
}

// mapped takes a map literal apart: bson.M, a row by column.
func (w *partWalk) mapped(m *ssa.MakeMap) {
	for _, ref := range *m.Referrers() {
		up, ok := ref.(*ssa.MapUpdate)
		if !ok {
			continue
		}
		if k, ok := up.Key.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
			w.note(constant.StringVal(k.Value), w.boxed(up.Value))
		}
	}
}

// resultParts lists the pieces of what a function returns that were made on the spot, or handed through.
func (b *funcBuilder) resultParts() []Part {
	var parts []Part
	for _, block := range b.fn.Blocks {
		ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, v := range ret.Results {
			if isError(v) || b.service(v.Type()) {
				continue
			}
			w := &partWalk{funcBuilder: b, arg: i, seen: map[ssa.Value]bool{}}
			w.visit(v, 0)
			for _, p := range w.parts {
				if p.From.Kind != OtherSource || p.Field == BuiltPart {
					parts = append(parts, p)
				}
			}
		}
	}
	return boundParts(parts)
}
