package effect

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// A Back says of a step that gives a message back whether the message comes back, and who ends that.
type Back struct {
	// Library is the family of the step's row, of which settings speak, too.
	Library string
	Limit   model.Limit
	// Always says that the message comes back whenever the step is made; Param is the parameter of the function that
	// decides, or -1.
	Always bool
	Param  int
	// Failing says that the message comes back because its handler returns an error.
	Failing bool
}

// An Answer is a place where a function gives a message back by a constant that it returns. Block is where that is decided.
type Answer struct {
	Block int
	Pos   Pos
	Name  string
	Back  Back
}

// A Setting is something that a package says to a library about how often a message is delivered.
type Setting struct {
	Library string
	Does    model.SettingKind
	// Name is what is set, for people; Off says that it is set to no limit, and Default that there is one if nothing is said.
	// Text is the text that it is set to, or is given.
	Name, Text   string
	Off, Default bool
	// Guessed says that it only may be one: a middleware of the program's own.
	Guessed  bool
	Pos      Pos
	Function FuncID
}

// fillBack reads the argument by which a message comes back.
func (b *funcBuilder) fillBack(n *Node, c *ssa.CallCommon, row *model.Row) {
	back := &Back{Library: row.Library, Limit: row.Limit, Param: -1}
	n.Effect.Back = back
	if row.Requeue.IsZero() {
		back.Always = true
		return
	}
	switch v := b.argValue(c, row.Requeue).(type) {
	case *ssa.Const:
		back.Always = constOutcome(v) == NonZero
	case *ssa.Parameter:
		if i, ok := b.params[v]; ok {
			back.Param = i
		}
	}
}

// saysYes lists the arguments that are the constant true.
func saysYes(args []ssa.Value) Bits {
	var yes Bits
	for i, a := range args {
		if c, ok := a.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) {
			yes.Set(i)
		}
	}
	return yes
}

// limits notes what the function says about how often messages are delivered, and whether it asks for it.
func (b *funcBuilder) limits() {
	b.setByWrapping()
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if f, ok := instr.Addr.(*ssa.FieldAddr); ok {
					b.setField(f, instr)
				}
			case ssa.CallInstruction:
				b.setByCall(instr)
				b.noteDecoded(instr.Common())
			case *ssa.MapUpdate:
				b.setKey(instr)
			case *ssa.Return:
				b.answers(instr)
			}
			b.g.Tries = b.g.Tries || looksAtTries(instr)
		}
	}
}

// setByWrapping notes a middleware: a function that makes a handler of a handler.
func (b *funcBuilder) setByWrapping() {
	params, results := b.fn.Signature.Params(), b.fn.Signature.Results()
	if params.Len() == 0 || results.Len() != 1 {
		return
	}
	t := results.At(0).Type()
	if !types.Identical(t, params.At(params.Len()-1).Type()) {
		return
	}
	for _, s := range b.Models.Settings(typeName(t)) {
		if s.Wraps != "" {
			b.set(s, b.g.Name, nil, b.g.Pos)
			b.out.Settings[len(b.out.Settings)-1].Guessed = true
		}
	}
}

func (b *funcBuilder) setField(f *ssa.FieldAddr, st *ssa.Store) {
	owner, name := fieldPath(f)
	if owner == nil || owner.Obj().Pkg() == nil {
		return
	}
	for _, s := range b.Models.Settings(typeName(owner) + "." + name) {
		c, isConst := st.Val.(*ssa.Const)
		if s.Value == "" || isConst && c.Value != nil && c.Value.ExactString() == s.Value {
			b.set(s, owner.Obj().Name()+"."+name, st.Val, b.settingPos(f, st))
		}
	}
}

// fieldPath names a field from the nearest type with a name on: Producer.Idempotent of a Config.
func fieldPath(f *ssa.FieldAddr) (owner *types.Named, path string) {
	path = fieldName(f.X.Type(), f.Field)
	for {
		if named, ok := types.Unalias(deref(f.X.Type())).(*types.Named); ok {
			return named, path
		}
		outer, ok := f.X.(*ssa.FieldAddr)
		if !ok {
			return nil, ""
		}
		f, path = outer, fieldName(outer.X.Type(), outer.Field)+"."+path
	}
}

// settingPos is where a field is set: an assignment, or the field in a literal.
func (b *funcBuilder) settingPos(f *ssa.FieldAddr, st *ssa.Store) Pos {
	if p := b.pos(f.Pos(), 0); p.IsValid() {
		return p
	}
	return b.pos(st.Pos(), 0)
}

func (b *funcBuilder) setByCall(instr ssa.CallInstruction) {
	obj := calledObject(instr.Common())
	if obj == nil {
		return
	}
	for _, s := range b.Models.Settings(model.SymbolOf(obj)) {
		var v ssa.Value
		if args := instr.Common().Args; len(args) > 0 {
			v = args[0]
		}
		if args := stepArgs(instr.Common()); s.Does == model.Metric && len(args) > 0 {
			v = args[0]
		}
		b.set(s, obj.Name(), v, b.callPos(instr))
	}
	for _, arg := range instr.Common().Args { // an option that is handed on as a function
		if fn, ok := b.plain(arg).(*ssa.Function); ok {
			if o, ok := fn.Object().(*types.Func); ok {
				for _, s := range b.Models.Settings(model.SymbolOf(o)) {
					b.set(s, o.Name(), nil, b.callPos(instr))
				}
			}
		}
	}
}

func (b *funcBuilder) setKey(up *ssa.MapUpdate) {
	key, ok := up.Key.(*ssa.Const)
	if !ok || key.Value == nil || key.Value.Kind() != constant.String {
		return
	}
	for _, s := range b.Models.Settings(constant.StringVal(key.Value)) {
		if s.Value != "" {
			v, ok := b.plain(up.Value).(*ssa.Const)
			if !ok || v.Value == nil || v.Value.Kind() != constant.String || constant.StringVal(v.Value) != s.Value {
				continue
			}
		}
		b.set(s, s.Key, nil, b.pos(up.Pos(), 0))
	}
}

func (b *funcBuilder) set(s *model.Setting, name string, v ssa.Value, at Pos) {
	off := s.Off == "call"
	if c, ok := v.(*ssa.Const); ok && s.Off != "" {
		off = off || c.Value != nil && c.Value.ExactString() == s.Off
	}
	text := ""
	if v != nil && isString(v.Type()) {
		text, _ = b.text(v, 0)
	}
	b.out.Settings = append(b.out.Settings, Setting{Text: text, Library: s.Library, Does: s.Does, Name: name, Off: off, Default: s.Default, Pos: at, Function: b.g.ID})
}

// answers finds the constants by which a handler gives its message back.
func (b *funcBuilder) answers(ret *ssa.Return) {
	b.failing(ret)
	for _, v := range ret.Results {
		rows := b.Models.Answers(typeName(v.Type()))
		if len(rows) == 0 {
			continue
		}
		at := b.pos(ret.Pos(), 0)
		if phi, ok := v.(*ssa.Phi); ok {
			for i, edge := range phi.Edges {
				b.answer(rows, edge, phi.Block().Preds[i].Index, at)
			}
			continue
		}
		b.answer(rows, v, ret.Block().Index, at)
	}
}

func (b *funcBuilder) answer(rows []*model.Answer, v ssa.Value, block int, at Pos) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return
	}
	named, ok := types.Unalias(v.Type()).(*types.Named)
	if !ok {
		return
	}
	for _, row := range rows {
		if row.Const == "" {
			continue
		}
		known, ok := named.Obj().Pkg().Scope().Lookup(row.Const).(*types.Const)
		if ok && constant.Compare(known.Val(), token.EQL, c.Value) {
			b.g.Answers = append(b.g.Answers, Answer{Block: block, Pos: at, Name: row.Const, Back: Back{Library: row.Library, Limit: row.Limit, Always: true, Param: -1}})
		}
	}
}

// failing notes an error that a handler returns to a library which then delivers the message again.
func (b *funcBuilder) failing(ret *ssa.Return) {
	n := len(ret.Results)
	if n == 0 || !isError(ret.Results[n-1]) {
		return
	}
	for _, p := range b.fn.Params {
		for _, row := range b.Models.Answers(typeName(deref(p.Type()))) {
			if row.Given == "" {
				continue
			}
			back := Back{Library: row.Library, Limit: row.Limit, Always: true, Param: -1, Failing: true}
			at := b.pos(ret.Pos(), 0)
			if phi, ok := ret.Results[n-1].(*ssa.Phi); ok {
				for i, edge := range phi.Edges {
					if !isNil(edge) {
						b.g.Answers = append(b.g.Answers, Answer{Block: phi.Block().Preds[i].Index, Pos: at, Name: "return", Back: back})
					}
				}
			} else if !isNil(ret.Results[n-1]) {
				b.g.Answers = append(b.g.Answers, Answer{Block: ret.Block().Index, Pos: at, Name: "return", Back: back})
			}
		}
	}
}
