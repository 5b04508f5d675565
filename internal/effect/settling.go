package effect

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// ConfirmedKind is the kind of a consumer, or of a channel of messages, whose messages are confirmed when they are handed
// out. Behind a colon stands the step that has chosen that, where it is not the receipt itself: see [ChosenAt].
const ConfirmedKind = "confirmed"

// settlingOf says how the messages of a receipt, a subscription or a consumer are confirmed, as far as the call shows it.
// Options that are not in sight may say anything.
func (b *funcBuilder) settlingOf(c *ssa.CallCommon, row *model.Row) model.Settling {
	if row.Settles == "" {
		return ""
	}
	list, sure := b.optionsOf(c)
	for _, o := range row.Unless {
		if slices.Contains(list, o) {
			return ""
		}
	}
	if len(row.Unless) > 0 && !sure {
		return ""
	}
	if row.Settles != model.OnReceipt {
		if slices.ContainsFunc(row.With, func(o string) bool { return slices.Contains(list, o) }) {
			return model.OnReceipt
		}
		return row.Settles
	}
	if row.When.IsZero() && len(row.With) == 0 || b.saysYes(c, row.When) || slices.ContainsFunc(row.With, func(o string) bool { return slices.Contains(list, o) }) {
		return model.OnReceipt
	}
	return ""
}

// optionsOf lists the options and the settings of a configuration ("key=value") among the arguments of a call; sure means
// that none is out of sight.
func (b *funcBuilder) optionsOf(c *ssa.CallCommon) (list []string, sure bool) {
	sure = true
	for i, a := range c.Args {
		a = b.plain(a)
		switch t := a.Type().Underlying().(type) {
		case *types.Slice:
			if !c.Signature().Variadic() || i != len(c.Args)-1 {
				continue
			}
			if isNil(a) {
				continue
			}
			for _, v := range variadic(a) {
				list = append(list, optionName(v))
			}
			sure = sure && len(variadic(a)) > 0 && !slices.Contains(list, "")
		case *types.Pointer:
			if _, ok := t.Elem().Underlying().(*types.Map); ok {
				settings, known := b.settings(a)
				list, sure = append(list, settings...), sure && known
			}
		case *types.Map:
			settings, known := b.settings(a)
			list, sure = append(list, settings...), sure && known
		}
	}
	return list, sure
}

// optionName is the name of the function that makes an option, or "".
func optionName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return optionName(v.X)
	case *ssa.ChangeInterface:
		return optionName(v.X)
	case *ssa.ChangeType:
		return optionName(v.X)
	case *ssa.Call:
		if obj := calledObject(v.Common()); obj != nil {
			return obj.Name()
		}
	case *ssa.UnOp:
		return optionName(v.X)
	case *ssa.Global:
		return v.Name()
	case *ssa.Function:
		return v.Name()
	}
	return ""
}

// settings lists what a map of settings holds. One whose value is not known counts as if it had every value.
func (b *funcBuilder) settings(v ssa.Value) (list []string, known bool) {
	entries, known := b.entries(v)
	for _, e := range entries {
		value := e.value
		if mi, ok := value.(*ssa.MakeInterface); ok {
			value = mi.X
		}
		if c, ok := value.(*ssa.Const); ok && c.Value != nil {
			text := c.Value.ExactString()
			if c.Value.Kind() == constant.String {
				text = constant.StringVal(c.Value)
			}
			list = append(list, e.key+"="+text)
			continue
		}
		list = append(list, e.key+"=true", e.key+"=false")
	}
	return list, known && len(list) > 0
}

// saysYes reports whether an argument, or a field of one, is true, or a text that is not empty.
func (b *funcBuilder) saysYes(c *ssa.CallCommon, arg model.Arg) bool {
	v := b.argValue(c, arg)
	if v == nil || arg.IsZero() {
		return false
	}
	if arg.Field == "" {
		k, ok := v.(*ssa.Const)
		return ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value)
	}
	a := localObject(v)
	if a == nil {
		if load, ok := v.(*ssa.UnOp); ok {
			a, _ = load.X.(*ssa.Alloc)
		}
	}
	if a == nil {
		return false
	}
	st, ok := deref(a.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == arg.Field {
			return slices.ContainsFunc(b.contentOf(a).fields[i], func(v ssa.Value) bool {
				k, ok := v.(*ssa.Const)
				return !ok || k.Value != nil && k.Value.ExactString() != `""`
			})
		}
	}
	return false
}

// confirmedRoot marks the result of a call that makes a consumer, or gives a channel, of messages that are confirmed when
// they are handed out.
func (b *funcBuilder) confirmedRoot(call *ssa.Call, row *model.Row, rs Roots) Roots {
	if b.settlingOf(call.Common(), row) != model.OnReceipt {
		return rs
	}
	name := ConfirmedKind
	if n := b.nodes[call]; n != nil {
		name += ":" + string(b.g.ID) + "#" + strconv.Itoa(n.ID)
	}
	return rs.add(Root{Kind: KindRoot, Name: name})
}

// ChosenAt gives the function and the node of the step that a kind of confirmed messages was chosen at.
func ChosenAt(kind string) (FuncID, int, bool) {
	rest, ok := strings.CutPrefix(kind, ConfirmedKind+":")
	i := strings.LastIndexByte(rest, '#')
	if !ok || i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(rest[i+1:])
	return FuncID(rest[:i]), n, err == nil
}

// choose gives a node to the call by which a channel of messages is opened, if it says that these are confirmed when they
// come out: that is where a reviewer looks.
func (b *funcBuilder) choose(instr ssa.CallInstruction, row *model.Row) {
	call, ok := instr.(*ssa.Call)
	if !ok || b.settlingOf(instr.Common(), row) != model.OnReceipt {
		return
	}
	b.newNode(call).Op = OpMove
}

// handedOn names the work that is sent on a channel of the program's own: whoever receives from it does the rest.
func (b *funcBuilder) handedOn(ch ssa.Value) string {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return ""
	}
	return b.workType(t.Elem())
}

// answers reports whether a type is named for what comes back rather than for work that is to be done.
func answers(name string) bool {
	return slices.ContainsFunc([]string{"Reply", "Response", "Result", "Answer", "Error", "Ack", "Status", "Log", "Metric"}, func(w string) bool { return strings.Contains(name, w) })
}

// workType names the type of what is sent on a channel if it is work that somebody else does: an object of a named type.
// One that brings along a channel or a function can tell the sender how it went.
func (b *funcBuilder) workType(t types.Type) string {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	named, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok {
		return ""
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 || named.Obj().Pkg() == nil || replies(st, 0) {
		return ""
	}
	if answers(named.Obj().Name()) || named.Obj().Pkg().Path() == "time" || named.Obj().Pkg().Path() == "os" {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}

// replies reports whether an object holds a channel, a function or something to wait for.
func replies(st *types.Struct, depth int) bool {
	for f := range st.Fields() {
		switch u := f.Type().Underlying().(type) {
		case *types.Chan, *types.Signature:
			return true
		case *types.Struct:
			if depth < 3 && replies(u, depth+1) {
				return true
			}
		}
	}
	return false
}

// waits reports whether a receive waits for work that was started elsewhere: not for a message, a timer, a signal or the
// end of a context.
func (b *funcBuilder) waits(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok || b.carriesMessage(t.Elem()) || b.receiveRow(ch, 0) != nil {
		return false
	}
	if name := typeName(deref(t.Elem())); name == "time.Time" || name == "os.Signal" {
		return false
	}
	if call, ok := ch.(*ssa.Call); ok {
		if obj := calledObject(call.Common()); obj != nil && (obj.Name() == "Done" || obj.Name() == "After" || obj.Name() == "Tick") {
			return false
		}
	}
	return b.workType(t.Elem()) == ""
}

// findWait marks a receive that waits for something, and notes what work is taken.
func (b *funcBuilder) findWait(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op != token.ARROW {
			return
		}
		b.noteTaken(instr.X)
		if b.waits(instr.X) {
			b.mark(instr, model.Wait)
		}
	case *ssa.Select:
		for _, st := range instr.States {
			if st.Dir == types.RecvOnly {
				b.noteTaken(st.Chan)
			}
		}
	}
}

// noteTaken notes what work a function takes from channels.
func (b *funcBuilder) noteTaken(ch ssa.Value) {
	if t := b.handedOn(ch); t != "" && !slices.Contains(b.g.Takes, t) {
		b.g.Takes = append(b.g.Takes, t)
	}
}

// findKept marks a step by which a function keeps, where an error was found, that something has failed: it is
// looked at later.
func (b *funcBuilder) findKept(instr ssa.Instruction, block *ssa.BasicBlock) {
	kept := false
	switch i := instr.(type) {
	case *ssa.Call:
		built, ok := i.Call.Value.(*ssa.Builtin)
		kept = ok && built.Name() == "append"
		if endsProcess(&i.Call) {
			b.mark(instr, model.Keep)
		}
	case *ssa.MapUpdate:
		kept = true
	case *ssa.Send:
		kept = true
	case *ssa.BinOp:
		basic, ok := i.Type().Underlying().(*types.Basic)
		kept = i.Op == token.ADD && ok && basic.Info()&types.IsInteger != 0
	case *ssa.Store:
		switch a := i.Addr.(type) {
		case *ssa.FreeVar, *ssa.Global:
			kept = true
		case *ssa.FieldAddr:
			_, local := a.X.(*ssa.Alloc)
			kept = !local
		}
		if kept && isError(i.Val) && !isNil(i.Val) { // an error is kept as it is
			b.mark(instr, model.Keep)
			return
		}
	}
	if kept && afterError(block) {
		b.mark(instr, model.Keep)
	}
}

// afterError reports whether a block is only reached when an error is not nil.
func afterError(block *ssa.BasicBlock) bool {
	for d := block; d != nil && d.Idom() != nil; d = d.Idom() {
		pred := d.Idom()
		branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
		if !ok || len(d.Preds) != 1 {
			continue
		}
		cmp, ok := branch.Cond.(*ssa.BinOp)
		if ok && isError(cmp.X) && isNil(cmp.Y) && (cmp.Op == token.NEQ) == (pred.Succs[0] == d) {
			return true
		}
	}
	return false
}

// collected reports whether a call is given a list that the function has put together: of the messages that went well.
func (b *funcBuilder) collected(c *ssa.CallCommon) bool {
	return slices.ContainsFunc(c.Args, func(a ssa.Value) bool { return b.appended(a, 0) })
}

func (b *funcBuilder) appended(v ssa.Value, depth int) bool {
	if depth > 6 || v == nil {
		return false
	}
	any := func(vs []ssa.Value) bool {
		return slices.ContainsFunc(vs, func(v ssa.Value) bool { return b.appended(v, depth+1) })
	}
	switch v := v.(type) {
	case *ssa.Call:
		built, ok := v.Call.Value.(*ssa.Builtin)
		return ok && built.Name() == "append"
	case *ssa.Phi:
		return any(v.Edges)
	case *ssa.Slice:
		return b.appended(v.X, depth+1)
	case *ssa.ChangeType:
		return b.appended(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.appended(v.X, depth+1)
	case *ssa.UnOp:
		return b.appended(v.X, depth+1)
	case *ssa.Alloc:
		content := b.contentOf(v)
		for _, vs := range content.fields {
			if any(vs) {
				return true
			}
		}
		return any(content.whole)
	}
	return false
}

// endsProcess reports whether a call does not come back: log.Fatal, logger.Fatalw, os.Exit. What has failed is then not
// confirmed.
func endsProcess(c *ssa.CallCommon) bool {
	obj := calledObject(c)
	return obj != nil && (strings.HasPrefix(obj.Name(), "Fatal") || strings.HasPrefix(obj.Name(), "Panic") || obj.FullName() == "os.Exit")
}

// mark makes a step without a handle, at which no finding can stand: it has no number, so that the others keep theirs.
func (b *funcBuilder) mark(instr ssa.Instruction, kind model.Effect) {
	b.marks[instr] = &Node{Op: OpEffect, Pos: b.pos(instr.Pos(), 0), Label: string(kind), Effect: &Effect{Kind: kind}}
}

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
	return slices.ContainsFunc([]string{"at_least_once", "at_most_once", "fire_and_forget", "auto_ack", "autoack", "best_effort", "async"},
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
