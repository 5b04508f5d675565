package effect

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// tryWords are the words by which names say that something counts deliveries or attempts.
var tryWords = []string{"attempt", "attempts", "retry", "retries", "retried", "redelivered", "redelivery", "redeliveries", "tries", "deliveries", "requeues"}

// tryNames are further names of counts of deliveries, in full.
var tryNames = []string{"x-death", "x_death", "num_delivered", "delivery_count", "x-delivery-count", "x_delivery_count", "death_count", "deaths",
	"receive_count", "approximate_receive_count", "requeue_count", "reconsume_times", "num_retry", "failures", "failure_count", "fail_count"}

// tryOthers are the words of names that have to do with trying, and are no counts.
var tryOthers = []string{"delay", "interval", "backoff", "timeout", "wait", "policy", "topic", "queue", "exchange", "after", "at", "sleep", "duration", "period"}

// namesTries reports whether a name says that it counts deliveries or attempts.
var namesTries = remembered(func(name string) bool {
	name = sqltext.Snake(name)
	if slices.Contains(tryNames, name) || slices.Contains(tryNames, strings.ReplaceAll(name, "-", "_")) {
		return true
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	return has(tryWords) && !has(tryOthers) || strings.Contains(name, "receive_count") || strings.Contains(name, "delivery_count")
})

// looksAtTries reports whether an instruction reads how often something was delivered or tried, for more than a log.
func looksAtTries(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.FieldAddr:
		if !namesTries(fieldName(v.X.Type(), v.Field)) {
			return false
		}
		for _, ref := range *v.Referrers() {
			if load, ok := ref.(*ssa.UnOp); ok && matters(load, 0) {
				return true
			}
		}
	case *ssa.Field:
		return namesTries(fieldName(v.X.Type(), v.Field)) && matters(v, 0)
	case *ssa.Lookup:
		return keyOfTries(v.Index) && matters(v, 0)
	case *ssa.MapUpdate:
		return keyOfTries(v.Key) && counted(v.Value)
	case *ssa.Call:
		return callsForTries(v)
	}
	return false
}

// callsForTries recognises getters of a count: msg.DeliveryAttempt(), retryCount(d), headers.Get("x-retries").
func callsForTries(v *ssa.Call) bool {
	obj := calledObject(v.Common())
	if obj == nil || obj.Signature().Results().Len() == 0 {
		return false
	}
	if namesTries(obj.Name()) && countable(obj.Signature().Results().At(0).Type()) {
		return matters(v, 0)
	}
	if isError(v) || obj.Pkg() != nil && strings.Contains(obj.Pkg().Path(), "log") {
		return false
	}
	return slices.ContainsFunc(v.Call.Args, keyOfTries) && matters(v, 0)
}

// countable reports whether a type can hold a count, or whether there was one.
func countable(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsInteger|types.IsBoolean) != 0
}

// keyOfTries reports whether a value is the constant name of a header that counts.
func keyOfTries(v ssa.Value) bool {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		v = mi.X
	}
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return false
	}
	s := constant.StringVal(c.Value)
	return len(s) < 40 && !strings.ContainsAny(s, " %:") && namesTries(s)
}

// counted reports whether a value is a number that is written next to a name: a constant is no count.
func counted(v ssa.Value) bool {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		v = mi.X
	}
	_, isConst := v.(*ssa.Const)
	return !isConst
}

// maxMatters bounds how far a value is followed to where it matters.
const maxMatters = 5

// matters reports whether a value is compared, returned, counted on or stored: to put it into a log is nothing.
func matters(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > maxMatters {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.If, *ssa.Return, *ssa.MapUpdate:
			return true
		case *ssa.BinOp:
			return true
		case *ssa.UnOp:
			return ref.Op == token.NOT || matters(ref, depth+1)
		case *ssa.Store:
			_, isField := ref.Addr.(*ssa.FieldAddr)
			if a, ok := ref.Addr.(*ssa.Alloc); ok {
				return matters(a, depth+1)
			}
			return isField
		case *ssa.Phi, *ssa.Convert, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Extract, *ssa.Index, *ssa.IndexAddr, *ssa.Lookup, *ssa.Slice, *ssa.Range, *ssa.Next:
			return matters(ref.(ssa.Value), depth+1)
		case *ssa.Call:
			return countsOn(ref, depth)
		}
		return false
	})
}

// countsOn reports whether a call is given a value to compute something of it: strconv.Atoi, a function that decides.
func countsOn(call *ssa.Call, depth int) bool {
	obj := calledObject(call.Common())
	if obj == nil {
		_, isBuiltin := call.Call.Value.(*ssa.Builtin)
		return isBuiltin
	}
	results := obj.Signature().Results()
	if results.Len() == 0 || obj.Pkg() != nil && strings.Contains(obj.Pkg().Path(), "log") {
		return false
	}
	return countable(results.At(0).Type()) && matters(call, depth+1)
}
