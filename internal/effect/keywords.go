package effect

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// UnknownWord stands among the words of a key for a piece that has no name.
const UnknownWord = "?"

// maxKeyWords bounds the words that are kept of a key, maxKeyText the length of a text among them.
const (
	maxKeyWords = 8
	maxKeyText  = 40
)

// nameKeys notes of the calls whose answer a condition looks at what the strings that they are given are made of: the key
// of a lock, as whoever picks it sees it.
func (b *funcBuilder) nameKeys() {
	asked := map[int]bool{}
	for i := range b.g.Blocks {
		for _, o := range b.g.Blocks[i].Cond.Data {
			asked[b.g.Origins[o].Node] = true
		}
	}
	for instr, n := range b.nodes {
		call, ok := instr.(ssa.CallInstruction)
		if !ok || !asked[n.ID] || n.Op == OpEffect && !n.Effect.Kind.OfKey() {
			continue
		}
		w := keyWords{funcBuilder: b}
		for _, a := range stepArgs(call.Common()) {
			if isString(a.Type()) {
				w.visit(a, 0)
			}
		}
		n.KeyWords = w.words
	}
}

// keyWords takes a string apart that is put together as a key.
type keyWords struct {
	*funcBuilder
	words []string
}

func (w *keyWords) add(word string) {
	if word != "" && len(w.words) < maxKeyWords && !slices.Contains(w.words, word) {
		w.words = append(w.words, word)
	}
}

func (w *keyWords) visit(v ssa.Value, depth int) {
	if depth > maxPartDepth {
		w.add(UnknownWord)
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
		w.text(v)
	case *ssa.FieldAddr:
		w.add(sqltext.Snake(fieldName(v.X.Type(), v.Field)))
	case *ssa.Field:
		w.add(sqltext.Snake(fieldName(v.X.Type(), v.Field)))
	case *ssa.Call:
		w.call(v, depth)
	case *ssa.Slice:
		for _, part := range variadic(v) {
			w.visit(part, depth+1)
		}
	case *ssa.BinOp:
		w.visit(v.X, depth+1)
		w.visit(v.Y, depth+1)
	case *ssa.UnOp:
		w.visit(v.X, depth+1)
	case *ssa.MakeInterface:
		w.visit(v.X, depth+1)
	case *ssa.Convert:
		w.visit(v.X, depth+1)
	case *ssa.ChangeType:
		w.visit(v.X, depth+1)
	default:
		w.add(UnknownWord)
	}
}

// text keeps a text in quotes, so that it is no name.
func (w *keyWords) text(c *ssa.Const) {
	if c.Value != nil && c.Value.Kind() == constant.String {
		if t := constant.StringVal(c.Value); len(t) <= maxKeyText {
			w.add(`"` + strings.ToLower(t) + `"`)
		}
	}
}

// call is a getter, which names a piece, or puts pieces together.
func (w *keyWords) call(v *ssa.Call, depth int) {
	args := stepArgs(v.Common())
	if obj := calledObject(v.Common()); obj != nil && len(args) == 0 {
		w.add(strings.TrimPrefix(sqltext.Snake(obj.Name()), "get_"))
		return
	}
	if len(args) == 0 {
		w.add(UnknownWord)
	}
	for _, a := range args {
		w.visit(a, depth+1)
	}
}
