package effect

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// A TraitKind says what is known of the key of a message, or of what a writer does with keys.
type TraitKind uint8

// The kinds of traits.
const (
	Keyed     TraitKind = iota // there is a key, or a writer that goes by it
	Unkeyed                    // there is none, or a writer that does not look at it
	MadeKey                    // it is made on the spot
	ConstKey                   // it is always the same
	FromParam                  // of parameter Index, or what that is
	FromCall                   // of the result of the call in Node
	FromCell                   // of what is in a field or variable of the program
	Apart                      // a writer to something that has no keys
)

// A Trait is one possibility of what a key, or a writer, is.
type Trait struct {
	Kind        TraitKind
	Index, Node int
	// Cell is the place of FromCell; Whole says that a parameter or result is the key itself and not what carries it.
	Cell  string
	Whole bool
}

// An ArgTrait is what is known of an argument, or of what is put into a place of the program.
type ArgTrait struct {
	Arg  int
	Cell string
	// Writer says that it is a writer and no message.
	Writer bool
	Traits []Trait
}

// A KeyUse says by which key a message is published, and what it is about.
type KeyUse struct {
	Traits []Trait
	// Writer are the traits of what it is published through, nil where all of the library's go by the key.
	Writer []Trait
	// Dropped says that only a writer which gives messages a key lets them have one.
	Dropped bool
	// Fifo says that without a key nothing is in order, and nobody asks for it; that one key puts all in order.
	Fifo bool
	// Topic is where it goes, as far as that is a text; Entity the name of an ID of an entity in what is sent, or "".
	Topic, Entity string
}

// keyField is the field of a library's message that holds the key, "" for other types.
func (b *funcBuilder) keyField(t types.Type) string {
	return b.Models.KeyField(typeName(carried(t)))
}

// fillKeyUse notes by which key a message is published.
func (b *funcBuilder) fillKeyUse(n *Node, c *ssa.CallCommon, row *model.Row) {
	v := b.argValue(c, row.Message)
	if args := c.Args; v == nil && row.Kind == model.Log && len(args) > 0 { // an older version without a context
		v = args[len(args)-1]
	}
	if v != nil && row.Message.Field != "" {
		v = b.fieldOf(v, row.Message.Field)
	}
	if v == nil {
		return
	}
	use := &KeyUse{}
	switch field := b.keyField(v.Type()); {
	case field != "":
		use.Traits = b.messageTraits(v, field, 0)
		use.Fifo, use.Dropped = b.Models.Fifo(typeName(carried(v.Type()))), field == "Metadata"
	case row.Key.Kind == model.Param && row.Key.Field == "" && row.Kind == model.Log:
		use.Traits = b.keyTraits(b.argValue(c, row.Key), 0)
	case row.Kind == model.Log && row.Key.IsZero():
		use.Traits = []Trait{{Kind: Unkeyed}}
	default:
		return
	}
	if recv := receiverOf(c); recv != nil && b.writes(recv.Type()) {
		use.Writer = b.writerTraits(recv, 0)
	} else if use.Dropped {
		return
	}
	use.Topic = b.topicOf(c, row, v)
	use.Entity = b.entityIn(v)
	n.Effect.KeyUse = use
}

// fieldOf is what a field of a struct is given that is put together here, nil if that is not known.
func (b *funcBuilder) fieldOf(v ssa.Value, field string) ssa.Value {
	a := localObject(v)
	if a == nil {
		return nil
	}
	st, ok := deref(a.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f, vals := range b.contentOf(a).fields {
		if st.Field(f).Name() == field && len(vals) == 1 {
			return vals[0]
		}
	}
	return nil
}

// carried strips pointers and lists.
func carried(t types.Type) types.Type {
	for range 3 {
		t = deref(t)
		if s, ok := t.Underlying().(*types.Slice); ok && typeName(t) == "" {
			t = s.Elem()
		}
	}
	return t
}

// messageTraits finds the key of a message, or of the messages in a list.
func (b *funcBuilder) messageTraits(v ssa.Value, field string, depth int) []Trait {
	if v == nil || depth > maxPartDepth {
		return []Trait{{}}
	}
	switch v := v.(type) {
	case *ssa.Const:
		return nil // no message
	case *ssa.Parameter:
		return []Trait{{Kind: FromParam, Index: b.params[v]}}
	case *ssa.Alloc:
		return b.builtTraits(v, field, depth)
	case *ssa.Slice:
		return b.messageTraits(v.X, field, depth+1)
	case *ssa.UnOp:
		return b.messageTraits(v.X, field, depth+1)
	case *ssa.ChangeType:
		return b.messageTraits(v.X, field, depth+1)
	case *ssa.MakeInterface:
		return b.messageTraits(v.X, field, depth+1)
	case *ssa.Phi:
		return b.mergedTraits(v, field, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return b.calledTraits(call, v.Index, field, depth)
		}
	case *ssa.Call:
		return b.calledTraits(v, 0, field, depth)
	case *ssa.MakeSlice:
		var out []Trait
		for _, ref := range *v.Referrers() {
			if ia, ok := ref.(*ssa.IndexAddr); ok {
				out = addTraits(out, b.elementTraits(ia, field, depth)...)
			}
		}
		return out
	case *ssa.IndexAddr:
		return b.messageTraits(v.X, field, depth+1)
	}
	return []Trait{{}}
}

// mergedTraits are those of all that a variable may be. A list that grows in a loop is itself and one more.
func (b *funcBuilder) mergedTraits(v *ssa.Phi, field string, depth int) []Trait {
	if b.merging[v] {
		return nil
	}
	b.merging[v] = true
	defer delete(b.merging, v)
	var out []Trait
	for _, e := range v.Edges {
		out = addTraits(out, b.messageTraits(e, field, depth+1)...)
	}
	return out
}

// elementTraits are those of what is stored into an element, whole or field by field.
func (b *funcBuilder) elementTraits(ia *ssa.IndexAddr, field string, depth int) []Trait {
	var out []Trait
	set, any := false, false
	for _, ref := range *ia.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			out = addTraits(out, b.messageTraits(ref.Val, field, depth+1)...)
			set = true
		case *ssa.FieldAddr:
			any = true
			if fieldName(ref.X.Type(), ref.Field) == field {
				for _, val := range storedInto(ref) {
					out, set = addTraits(out, b.keyTraits(val, 0)...), true
				}
			}
		}
	}
	if any && !set {
		out = addTraits(out, Trait{Kind: Unkeyed})
	}
	return out
}

func addTraits(out []Trait, more ...Trait) []Trait {
	for _, t := range more {
		if !slices.Contains(out, t) && len(out) < 8 {
			out = append(out, t)
		}
	}
	return out
}

// calledTraits are those of a message that a call gives.
func (b *funcBuilder) calledTraits(call *ssa.Call, result int, field string, depth int) []Trait {
	args := stepArgs(call.Common())
	if built, ok := call.Call.Value.(*ssa.Builtin); ok && built.Name() == "append" {
		var out []Trait
		for _, a := range call.Call.Args {
			out = addTraits(out, b.messageTraits(a, field, depth+1)...)
		}
		return out
	}
	if n := b.nodes[call]; n != nil {
		return []Trait{{Kind: FromCall, Node: n.ID, Index: result}}
	}
	obj := calledObject(call.Common())
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "github.com/twmb/franz-go/pkg/kgo" {
		return []Trait{{}}
	}
	switch obj.Name() {
	case "StringRecord", "SliceRecord":
		return []Trait{{Kind: Unkeyed}}
	case "KeyStringRecord", "KeySliceRecord":
		return b.keyTraits(args[0], 0)
	}
	return []Trait{{}}
}

// keyTraits says what a key is.
func (b *funcBuilder) keyTraits(v ssa.Value, depth int) []Trait {
	if v == nil {
		return []Trait{{}}
	}
	switch {
	case isEmpty(v):
		return []Trait{{Kind: Unkeyed}}
	case b.constKey(v, 0):
		return []Trait{{Kind: ConstKey}}
	}
	var out []Trait
	for _, s := range b.sourcesOf(v, "", 0) {
		switch {
		case s.Kind == MadeSource:
			return []Trait{{Kind: MadeKey}}
		case s.Kind == ParamSource && s.Field == "":
			out = addTraits(out, Trait{Kind: FromParam, Index: s.Index, Whole: true})
		case s.Kind == ResultSource && s.Field == "":
			out = addTraits(out, Trait{Kind: FromCall, Node: s.Node, Index: s.Index, Whole: true})
		default:
			out = addTraits(out, Trait{})
		}
	}
	return out
}

// constKey reports whether a key is a text that is written down, however it is converted.
func (b *funcBuilder) constKey(v ssa.Value, depth int) bool {
	if depth > maxRequestDepth {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && v.Value.Kind() == constant.String
	case *ssa.Convert:
		return b.constKey(v.X, depth+1)
	case *ssa.ChangeType:
		return b.constKey(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.constKey(v.X, depth+1)
	case *ssa.Call:
		return b.nodes[v] == nil && len(v.Call.Args) == 1 && receiverOf(v.Common()) == nil && b.constKey(v.Call.Args[0], depth+1)
	}
	return false
}

// resultTraits are those of the message, or writer, that a function returns.
func (b *funcBuilder) resultTraits() []Trait {
	results := b.fn.Signature.Results()
	if results.Len() == 0 {
		return nil
	}
	t := results.At(0).Type()
	field, writer := b.keyField(t), b.writes(t)
	if field == "" && !writer {
		return nil
	}
	var out []Trait
	for _, block := range b.fn.Blocks {
		ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok || isEmpty(ret.Results[0]) {
			continue
		}
		if writer {
			out = addTraits(out, b.writerTraits(ret.Results[0], 0)...)
		} else {
			out = addTraits(out, b.messageTraits(ret.Results[0], field, 0)...)
		}
	}
	return out
}

// argTraits are those of the messages and writers among the arguments of a call.
func (b *funcBuilder) argTraits(args []ssa.Value) []ArgTrait {
	var out []ArgTrait
	for i, a := range args {
		if a == nil {
			continue
		}
		if field := b.keyField(a.Type()); field != "" {
			out = append(out, ArgTrait{Arg: i, Traits: b.messageTraits(a, field, 0)})
		} else if b.writes(a.Type()) {
			out = append(out, ArgTrait{Arg: i, Writer: true, Traits: b.writerTraits(a, 0)})
		}
	}
	return out
}

// handedKey is the key of what a library method behind an interface of the program's own publishes: it is told where the
// method is called.
func handedKey(models *model.Set, row *model.Row, sig *types.Signature) *KeyUse {
	i := row.Message.Index
	if row.Effect != model.Publish || row.Message.Kind != model.Param || row.Message.Field != "" || i >= sig.Params().Len() {
		return nil
	}
	name := typeName(carried(sig.Params().At(i).Type()))
	if field := models.KeyField(name); field == "" || field == "Metadata" {
		return nil
	}
	return &KeyUse{Traits: []Trait{{Kind: FromParam, Index: i + 1}}, Fifo: models.Fifo(name)}
}
