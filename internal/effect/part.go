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
		if b := w.nodes[v]; b == nil && !makes(v) { // attributevalue.MarshalMap(order)
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

// boxed is where a value in a map comes from, also where it stands in a struct of one field: &AttributeValue{S: id}.
func (w *partWalk) boxed(v ssa.Value) []Source {
	inner := v
	if mi, ok := inner.(*ssa.MakeInterface); ok {
		inner = mi.X
	}
	a, ok := inner.(*ssa.Alloc)
	if !ok {
		return w.sourcesOf(v, "", 0)
	}
	c := w.contentOf(a)
	if len(c.fields) != 1 || len(c.whole) > 0 {
		return w.sourcesOf(v, "", 0)
	}
	var out []Source
	for _, vals := range c.fields {
		for _, val := range vals {
			out = addSources(out, w.sourcesOf(val, "", 0)...)
		}
	}
	return out
}

// sourcesOf says where the exact value v, or its field, comes from.
func (b *funcBuilder) sourcesOf(v ssa.Value, field string, depth int) []Source {
	if depth == 0 {
		b.sourceSteps = 0
	}
	if b.sourceSteps++; v == nil || depth > maxPartDepth || b.sourceSteps > maxSourceSteps {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		if i, ok := b.params[v]; ok {
			return []Source{{Kind: ParamSource, Index: i, Field: field}}
		}
		return []Source{{}}
	case *ssa.Call:
		return b.callSources(v, 0, field, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return b.callSources(call, v.Index, field, depth)
		}
	case *ssa.FieldAddr:
		return b.sourcesOf(v.X, fieldName(v.X.Type(), v.Field), depth+1)
	case *ssa.Field:
		return b.sourcesOf(v.X, fieldName(v.X.Type(), v.Field), depth+1)
	case *ssa.Alloc:
		return b.allocSources(v, field, depth)
	case *ssa.FreeVar:
		return b.capturedSources(v, field, depth)
	case *ssa.UnOp, *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.ChangeInterface, *ssa.Slice, *ssa.Phi, *ssa.BinOp, *ssa.TypeAssert:
		return b.operandSources(v.(ssa.Instruction), field, depth)
	}
	return []Source{{}}
}

func (b *funcBuilder) operandSources(instr ssa.Instruction, field string, depth int) []Source {
	var out []Source
	for _, op := range instr.Operands(nil) {
		if *op != nil && *op != instr.(ssa.Value) {
			out = addSources(out, b.sourcesOf(*op, field, depth+1)...)
		}
	}
	return out
}

func addSources(out []Source, more ...Source) []Source {
	for _, s := range more {
		if !slices.Contains(out, s) && len(out) < 6 {
			out = append(out, s)
		}
	}
	return out
}

// allocSources reads a local variable: the field that was stored, or the field of what was stored.
func (b *funcBuilder) allocSources(a *ssa.Alloc, field string, depth int) []Source {
	c := b.contentOf(a)
	var out []Source
	if st, ok := deref(a.Type()).Underlying().(*types.Struct); ok && field != "" {
		for f := range st.NumFields() {
			if st.Field(f).Name() != field {
				continue
			}
			for _, val := range c.fields[f] {
				out = addSources(out, b.sourcesOf(val, "", depth+1)...)
			}
		}
	}
	for _, val := range c.whole {
		out = addSources(out, b.sourcesOf(val, field, depth+1)...)
	}
	if len(out) == 0 { // filled by Unmarshal, Scan
		return []Source{{}}
	}
	return out
}

// capturedSources looks at what a closure captured, where it was made: only what was made there is told.
func (b *funcBuilder) capturedSources(v *ssa.FreeVar, field string, depth int) []Source {
	i, ok := b.frees[v]
	if !ok || b.fn.Parent() == nil {
		return []Source{{}}
	}
	for _, instr := range instructions(b.fn.Parent()) {
		mc, ok := instr.(*ssa.MakeClosure)
		if !ok || mc.Fn != b.fn || i >= len(mc.Bindings) {
			continue
		}
		outer := newFuncBuilder(b.packageBuilder, b.fn.Parent())
		for _, s := range outer.sourcesOf(mc.Bindings[i], field, depth+1) {
			if s.Kind == MadeSource {
				return []Source{s}
			}
		}
	}
	return []Source{{}}
}

func instructions(fn *ssa.Function) []ssa.Instruction {
	var out []ssa.Instruction
	for _, block := range fn.Blocks {
		out = append(out, block.Instrs...)
	}
	return out
}

// callSources knows the generators; other library calls hand on what they are given, those of the program answer for
// themselves.
func (b *funcBuilder) callSources(call *ssa.Call, result int, field string, depth int) []Source {
	if makes(call) {
		return []Source{{Kind: MadeSource}}
	}
	if n := b.nodes[call]; n != nil {
		return []Source{{Kind: ResultSource, Node: n.ID, Index: result, Field: field}}
	}
	var out []Source
	for _, a := range call.Call.Args {
		for _, v := range append([]ssa.Value{a}, variadic(a)...) {
			out = addSources(out, b.sourcesOf(v, "", depth+1)...)
		}
	}
	made := slices.ContainsFunc(out, func(s Source) bool { return s.Kind == MadeSource })
	switch {
	case made:
		return []Source{{Kind: MadeSource}}
	case len(out) == 1 && field == "":
		return out
	}
	return []Source{{}}
}

// generators are the packages whose functions make values that are different each time.
var generators = []string{"google/uuid", "gofrs/uuid", "satori/go.uuid", "pborman/uuid", "hashicorp/go-uuid", "oklog/ulid", "rs/xid",
	"segmentio/ksuid", "matoous/go-nanoid", "jaevor/go-nanoid", "teris-io/shortid", "bwmarrin/snowflake", "sony/sonyflake",
	"lithammer/shortuuid", "nats-io/nuid", "math/rand", "crypto/rand", "jackc/pgx-gofrs-uuid", "rogpeppe/fastuuid", "edwingeng/wuid"}

// makes reports whether a call makes a value that is different each time: a UUID, an object ID, the time.
func makes(call *ssa.Call) bool {
	obj := calledObject(call.Common())
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	path, name := obj.Pkg().Path(), obj.Name()
	switch {
	case path == "time":
		return name == "Now"
	case strings.HasSuffix(name, "NewObjectID"), strings.HasSuffix(name, "NewObjectId"):
		return true
	}
	if !slices.ContainsFunc(generators, func(g string) bool { return strings.Contains(path, g) }) {
		return false
	}
	for _, keyed := range []string{"NewMD5", "NewSHA1", "NewHash", "NewV3", "NewV5", "FromString", "FromBytes", "Parse", "MustParse", "String", "Validate", "Must"} {
		if strings.HasPrefix(name, keyed) && !strings.HasPrefix(name, "MustNew") {
			return false
		}
	}
	return true
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
