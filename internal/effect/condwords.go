package effect

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// plainError reports whether a condition only asks whether an error is nil: that says how a step ended, not what it found.
func (b *funcBuilder) plainError(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		return isError(v.X) && isNil(v.Y) || isError(v.Y) && isNil(v.X)
	case *ssa.UnOp:
		return v.Op == token.NOT && b.plainError(v.X)
	}
	return false
}

// calledIn keeps the results of calls: what else is compared is no answer of a step.
func (b *funcBuilder) calledIn(data Origins) Origins {
	var out Origins
	for _, i := range data {
		if b.g.Origins[i].Kind == CallOrigin {
			out = append(out, i)
		}
	}
	return out
}

// maxWords bounds the names that are kept of a condition.
const maxWords = 6

// What a condition says of a list is no name: that it is empty, or that something is in it.
const (
	NoneWord = "no items"
	SomeWord = "some items"
)

// lengthWord says of a comparison of a list's length with a constant which of the two it asks, "" for other comparisons.
func lengthWord(v *ssa.BinOp) string {
	call, ok := v.X.(*ssa.Call)
	bound, isConst := v.Y.(*ssa.Const)
	if !ok || !isConst || bound.Value == nil || bound.Value.Kind() != constant.Int {
		return ""
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" || isString(call.Call.Args[0].Type()) {
		return ""
	}
	switch n := bound.Int64(); {
	case v.Op == token.EQL && n == 0, v.Op == token.LEQ && n == 0, v.Op == token.LSS && n == 1:
		return NoneWord
	case v.Op == token.NEQ && n == 0, v.Op == token.GTR && n == 0, v.Op == token.GEQ && n == 1:
		return SomeWord
	}
	return ""
}

// wordsIn lists the names through which a condition reads what it compares: fields, variables, methods and short texts.
func wordsIn(v ssa.Value) []string {
	var words []string
	add := func(name string) {
		if name = sqltext.Snake(name); name != "" && !slices.Contains(words, name) && len(words) < maxWords {
			words = append(words, name)
		}
	}
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if depth > 6 || v == nil {
			return
		}
		switch v := v.(type) {
		case *ssa.FieldAddr:
			add(fieldName(v.X.Type(), v.Field))
		case *ssa.Field:
			add(fieldName(v.X.Type(), v.Field))
		case *ssa.Alloc:
			add(v.Comment)
		case *ssa.Const:
			if v.Value != nil && v.Value.Kind() == constant.String {
				add(constant.StringVal(v.Value))
			}
		case *ssa.Call:
			if obj := calledObject(v.Common()); obj != nil {
				add(obj.Name())
			}
			for _, a := range v.Call.Args {
				visit(a, depth+1)
			}
		case *ssa.BinOp:
			if word := lengthWord(v); word != "" {
				words = append(words, word)
			}
			visit(v.X, depth+1)
			visit(v.Y, depth+1)
		case *ssa.UnOp:
			visit(v.X, depth+1)
		case *ssa.Convert:
			visit(v.X, depth+1)
		case *ssa.ChangeType:
			visit(v.X, depth+1)
		case *ssa.Extract:
			visit(v.Tuple, depth+1)
		case *ssa.Phi:
			add(v.Comment)
		}
	}
	visit(v, 0)
	return words
}

// givenBy is the call that a value is a result of, also where a variable that closures share holds it.
func (b *funcBuilder) givenBy(v ssa.Value) *ssa.Call {
	v = b.plain(v)
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, _ := v.(*ssa.Call)
	return call
}

// askedThing is the call that gave the thing of which a condition asks something: lock.Acquired().
func (b *funcBuilder) askedThing(v ssa.Value) Origins {
	if not, ok := v.(*ssa.UnOp); ok && not.Op == token.NOT {
		v = not.X
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	made := b.givenBy(receiverOf(call.Common()))
	if made == nil || b.nodes[made] == nil {
		return nil
	}
	w := b.newDataWalk()
	w.note(Origin{Kind: CallOrigin, Node: b.nodes[made].ID})
	return w.found
}

// answersByError reports whether a condition asks for the error of a claim that has no other answer: it fails where the
// key is there.
func (b *funcBuilder) answersByError(v ssa.Value) bool {
	cmp, ok := v.(*ssa.BinOp)
	if !ok {
		return false
	}
	call, ok := cmp.X.(*ssa.Call)
	if !ok {
		return false
	}
	n := b.nodes[call]
	return n != nil && n.Effect != nil && n.Effect.Kind == model.Claim && call.Call.Signature().Results().Len() == 1
}
