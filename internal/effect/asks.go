package effect

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Asks says what a branch asks of how the work went, beside the outcomes that it proves.
type Asks uint16

// What a branch can ask. Each comes in two: the branch taken on true, and the one on false, is where it holds.
const (
	FailedTrue  Asks = 1 << iota // something failed: an error is not nil
	FailedFalse                  //
	ClassTrue                    // it failed in a certain way: errors.Is, a type of error, a function that is given the error
	ClassFalse                   //
	StopTrue                     // the work is to end: a context is done
	StopFalse                    //
	Undecoded                    // with Failed: what failed was to decode or encode something
	AnswerTrue                   // a call of the program's own said yes
	AnswerFalse                  //
)

// Holds reports whether one side of a branch is where the first of a pair of bits holds.
func (a Asks) Holds(onTrue Asks, side bool) bool {
	if !side {
		onTrue <<= 1
	}
	return a&onTrue != 0
}

// not is the same for the opposite of a condition.
func (a Asks) not() Asks {
	const first = FailedTrue | ClassTrue | StopTrue | AnswerTrue
	return a&Undecoded | a&first<<1 | a&(first<<1)>>1
}

// asks says what a condition asks.
func (b *funcBuilder) asks(v ssa.Value) Asks {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return b.asks(v.X).not()
		}
		if b.givenBy(v) != nil && b.plain(v) != v {
			return b.asks(b.plain(v))
		}
	case *ssa.BinOp:
		return b.asksCompared(v)
	case *ssa.Call:
		return b.asksCall(v)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.TypeAssert:
			if isError(t.X) && v.Index == 1 {
				return ClassTrue
			}
		case *ssa.Call:
			return b.asksCall(t)
		}
	}
	return 0
}

func (b *funcBuilder) asksCompared(v *ssa.BinOp) Asks {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return 0
	}
	var a Asks
	switch {
	case isError(v.X) && isNil(v.Y):
		a = b.asksError(v.X)
	case isError(v.Y) && isNil(v.X):
		a = b.asksError(v.Y)
	case isError(v.X) && isError(v.Y), givenError(v.X), givenError(v.Y): // err == io.EOF, status.Code(err) == codes.Aborted
		a = ClassFalse
		if stopError(v.X) || stopError(v.Y) {
			a = StopFalse
		}
	case b.selectsDone(v.X, v.Y):
		a = StopFalse
	}
	if v.Op == token.EQL { // said of v.X != v.Y so far
		return a.not()
	}
	return a
}

// asksError says what it means that an error is not nil.
func (b *funcBuilder) asksError(v ssa.Value) Asks {
	call := b.givenBy(v)
	if call == nil {
		return FailedTrue
	}
	obj := calledObject(call.Common())
	switch {
	case obj == nil:
		return FailedTrue
	case contextMethod(obj, "Err"), contextFunc(obj, "Cause"):
		if b.timed(receiverOf(call.Common())) {
			return 0
		}
		return StopTrue
	case decodes(obj):
		return FailedTrue | Undecoded
	}
	return FailedTrue
}

// asksCall says what the true answer of a call means.
func (b *funcBuilder) asksCall(call *ssa.Call) Asks {
	if givenError(call) {
		for _, arg := range call.Call.Args {
			if stopError(arg) {
				return StopTrue
			}
		}
		return ClassTrue
	}
	if n := b.nodes[call]; n != nil && n.Op == OpCall {
		return AnswerTrue
	}
	return 0
}

// givenError reports whether a value is the result of a call that is given an error, or a method of one.
func givenError(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Convert:
		v = x.X
	case *ssa.Extract:
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if call.Call.IsInvoke() && isError(call.Call.Value) {
		return true
	}
	for _, arg := range call.Call.Args {
		if isError(arg) {
			return true
		}
	}
	return false
}

// stopError reports whether a value is one of the errors of a context that is done.
func stopError(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "context"
}

// selectsDone reports whether a comparison asks if a select has chosen the channel of a context that is done.
func (b *funcBuilder) selectsDone(x, y ssa.Value) bool {
	index, ok := x.(*ssa.Extract)
	if !ok || index.Index != 0 {
		return false
	}
	sel, ok := index.Tuple.(*ssa.Select)
	chosen, isConst := y.(*ssa.Const)
	if !ok || !isConst || chosen.Value == nil {
		return false
	}
	i := int(chosen.Int64())
	if i < 0 || i >= len(sel.States) {
		return false
	}
	call := b.givenBy(sel.States[i].Chan)
	if call == nil {
		return false
	}
	obj := calledObject(call.Common())
	return obj != nil && contextMethod(obj, "Done") && !b.timed(receiverOf(call.Common()))
}

// timed reports whether a context ends by itself: this function has given it a deadline.
func (b *funcBuilder) timed(ctx ssa.Value) bool {
	for range maxTextDepth {
		call := b.givenBy(ctx)
		if call == nil {
			return false
		}
		obj := calledObject(call.Common())
		if obj == nil || len(call.Call.Args) == 0 {
			return false
		}
		if contextFunc(obj, "WithTimeout") || contextFunc(obj, "WithDeadline") || contextFunc(obj, "WithTimeoutCause") || contextFunc(obj, "WithDeadlineCause") {
			return true
		}
		ctx = call.Call.Args[0]
	}
	return false
}

func contextMethod(obj *types.Func, name string) bool {
	return obj.Name() == name && obj.Signature().Recv() != nil && obj.Pkg() != nil && obj.Pkg().Path() == "context"
}

func contextFunc(obj *types.Func, name string) bool {
	return obj.Name() == name && obj.Signature().Recv() == nil && obj.Pkg() != nil && obj.Pkg().Path() == "context"
}

// decodes reports whether a function turns bytes into something, or the other way round, going by its name: what fails in
// there fails again.
func decodes(obj *types.Func) bool {
	for _, prefix := range []string{"Unmarshal", "Decode", "Marshal", "Encode", "Parse", "Deserialize"} {
		if strings.HasPrefix(obj.Name(), prefix) || strings.HasPrefix(obj.Name(), strings.ToLower(prefix)) {
			return true
		}
	}
	return false
}
