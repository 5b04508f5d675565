package effect

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// A KeyNote is a place where something that is sent is given a key by which its receiver can tell it again: a header, a
// field, a setter that says so by its name.
type KeyNote struct {
	Name string
	From []Source
	// Local is the number of what gets the key among the things of the function, 0 if it is not known: a key belongs to the
	// request that it is put into. Natural says that it is an ID in what is sent, which is a key where the receiver takes
	// it for one.
	Local   int
	Natural bool
}

// keyWordsOfNames are parts of names that call something a key of a request, without separators.
var keyWordsOfNames = []string{"idempot", "dedup", "clientrequesttoken", "clienttoken", "requestid", "messageid", "msgid", "eventid",
	"deliveryid", "xentityrefid", "webhookid"}

// naturalNames are names of IDs in a body that tell what is sent from anything else, in the spelling of columns.
var naturalNames = []string{"id", "uuid", "event_id", "message_id", "msg_id", "delivery_id", "request_id", "reference", "reference_id",
	"external_id", "external_reference", "client_reference", "client_reference_id", "merchant_reference", "transaction_id", "op_id", "operation_id"}

// NamesKey reports whether a name calls what it stands for a key of a request.
func NamesKey(name string) bool { return namesKey(name) }

var namesKey = remembered(func(name string) bool {
	plain := plainly.Replace(strings.ToLower(name))
	return slices.ContainsFunc(keyWordsOfNames, func(w string) bool { return strings.Contains(plain, w) })
})

// plainly takes out what separates the words of a name.
var plainly = strings.NewReplacer("-", "", "_", "", " ", "")

var isNatural = remembered(func(name string) bool { return slices.Contains(naturalNames, sqltext.Snake(name)) })

// CallsKey reports whether a name can mean nothing else.
func CallsKey(name string) bool {
	lower := strings.ToLower(name)
	return strings.Contains(lower, "idempot") || strings.Contains(lower, "dedup")
}

// keyNotes lists the places where a function gives something a key.
func (b *funcBuilder) keyNotes() []KeyNote {
	var out []KeyNote
	add := func(name string, of, value ssa.Value, natural bool) {
		out = append(out, KeyNote{Name: name, From: b.sourcesOf(value, "", 0), Local: b.thing(of), Natural: natural})
	}
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				b.noteCall(instr.Common(), add)
			case *ssa.BinOp:
				b.noteLetter([]ssa.Value{instr.X, instr.Y}, add)
			case *ssa.MapUpdate:
				if key, ok := instr.Key.(*ssa.Const); ok && key.Value != nil && key.Value.Kind() == constant.String {
					b.noteField(constant.StringVal(key.Value), instr.Map, instr.Value, add)
				}
			case *ssa.Store:
				if fa, ok := instr.Addr.(*ssa.FieldAddr); ok {
					b.noteField(fieldName(fa.X.Type(), fa.Field), fa.X, instr.Val, add)
				}
			}
		}
	}
	return out
}

type noteFunc func(name string, of, value ssa.Value, natural bool)

// noteField notes a field of a struct or an entry of a map.
func (b *funcBuilder) noteField(name string, of, value ssa.Value, add noteFunc) {
	natural := isNatural(name)
	if !natural && !NamesKey(name) || isEmpty(value) {
		return
	}
	if m, ok := of.(*ssa.MakeMap); ok {
		if natural && !encoded(m) {
			return
		}
		of = holder(m)
	}
	add(name, of, value, natural && !strings.Contains(strings.ToLower(name), "idempot"))
}

// noteCall notes setters: Set("Idempotency-Key", v), SetIdempotencyKey(v).
func (b *funcBuilder) noteCall(c *ssa.CallCommon, add noteFunc) {
	args, obj := stepArgs(c), calledObject(c)
	if obj == nil || obj.Pkg() == nil || !isSetter(obj.Name()) || isTrace(obj.Pkg().Path()) {
		b.noteLetter(args, add)
		return
	}
	for i, a := range args {
		text, ok := constText(a)
		if !ok || !namesHeader(text) {
			continue
		}
		switch {
		case i+1 < len(args):
			add(text, receiverOf(c), args[i+1], false)
		default:
			add(text, nil, nil, false)
		}
		return
	}
	for _, a := range args {
		for _, elem := range variadic(a) {
			if text, ok := constText(inner(elem)); ok && namesHeader(text) {
				add(text, receiverOf(c), a, false)
				return
			}
		}
	}
	if len(args) > 0 && NamesKey(obj.Name()) {
		add(obj.Name(), receiverOf(c), args[len(args)-1], false)
	}
}

// noteLetter notes the head of a letter that names it, written as text.
func (b *funcBuilder) noteLetter(args []ssa.Value, add noteFunc) {
	for _, a := range args {
		if text, ok := constText(a); ok && strings.ContainsAny(text, " %\n") && namesHeader(text) {
			add(text, nil, nil, false)
		}
	}
}

// isTrace reports whether a package only tells people what goes on: what it is told is not sent to the receiver.
func isTrace(path string) bool {
	return path == "context" || slices.ContainsFunc([]string{"log", "zap", "trac", "otel", "metric", "sentry"}, func(w string) bool { return strings.Contains(path, w) })
}

// isSetter reports whether a function gives something a value, going by its name.
func isSetter(name string) bool {
	return slices.ContainsFunc([]string{"Set", "With", "Add", "Append", "Header", "Pairs", "set", "with", "add"}, func(w string) bool { return strings.HasPrefix(name, w) })
}

// namesHeader reports whether a text is the name of a header with a key, or a head of a letter with one in it.
func namesHeader(text string) bool {
	lower := strings.ToLower(text)
	if len(text) <= maxKeyText && !strings.ContainsAny(text, " %\n") {
		return NamesKey(text)
	}
	return strings.Contains(lower, "message-id:") || strings.Contains(lower, "idempotency-key")
}

func constText(v ssa.Value) (string, bool) {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}

func isEmpty(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || c.Value.Kind() == constant.String && constant.StringVal(c.Value) == "")
}

// holder is the struct that a map is put into, or the map itself.
func holder(m *ssa.MakeMap) ssa.Value {
	for _, ref := range *m.Referrers() {
		if st, ok := ref.(*ssa.Store); ok {
			if fa, ok := st.Addr.(*ssa.FieldAddr); ok {
				return fa.X
			}
		}
	}
	return m
}

// encoded reports whether a map is made into a text, or handed to a library as it is.
func encoded(m *ssa.MakeMap) bool {
	for _, ref := range *m.Referrers() {
		if _, ok := ref.(*ssa.MakeInterface); ok {
			return true
		}
	}
	return false
}

// thing is the number of the variable or request that a value is part of, 0 if that is not known.
func (b *funcBuilder) thing(v ssa.Value) int {
	for range maxPartDepth {
		switch x := v.(type) {
		case *ssa.Alloc:
			if _, isPtr := deref(x.Type()).Underlying().(*types.Pointer); isPtr {
				whole := b.contentOf(x).whole
				if len(whole) != 1 {
					return 0
				}
				v = whole[0]
				continue
			}
			return b.localNumber(x) + 1
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Extract:
			if isRequest(x.Type()) {
				return b.localNumber(x) + 1
			}
			return 0
		case *ssa.Call:
			if recv := receiverOf(x.Common()); recv != nil && b.nodes[x] == nil {
				v = recv // a builder
				continue
			}
			return 0
		default:
			return 0
		}
	}
	return 0
}

// resultSources says of the texts that a function returns where they come from.
func (b *funcBuilder) resultSources() [][]Source {
	results := b.fn.Signature.Results()
	var out [][]Source
	for i := range results.Len() {
		if !mayBeKey(results.At(i).Type()) {
			continue
		}
		if out == nil {
			out = make([][]Source, results.Len())
		}
		for _, block := range b.fn.Blocks {
			if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) && !isEmpty(ret.Results[i]) {
				out[i] = addSources(out[i], b.sourcesOf(ret.Results[i], "", 0)...)
			}
		}
	}
	return out
}

// mayBeKey reports whether a type is one that keys have: a text, bytes, an array of bytes.
func mayBeKey(t types.Type) bool {
	switch u := deref(t).Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		e, ok := u.Elem().Underlying().(*types.Basic)
		return ok && e.Kind() == types.Byte
	case *types.Array:
		e, ok := u.Elem().Underlying().(*types.Basic)
		return ok && e.Kind() == types.Byte
	}
	return false
}
