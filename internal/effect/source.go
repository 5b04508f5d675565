package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

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
	case *ssa.Phi:
		return b.mergedSources(v, field, depth)
	case *ssa.UnOp, *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.ChangeInterface, *ssa.Slice, *ssa.BinOp, *ssa.TypeAssert:
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

// mergedSources are those of a value that was given on one way and made on another: if id == "" { id = uuid.NewString() }.
// What is given is taken to be there. What functions of the program return may be either: such sources are alternatives. Of
// an entity, which is loaded or new, all are kept.
func (b *funcBuilder) mergedSources(v *ssa.Phi, field string, depth int) []Source {
	var out []Source
	given, ways := false, 0
	for _, edge := range v.Edges {
		if _, isConst := edge.(*ssa.Const); isConst || edge == v {
			continue
		}
		from := b.sourcesOf(edge, field, depth+1)
		given = given || !slices.ContainsFunc(from, Source.made)
		ways++
		out = addSources(out, from...)
	}
	if given {
		out = slices.DeleteFunc(out, Source.made)
	}
	if given && ways > 1 && isKey(v.Type()) {
		for i := range out {
			out[i].Either = true
		}
	}
	return out
}

// isKey reports whether a value is one that a row can be known by, and not the row: a text, a number, the bytes of a UUID.
func isKey(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return types.Identical(t.Elem(), types.Typ[types.Byte])
	}
	return false
}

func (s Source) made() bool { return s.Kind == MadeSource }

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
	for _, ref := range *b.fn.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok || i >= len(mc.Bindings) {
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
	case field == "" && joins(call):
		return slices.DeleteFunc(out, func(s Source) bool { return s.Kind == OtherSource })
	}
	return []Source{{}}
}

// joins reports whether a library call puts texts together: what one of them is made on the spot, the whole is, too.
func joins(call *ssa.Call) bool {
	obj := calledObject(call.Common())
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	switch obj.Pkg().Path() {
	case "fmt", "strings", "strconv", "path", "encoding/hex", "encoding/base64":
		return true
	}
	return false
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
