package effect

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// cond says what the two branches of an If prove, and what they look at.
func (b *funcBuilder) cond(v ssa.Value) Cond {
	c := b.proves(v)
	c.Asks = b.asks(v)
	if !b.plainError(v) || b.answersByError(v) {
		c.Data = b.calledIn(b.dataOf(v).add(b.askedThing(v)...))
	}
	if len(c.Data) > 0 {
		c.Words = wordsIn(v)
	}
	c.Deliberate, c.Guarantee = deliberate(v)
	return c
}

// proves says what the two branches prove of variables.
func (b *funcBuilder) proves(v ssa.Value) Cond {
	if test, ok := b.errorTest(v); ok {
		return Cond{Tests: []Test{test}}
	}
	o := b.operand(v)
	if o.Var == 0 {
		return constCond(o)
	}
	tests := []Test{{Var: o.Var, True: NonZero, False: Zero}}
	if cell := b.loadedCell(v); cell != 0 {
		tests = append(tests, Test{Var: cell, True: NonZero, False: Zero})
	}
	if o.Not {
		for i := range tests {
			tests[i].True, tests[i].False = tests[i].False, tests[i].True
		}
	}
	return Cond{Tests: tests}
}

// constCond makes a test of variable 0, whose outcome is given: only one branch can be taken.
func constCond(o Operand) Cond {
	switch o.Const {
	case Zero:
		return Cond{Tests: []Test{{True: NonZero, False: Unknown}}}
	case NonZero:
		return Cond{Tests: []Test{{True: Unknown, False: NonZero}}}
	}
	return Cond{}
}

// loadedCell finds the variable in memory that a condition has just read, so that the branch proves it of that, too.
func (b *funcBuilder) loadedCell(v ssa.Value) Var {
	switch v := v.(type) {
	case *ssa.BinOp:
		if c := b.loadedCell(v.X); c != 0 {
			return c
		}
		return b.loadedCell(v.Y)
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return b.loadedCell(v.X)
		}
		if v.Op == token.MUL {
			return b.cells[v.X]
		}
	}
	return 0
}

// errorTest reads errors.Is(err, X), errors.As(err, &x) and err == ErrX: true means that err is not nil, false nothing.
func (b *funcBuilder) errorTest(v ssa.Value) (Test, bool) {
	switch v := v.(type) {
	case *ssa.Call:
		fn := v.Common().StaticCallee()
		if fn == nil || fn.Signature.Recv() != nil || len(v.Common().Args) == 0 {
			return Test{}, false
		}
		arg := v.Common().Args[0]
		if !strings.HasPrefix(fn.Name(), "Is") && fn.Name() != "As" || !isError(arg) || !isBool(v) {
			return Test{}, false
		}
		return Test{Var: b.operand(arg).Var, True: NonZero}, true
	case *ssa.BinOp:
		if !isError(v.X) || !isError(v.Y) || isNil(v.X) || isNil(v.Y) {
			return Test{}, false
		}
		t := Test{Var: b.operand(v.X).Var, True: NonZero}
		if v.Op == token.NEQ {
			t.True, t.False = Unknown, NonZero
		}
		return t, true
	}
	return Test{}, false
}

func isError(v ssa.Value) bool { return types.Identical(types.Unalias(v.Type()), errorType) }

func isBool(v ssa.Value) bool { return types.Identical(v.Type().Underlying(), types.Typ[types.Bool]) }

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// knownError knows the functions whose error result can be told from their arguments: those that make an error, those
// that wrap one, and recover, which gives nil where nothing panicked.
func (b *funcBuilder) knownError(call *ssa.Call) (Operand, bool) {
	c := call.Common()
	if built, ok := c.Value.(*ssa.Builtin); ok {
		return Operand{Const: Zero}, built.Name() == "recover"
	}
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil || !isError(call) {
		return Operand{}, false
	}
	if first, _, ok := joined(call); ok {
		v := b.follow(call)
		if b.loadMoves[call] == nil {
			b.loadMoves[call] = &Node{Op: OpMove}
			b.loadMoves[call].Moves = []Move{b.move(v, call)}
		}
		_ = first
		return Operand{Var: v}, true
	}
	switch pkg := fn.Pkg.Pkg.Path(); {
	case pkg == "fmt" && fn.Name() == "Errorf", pkg == "errors" && fn.Name() == "New",
		strings.HasPrefix(pkg, "google.golang.org/grpc") && strings.HasPrefix(fn.Name(), "Error"):
		return Operand{Const: NonZero}, true
	case strings.HasSuffix(pkg, "errors") || strings.HasSuffix(pkg, "xerrors"):
		return b.wrapped(fn, c)
	}
	return Operand{}, false
}

// wrapped knows the wrapping functions of errors packages: nil stays nil.
func (b *funcBuilder) wrapped(fn *ssa.Function, c *ssa.CallCommon) (Operand, bool) {
	switch name := fn.Name(); {
	case strings.HasPrefix(name, "Wrap"), strings.HasPrefix(name, "With"), name == "Trace", name == "Cause":
		for _, a := range c.Args {
			if isError(a) {
				return b.operand(a), true
			}
		}
	case strings.HasPrefix(name, "New"), strings.HasSuffix(name, "rrorf"):
		return Operand{Const: NonZero}, true
	}
	return Operand{}, false
}

// joined recognises errors.Join(a, b) and multierr.Append(a, b) and gives the first two arguments.
func joined(call *ssa.Call) (first, second ssa.Value, ok bool) {
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg == nil {
		return nil, nil, false
	}
	args := call.Common().Args
	switch fn.Pkg.Pkg.Path() + "." + fn.Name() {
	case "errors.Join", "go.uber.org/multierr.Combine":
		args = variadic(args[len(args)-1])
	case "go.uber.org/multierr.Append", "github.com/hashicorp/go-multierror.Append":
	default:
		return nil, nil, false
	}
	if len(args) < 2 {
		return nil, nil, false
	}
	return args[0], args[1], true
}

// variadic lists the values that a variadic call puts into its last argument.
func variadic(v ssa.Value) []ssa.Value {
	if ct, ok := v.(*ssa.ChangeType); ok {
		v = ct.X
	}
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	alloc, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var vals []ssa.Value
	for _, ref := range *alloc.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ia {
				vals = append(vals, st.Val)
			}
		}
	}
	return vals
}
