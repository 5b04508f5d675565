package effect

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// operand says what is known of v's outcome: a constant, or the variable that follows it.
func (b *funcBuilder) operand(v ssa.Value) Operand {
	switch v := v.(type) {
	case *ssa.Const:
		return Operand{Const: constOutcome(v)}
	case *ssa.Alloc, *ssa.MakeClosure, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.Function:
		return Operand{Const: NonZero}
	case *ssa.MakeInterface:
		if _, isPtr := v.X.Type().Underlying().(*types.Pointer); isPtr && !isError(v) { // an error that holds a pointer is not nil
			return b.operand(v.X)
		}
		return Operand{Const: NonZero}
	case *ssa.ChangeInterface:
		return b.operand(v.X)
	case *ssa.ChangeType:
		return b.operand(v.X)
	case *ssa.Phi:
		return Operand{Var: b.follow(v)}
	case *ssa.Parameter:
		return b.paramOperand(v)
	case *ssa.UnOp:
		return b.unaryOperand(v)
	case *ssa.BinOp:
		return b.compareOperand(v)
	case *ssa.Call:
		return b.callOperand(v, v, 0)
	case *ssa.Extract:
		return b.extractOperand(v)
	case *ssa.TypeAssert:
		return b.assertOperand(v, v)
	}
	return Operand{}
}

func constOutcome(c *ssa.Const) Outcome {
	switch {
	case c.Value == nil:
		return Zero
	case c.Value.Kind() == constant.Bool:
		if constant.BoolVal(c.Value) {
			return NonZero
		}
		return Zero
	}
	return Unknown
}

// follow gives v a variable of its own.
func (b *funcBuilder) follow(v ssa.Value) Var {
	x, ok := b.vars[v]
	if !ok {
		x = b.addVar()
		b.vars[v] = x
	}
	return x
}

func (b *funcBuilder) paramOperand(p *ssa.Parameter) Operand {
	if !types.Identical(types.Unalias(p.Type()), errorType) {
		return Operand{}
	}
	param := &b.g.Params[b.params[p]]
	if param.Var == 0 {
		param.Var = b.addVar()
		b.vars[p] = param.Var
	}
	return Operand{Var: param.Var}
}

func (b *funcBuilder) unaryOperand(v *ssa.UnOp) Operand {
	switch v.Op {
	case token.NOT:
		o := b.operand(v.X)
		return negate(o)
	case token.MUL:
		return b.loadOperand(v)
	}
	return Operand{}
}

func negate(o Operand) Operand {
	switch o.Const {
	case Zero:
		o.Const = NonZero
	case NonZero:
		o.Const = Zero
	}
	if o.Var != 0 {
		o.Not = !o.Not
	}
	return o
}

// loadOperand follows a variable that lives in memory: a named result, a variable that a closure captures. A package
// variable of type error is a sentinel and not nil.
func (b *funcBuilder) loadOperand(v *ssa.UnOp) Operand {
	if _, isGlobal := v.X.(*ssa.Global); isGlobal && types.Identical(types.Unalias(v.Type()), errorType) {
		return Operand{Const: NonZero}
	}
	if call := b.errorFieldOf(v); call != nil {
		return Operand{Var: b.outcomeVar(call)}
	}
	cell := b.cell(v.X)
	if cell == 0 {
		return Operand{}
	}
	to := b.follow(v)
	if b.loadMoves[v] == nil {
		b.loadMoves[v] = &Node{Op: OpMove, Moves: []Move{{To: to, From: Operand{Var: cell}}}}
	}
	return Operand{Var: to}
}

// cell gives the variable that follows what a local address holds, or 0. Every store to it becomes a move.
func (b *funcBuilder) cell(addr ssa.Value) Var {
	if v, ok := b.cells[addr]; ok {
		return v
	}
	switch addr := addr.(type) {
	case *ssa.Alloc:
		return b.allocCell(addr)
	case *ssa.FreeVar:
		if resultKind(b.packageBuilder, deref(addr.Type())) == OpaqueResult || addressTaken(addr, 0) {
			return 0
		}
		v := b.addVar()
		b.cells[addr] = v
		b.g.FreeVars[b.frees[addr]].Var = v
		b.storesInto(addr, v)
		return v
	}
	return 0
}

func (b *funcBuilder) allocCell(a *ssa.Alloc) Var {
	if resultKind(b.packageBuilder, deref(a.Type())) == OpaqueResult || addressTaken(a, 0) {
		return 0
	}
	v := b.addVar()
	b.cells[a] = v
	b.loadMoves[a] = &Node{Op: OpMove, Moves: []Move{{To: v, From: Operand{Const: Zero}}}}
	b.storesInto(a, v)
	return v
}

// addressTaken reports whether the address of a variable goes to somebody who may write through it: row.Scan(&found).
// Closures that capture it are looked into.
func addressTaken(addr ssa.Value, depth int) bool {
	if depth > 4 {
		return true
	}
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Val == addr {
				return true
			}
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Defer: // defer measure(&err): it runs when all has been decided, and mostly only looks
		case ssa.CallInstruction: // conclude(tx, &err): it may set an error that was nil, which is its own outcome
			if fn := ref.Common().StaticCallee(); fn == nil || fn.Blocks == nil {
				return true
			}
		case *ssa.MakeClosure:
			if slices.ContainsFunc(capturedAs(ref, addr), func(free *ssa.FreeVar) bool { return addressTaken(free, depth+1) }) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (b *funcBuilder) storesInto(addr ssa.Value, v Var) {
	for _, ref := range *addr.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == addr {
			m := b.move(v, st.Val)
			if m.Or == (Operand{}) { // a function that defers keeps its results in memory until it returns
				m.From = failing(m.From, st.Val, st.Block())
			}
			b.loadMoves[st] = &Node{Op: OpMove, Moves: []Move{m}}
		}
	}
}

// move assigns val's outcome to v; errors.Join of two is non-nil when either is.
func (b *funcBuilder) move(v Var, val ssa.Value) Move {
	if call, ok := val.(*ssa.Call); ok {
		if first, second, ok := joined(call); ok {
			return Move{To: v, From: b.operand(first), Or: b.operand(second)}
		}
	}
	return Move{To: v, From: b.operand(val)}
}

// compareOperand reads x == nil, x != nil and comparisons with true and false.
func (b *funcBuilder) compareOperand(v *ssa.BinOp) Operand {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return Operand{}
	}
	x, c := v.X, v.Y
	if _, isConst := x.(*ssa.Const); isConst {
		x, c = c, x
	}
	k, isConst := c.(*ssa.Const)
	if !isConst {
		return Operand{}
	}
	outcome := constOutcome(k)
	if outcome == Unknown {
		return Operand{}
	}
	o := b.operand(x)
	if (v.Op == token.EQL) == (outcome == Zero) {
		return negate(o)
	}
	return o
}

func (b *funcBuilder) extractOperand(v *ssa.Extract) Operand {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return b.callOperand(v, t, v.Index)
	case *ssa.TypeAssert:
		return b.assertOperand(v, t)
	}
	return Operand{}
}

// assertOperand follows a value taken out of a context by a type assertion: it is there exactly when the context
// carries a transaction, if its type says that it must be one.
func (b *funcBuilder) assertOperand(v ssa.Value, t *ssa.TypeAssert) Operand {
	if !b.fromContext(t.X) {
		if _, plain := v.(*ssa.TypeAssert); plain {
			return b.operand(t.X)
		}
		return Operand{}
	}
	to := b.follow(t)
	if b.loadMoves[t] == nil {
		b.loadMoves[t] = &Node{Op: OpPresence, Out: []Var{to}, Tested: b.rootsOf(t.X), Strict: b.canBeTx(t.AssertedType, 2)}
	}
	return Operand{Var: to}
}

// fromContext reports whether v is the result of a context's Value method.
func (b *funcBuilder) fromContext(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	c := call.Common()
	return c.IsInvoke() && c.Method.Name() == "Value" && isContext(c.Value.Type())
}

// callOperand follows result i of a call; v is the value that stands for it.
func (b *funcBuilder) callOperand(v ssa.Value, call *ssa.Call, i int) Operand {
	if o, ok := b.knownError(call); ok {
		return o
	}
	n := b.nodes[call]
	if n == nil {
		if src := b.outcomeSource(call); src != nil && types.Identical(types.Unalias(v.Type()), errorType) {
			return Operand{Var: b.outcomeVar(src)}
		}
		return Operand{}
	}
	if n.Effect != nil {
		if !isError(v) {
			return Operand{} // a row, a count: its own outcome is not followed
		}
		x := b.outcomeVar(call)
		b.vars[v] = x
		return Operand{Var: x}
	}
	for len(n.Out) <= i {
		n.Out = append(n.Out, 0)
	}
	if n.Out[i] == 0 {
		n.Out[i] = b.follow(v)
	}
	return Operand{Var: n.Out[i]}
}

// outcomeVar is the variable that says whether the effect of a call succeeded. Effects keep it in Out[0], wherever the
// code looks at it: an error result, gorm's Error field, the Scan of a returned row.
func (b *funcBuilder) outcomeVar(call *ssa.Call) Var {
	n := b.nodes[call]
	if len(n.Out) == 0 {
		n.Out = []Var{b.addVar()}
	}
	return n.Out[0]
}

// errorFieldOf recognises a load of the field Error of what an effect returned: gorm.
func (b *funcBuilder) errorFieldOf(load *ssa.UnOp) *ssa.Call {
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || !types.Identical(types.Unalias(load.Type()), errorType) {
		return nil
	}
	return b.effectCall(fa.X)
}

// outcomeSource recognises a library method that hands out the error of an effect's result: row.Scan(…), cmd.Err().
func (b *funcBuilder) outcomeSource(call *ssa.Call) *ssa.Call {
	c := call.Common()
	if recv := receiverOf(c); recv != nil {
		return b.effectCall(recv)
	}
	return nil
}

// effectCall gives the effect's call that v is the only result of.
func (b *funcBuilder) effectCall(v ssa.Value) *ssa.Call {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if n := b.nodes[call]; n != nil && n.Effect != nil && n.Mode == Now {
		return call
	}
	if b.nodes[call] == nil { // res.Error after tx.Create(x).Omit(…), row.Scan after a conversion
		return b.outcomeSource(call)
	}
	return nil
}

func receiverOf(c *ssa.CallCommon) ssa.Value {
	if c.IsInvoke() {
		return c.Value
	}
	if fn := c.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(c.Args) > 0 {
		return c.Args[0]
	}
	return nil
}
