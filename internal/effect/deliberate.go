package effect

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// deliberate reports whether a condition tells kinds of failures apart, or asks how often a message has come: what is
// dropped by it is dropped on purpose. guarantee is the same for a choice between promises of delivery.
func deliberate(v ssa.Value) (kinds, guarantee bool) {
	words := append(wordsIn(v), lookedUp(v, 0)...)
	return asksError(v, 0) || slices.ContainsFunc(words, countsAttempts), slices.ContainsFunc(words, namesGuarantee)
}

// lookedUp lists the keys of headers and the parameters that a condition compares.
func lookedUp(v ssa.Value, depth int) []string {
	if depth > 6 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return []string{sqltext.Snake(v.Name())}
	case *ssa.Lookup:
		if k, ok := v.Index.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
			return []string{strings.ReplaceAll(sqltext.Snake(constant.StringVal(k.Value)), "-", "_")}
		}
	case *ssa.TypeAssert:
		return lookedUp(v.X, depth+1)
	case *ssa.Extract:
		return lookedUp(v.Tuple, depth+1)
	case *ssa.UnOp:
		return lookedUp(v.X, depth+1)
	case *ssa.Convert:
		return lookedUp(v.X, depth+1)
	case *ssa.BinOp:
		return append(lookedUp(v.X, depth+1), lookedUp(v.Y, depth+1)...)
	case *ssa.Phi:
		var words []string
		for _, e := range v.Edges {
			words = append(words, lookedUp(e, depth+3)...)
		}
		return words
	case *ssa.Call:
		var words []string
		for _, a := range v.Call.Args {
			words = append(words, lookedUp(a, depth+1)...)
		}
		if obj := calledObject(&v.Call); obj != nil {
			words = append(words, sqltext.Snake(obj.Name()))
		}
		return words
	}
	return nil
}

func namesGuarantee(word string) bool {
	return slices.ContainsFunc([]string{"at_least_once", "at_most_once", "fire_and_forget", "auto_ack", "autoack", "auto_commit", "autocommit", "ack_type", "ack_mode", "ack_policy", "best_effort", "async"},
		func(w string) bool { return strings.Contains(word, w) })
}

func countsAttempts(word string) bool {
	return slices.ContainsFunc([]string{"attempt", "retr", "deliver", "death", "tries", "max", "redeliver", "receive_count", "skip", "ignore", "dead_letter", "dlq"},
		func(w string) bool { return strings.Contains(word, w) })
}

// asksError reports whether a condition asks more of an error than whether there is one.
func asksError(v ssa.Value, depth int) bool {
	if depth > 6 || v == nil {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		if isError(v.X) && isNil(v.Y) || isError(v.Y) && isNil(v.X) {
			return false
		}
		return isError(v.X) || isError(v.Y) || asksError(v.X, depth+1) || asksError(v.Y, depth+1)
	case *ssa.UnOp:
		return asksError(v.X, depth+1)
	case *ssa.Call:
		return slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { return isError(a) || asksError(a, depth+1) }) ||
			v.Call.IsInvoke() && isError(v.Call.Value)
	case *ssa.Extract:
		return asksError(v.Tuple, depth+1)
	case *ssa.TypeAssert:
		return isError(v.X)
	case *ssa.FieldAddr:
		return asksError(v.X, depth+1)
	case *ssa.Field:
		return asksError(v.X, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return asksError(e, depth+3) })
	}
	return false
}
