package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// findCall decides what a call is and gives it a node if it can matter: an effect, a call of something in the program,
// or a library call that is handed a closure.
func (b *funcBuilder) findCall(instr ssa.CallInstruction) {
	c := instr.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	if rows := b.rowsFor(c); len(rows) > 0 {
		b.findEffect(instr, rows)
		return
	}
	b.hearsOfLock(c)
	switch {
	case c.IsInvoke():
		if b.followInterface(c) {
			b.callNode(instr).Method = b.methodKey(c)
			return
		}
	case isDynamic(c):
		b.callNode(instr)
		return
	default:
		if fn, _ := unwrap(c.StaticCallee()); b.inProgram(fn) {
			b.callNode(instr).Callee = idOf(fn)
			return
		}
	}
	b.findLibraryCall(instr)
}

func (b *funcBuilder) callNode(instr ssa.CallInstruction) *Node {
	n := b.newNode(instr)
	n.Op = OpCall
	return n
}

// findLibraryCall keeps a library call without a model if it is handed a closure, which it may run; one that is handed
// a transaction is counted as unknown.
func (b *funcBuilder) findLibraryCall(instr ssa.CallInstruction) {
	c := instr.Common()
	closures := false
	for _, a := range c.Args {
		switch b.role(a.Type()) {
		case FuncType:
			closures = true
		case TxOnly:
			if len(b.rowsFor(c)) == 0 {
				b.out.Stats.Unknown[b.symbol(c)]++
			}
		}
	}
	if closures && !registers(c) {
		b.callNode(instr)
	}
}

// registers reports whether a library function keeps its closure for later, going by its name: a route, a hook, a timer.
func registers(c *ssa.CallCommon) bool {
	name := ""
	switch {
	case c.IsInvoke():
		name = c.Method.Name()
	case c.StaticCallee() != nil:
		name = c.StaticCallee().Name()
	}
	for _, prefix := range []string{"Handle", "Register", "On", "Add", "Set", "Use", "Get", "Put", "Post", "Patch", "Delete",
		"GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "Any", "Group", "Route", "Subscribe", "Method", "With",
		"Option", "AfterFunc", "Schedule", "Every", "Cron", "Invoke", "Provide", "Append", "Serve", "Listen", "Hook", "Wrap", "New"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (b *funcBuilder) inProgram(fn *ssa.Function) bool {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	fn = outermost(fn)
	pkg := fn.Pkg
	if pkg == nil {
		if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil {
			return b.programPackage(obj.Pkg().Path())
		}
		return false
	}
	return b.programPackage(pkg.Pkg.Path())
}

func (b *funcBuilder) programPackage(path string) bool { return path == b.out.Path || b.Program(path) }

// followInterface reports whether calls of an interface method are followed to their implementations: those of the
// standard library have too many that have nothing to do with delivery, and of a modelled library's the rows say all.
func (b *funcBuilder) followInterface(c *ssa.CallCommon) bool {
	if c.Method.Pkg() == nil || b.Models.HasPackage(c.Method.Pkg().Path()) {
		return false
	}
	if _, isParam := types.Unalias(c.Value.Type()).(*types.TypeParam); isParam {
		return true
	}
	first, _, _ := strings.Cut(c.Method.Pkg().Path(), "/")
	return strings.Contains(first, ".") || b.programPackage(c.Method.Pkg().Path())
}

// methodKey names the interface method that is called and remembers the interface for the linker.
func (b *funcBuilder) methodKey(c *ssa.CallCommon) MethodKey {
	t := types.Unalias(c.Value.Type())
	if p, ok := t.(*types.TypeParam); ok {
		t = types.Unalias(p.Constraint())
	}
	if named, ok := t.(*types.Named); ok {
		t = named.Origin()
	}
	name := typeName(t)
	if name == "" {
		name = types.TypeString(t, nil)
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		b.Interfaces[name] = iface
	}
	return MethodKey{Iface: name, Name: c.Method.Name()}
}

// rowsFor gives the model rows of the called function: by symbol, or by the convention of generated code.
func (b *funcBuilder) rowsFor(c *ssa.CallCommon) []*model.Row {
	obj := calledObject(c)
	if obj == nil {
		return nil
	}
	if rows := b.Models.Lookup(obj); len(rows) > 0 {
		return rows
	}
	return b.patternRows(obj)
}

func calledObject(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	fn := c.StaticCallee()
	if fn == nil {
		return nil
	}
	fn, _ = unwrap(fn)
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	return obj
}

// patternRows matches a method of a generated package against the patterns of its generator.
func (b *funcBuilder) patternRows(obj *types.Func) []*model.Row {
	recv := obj.Signature().Recv()
	if recv == nil || obj.Pkg() == nil {
		return nil
	}
	if row := clientRow(obj, recv); row != nil {
		return []*model.Row{row}
	}
	generator := b.out.Generator
	if obj.Pkg().Path() != b.out.Path {
		generator = ""
		if b.Generator != nil {
			generator = b.Generator(obj.Pkg().Path())
		}
	}
	if generator == "" {
		return nil
	}
	named, ok := types.Unalias(deref(recv.Type())).(*types.Named)
	if !ok {
		return nil
	}
	var rows []*model.Row
	for _, p := range b.Models.Patterns() {
		if p.Generated == generator && glob(p.Receiver, named.Obj().Name()) && glob(p.Method, obj.Name()) {
			if p.Effect == model.Begin && b.givenFunc(obj) {
				continue // it runs what it is given in a transaction, rather than begin one for others
			}
			row := p.Row
			row.Symbol = named.Obj().Name() + "." + obj.Name()
			if p.TrimReceiver != "" {
				row.Table = model.Arg{Kind: model.Recv, Field: strings.TrimSuffix(named.Obj().Name(), p.TrimReceiver)}
			}
			rows = append(rows, &row)
		}
	}
	return rows
}

func (b *funcBuilder) givenFunc(obj *types.Func) bool {
	for v := range obj.Signature().Params().Variables() {
		if b.role(v.Type()) == FuncType {
			return true
		}
	}
	return false
}

// glob matches a name against a pattern with at most one "*" at either end.
func glob(pattern, name string) bool {
	switch {
	case pattern == "" || pattern == "*":
		return true
	case strings.HasPrefix(pattern, "*"):
		return len(name) > len(pattern)-1 && strings.HasSuffix(name, pattern[1:])
	case strings.HasSuffix(pattern, "*"):
		return strings.HasPrefix(name, pattern[:len(pattern)-1])
	}
	return pattern == name
}

func (b *funcBuilder) symbol(c *ssa.CallCommon) string {
	if obj := calledObject(c); obj != nil {
		return model.SymbolOf(obj)
	}
	return c.Description()
}

// fillNodes describes every node's call: arguments, closures, the effect.
func (b *funcBuilder) fillNodes() {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			n := b.nodes[instr]
			if n == nil {
				continue
			}
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				b.fillCall(n, instr)
			case *ssa.UnOp, *ssa.Extract:
				b.fillReceive(n, instr.(ssa.Value))
			case *ssa.Send:
				b.fillSend(n, instr, instr.Chan, instr.X)
			case *ssa.Select:
				b.fillSelect(n, instr)
			case *ssa.Lookup:
				b.fillMap(n, instr, instr.X, instr.Index)
			case *ssa.MapUpdate:
				b.fillMap(n, instr, instr.Map, instr.Key)
			case *ssa.Return:
				b.fillReturn(n, instr)
			}
		}
	}
}

func (b *funcBuilder) fillCall(n *Node, instr ssa.CallInstruction) {
	c := instr.Common()
	switch instr.(type) {
	case *ssa.Defer:
		n.Mode = Deferred
	case *ssa.Go:
		n.Mode = Started
	}
	n.Pos = b.callPos(instr)
	n.Label = b.label(c)
	n.Shrugged = b.shrugged(instr)
	n.Texts = statesGiven(c)
	n.Mends, n.Collected = afterError(instr.Block()), b.collected(c)
	args := c.Args
	switch {
	case c.IsInvoke():
		args = append([]ssa.Value{c.Value}, c.Args...)
	case n.Dispatched:
		args = append([]ssa.Value{nil}, c.Args...)
	}
	for _, a := range args {
		if a == nil {
			n.Args, n.ArgData, n.ArgFacts = append(n.Args, nil), append(n.ArgData, nil), append(n.ArgFacts, Operand{})
			continue
		}
		n.Args = append(n.Args, b.rootsOf(a).add(b.textArgument(a)...))
		n.ArgData = append(n.ArgData, b.argumentData(c, a))
		n.ArgFacts = append(n.ArgFacts, b.argumentFact(a))
	}
	n.Parts = b.partsOfArgs(args)
	n.StatesFrom, n.StateWord = b.statesOf(c.Args)
	if n.ArgFacts = trimFacts(n.ArgFacts); n.Effect != nil {
		b.fillEffect(n, instr)
		return
	}
	b.countStatement(n)
	n.Yes = saysYes(args)
	n.Said, n.Sent, n.Picks = b.saidArgs(args), b.sentOn(args), b.picks(stepArgs(c))
	b.fillTraits(n, c, args)
	switch {
	case isDynamic(c):
		n.Fun = b.rootsOf(c.Value)
		n.FunElem = fromContainer(n.Fun)
		if mc, ok := c.Value.(*ssa.MakeClosure); ok { // what the closure captures is data of the call
			n.ArgData = append(n.ArgData, b.dataOf(mc))
		}
	case n.Callee == "" && n.Method.IsZero():
		for _, a := range c.Args {
			if b.role(a.Type()) == FuncType {
				n.Calls = append(n.Calls, b.rootsOf(a))
			}
		}
	}
}

// countStatement counts a statement that goes to an interface of the program's own, which a pool or a transaction
// satisfies: only the linker will know which.
func (b *funcBuilder) countStatement(n *Node) {
	if n.Method.IsZero() {
		return
	}
	for _, roots := range n.Args {
		for _, r := range roots {
			if r.Kind == TextRoot {
				e := &Effect{Kind: model.SQL}
				ApplySQL(e, r.Name)
				b.count(e)
				return
			}
		}
	}
}

func fromContainer(rs Roots) bool {
	return slices.ContainsFunc(rs, func(r Root) bool { return r.Elem })
}

// argumentData is the data in an argument. The receiver of the function itself and machinery count for nothing.
func (b *funcBuilder) argumentData(c *ssa.CallCommon, a ssa.Value) Origins {
	if mi, ok := a.(*ssa.MakeInterface); ok && receiverOf(c) != a {
		return b.argumentData(c, mi.X) // what an interface holds decides: an event is data, a client is not
	}
	if b.service(a.Type()) && b.role(a.Type()) != FuncType {
		return nil
	}
	if receiverOf(c) == a {
		w := &dataWalk{funcBuilder: b}
		if w.fromReceiver(a) || w.fieldOfReceiver(a) {
			return nil
		}
	}
	return b.dataOf(a)
}

// fieldOfReceiver reports whether a is read from a field of the method's receiver: s.repo.Save(x) is no data of s.
func (w *dataWalk) fieldOfReceiver(a ssa.Value) bool {
	switch a := a.(type) {
	case *ssa.UnOp:
		return w.fieldOfReceiver(a.X)
	case *ssa.FieldAddr:
		return w.fromReceiver(a.X) || w.fieldOfReceiver(a.X)
	case *ssa.Field:
		return w.fromReceiver(a.X) || w.fieldOfReceiver(a.X)
	case *ssa.MakeInterface:
		return w.fieldOfReceiver(a.X)
	}
	return false
}

func (b *funcBuilder) argumentFact(a ssa.Value) Operand {
	if !isError(a) {
		return Operand{}
	}
	return b.operand(a)
}

func trimFacts(facts []Operand) []Operand {
	for _, f := range facts {
		if f != (Operand{}) {
			return facts
		}
	}
	return nil
}

// callPos is where a call is reported: the line that the statement's last method stands on for a chain, else its start.
func (b *funcBuilder) callPos(instr ssa.CallInstruction) Pos {
	return b.pos(instr.Pos(), 0)
}

// label names a call for people.
func (b *funcBuilder) label(c *ssa.CallCommon) string {
	if obj := calledObject(c); obj != nil {
		return displayObject(obj)
	}
	return strings.TrimPrefix(c.Value.Name(), "t")
}
