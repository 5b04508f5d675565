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

// States says what a function does about the state of things: how far an order is, how old a row. Types are those of what
// has the field, "" for a variable.
type States struct {
	// Asked are the types of what is asked for its state or version, in conditions and in what is returned as an answer.
	Asked []string
	// Set are the types of what a state is assigned to.
	Set []string
	// Aged says that something that was read is given the version, or the time of change, of something else.
	Aged bool
	// Now says that a condition compares when something was changed with the time right now.
	Now bool
}

// findStates notes what the function asks and sets.
func (b *funcBuilder) findStates() {
	s := &States{}
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case *ssa.If:
				b.askedIn(s, instr.Cond, 0)
			case *ssa.Return:
				for _, v := range instr.Results {
					if isBool(v) {
						b.askedIn(s, v, 0)
					}
				}
			case *ssa.Lookup: // a table of what may follow what
				b.askedIn(s, instr.Index, 0)
			case *ssa.Store:
				if f, ok := instr.Addr.(*ssa.FieldAddr); ok {
					b.setIn(s, f, instr.Val)
				}
			}
		}
	}
	if len(s.Asked)+len(s.Set) > 0 || s.Now || s.Aged {
		b.g.States = s
	}
}

// setIn notes a field that is assigned.
func (b *funcBuilder) setIn(s *States, f *ssa.FieldAddr, v ssa.Value) {
	name, owner := fieldName(f.X.Type(), f.Field), typeName(deref(f.X.Type()))
	if NamesState(name) {
		s.Set = addName(s.Set, owner)
	}
	if !NamesVersion(name) || localObject(f.X) != nil {
		return
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return
	}
	if from, ok := load.X.(*ssa.FieldAddr); ok && NamesVersion(fieldName(from.X.Type(), from.Field)) && typeName(deref(from.X.Type())) != owner {
		s.Aged = true
	}
}

func addName(names []string, name string) []string {
	if !slices.Contains(names, name) {
		names = append(names, name)
	}
	return names
}

// maxAsked bounds how deep an expression is looked into.
const maxAsked = 6

// askedIn looks for states and versions in an expression that decides something.
func (b *funcBuilder) askedIn(s *States, v ssa.Value, depth int) {
	if v == nil || depth > maxAsked {
		return
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		b.askedField(s, v.X.Type(), v.Field)
	case *ssa.Field:
		b.askedField(s, v.X.Type(), v.Field)
	case *ssa.Alloc:
		if tellsHowFar(v.Comment) {
			s.Asked = addName(s.Asked, "")
		}
	case *ssa.Parameter:
		if tellsHowFar(v.Name()) {
			s.Asked = addName(s.Asked, "")
		}
	case *ssa.Call:
		b.askedCall(s, v, depth)
	case *ssa.BinOp:
		if isError(v.X) && isNil(v.Y) {
			return
		}
		b.askedIn(s, v.X, depth+1)
		b.askedIn(s, v.Y, depth+1)
	case *ssa.Phi:
		if tellsHowFar(v.Comment) {
			s.Asked = addName(s.Asked, "")
		}
		for _, e := range v.Edges {
			if _, isConst := e.(*ssa.Const); !isConst && depth < 3 {
				b.askedIn(s, e, depth+1)
			}
		}
	case *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.Extract, *ssa.Lookup, *ssa.TypeAssert, *ssa.MakeInterface:
		for _, op := range v.(ssa.Instruction).Operands(nil) {
			b.askedIn(s, *op, depth+1)
		}
	}
}

func (b *funcBuilder) askedField(s *States, owner types.Type, field int) {
	if tellsHowFar(fieldName(owner, field)) {
		s.Asked = addName(s.Asked, typeName(deref(owner)))
	}
}

func (b *funcBuilder) askedCall(s *States, call *ssa.Call, depth int) {
	obj := calledObject(call.Common())
	if obj == nil {
		return
	}
	if own := obj.Pkg() == nil || !standardPath(obj.Pkg().Path()); own && (tellsHowFar(obj.Name()) || decidesTransition(obj.Name())) {
		s.Asked = addName(s.Asked, "")
	}
	if (obj.Name() == "Before" || obj.Name() == "After") && len(call.Call.Args) == 2 {
		for i, a := range call.Call.Args {
			f, ok := b.momentRead(call.Call.Args[1-i])
			if ok && namesMoment(sqltext.Snake(f)) && b.isNow(a, 0) {
				s.Now = true
				return // this asks the clock, and not the row
			}
		}
	}
	for _, a := range call.Call.Args {
		b.askedIn(s, a, depth+1)
	}
}

// momentRead is the field that a value is read from.
func (b *funcBuilder) momentRead(v ssa.Value) (string, bool) {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return fieldName(v.X.Type(), v.Field), true
	case *ssa.Field:
		return fieldName(v.X.Type(), v.Field), true
	}
	return "", false
}

// tellsHowFar reports whether a name is that of a state or a version.
func tellsHowFar(name string) bool {
	name = sqltext.Snake(name)
	name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "get_"), "current_"), "_id")
	return name != "" && (NamesState(name) || NamesVersion(name))
}

// decidesTransition reports whether a function's name says that it decides what may follow what.
func decidesTransition(name string) bool {
	name = sqltext.Snake(name)
	for _, p := range []string{"can_", "may_", "is_valid_", "is_terminal", "is_final", "is_allowed", "is_newer", "is_older", "is_stale", "allows_", "newer", "stale"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return strings.Contains(name, "transition")
}

// statesOf lists the types of what the states among a call's arguments are read from, and says whether one is a constant.
func (b *funcBuilder) statesOf(args []ssa.Value) (from []string, constant bool) {
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if v == nil || depth > maxAsked {
			return
		}
		switch v := v.(type) {
		case *ssa.Const:
			constant = constant || shortWord(v)
		case *ssa.UnOp:
			visit(v.X, depth+1)
		case *ssa.MakeInterface:
			visit(v.X, depth+1)
		case *ssa.Convert:
			visit(v.X, depth+1)
		case *ssa.ChangeType:
			visit(v.X, depth+1)
		case *ssa.FieldAddr:
			if NamesState(fieldName(v.X.Type(), v.Field)) {
				from = addName(from, typeName(deref(v.X.Type())))
			}
		case *ssa.Field:
			if NamesState(fieldName(v.X.Type(), v.Field)) {
				from = addName(from, typeName(v.X.Type()))
			}
		case *ssa.Call:
			if obj := calledObject(v.Common()); obj != nil && strings.HasPrefix(obj.Name(), "Get") && NamesState(obj.Name()) && receiverOf(v.Common()) != nil {
				from = addName(from, typeName(deref(receiverOf(v.Common()).Type())))
			}
		case *ssa.MakeMap:
			for _, e := range b.entryValues(v) {
				visit(e, depth+1)
			}
		case *ssa.Alloc: // a struct of parameters
			for _, val := range b.statesIn(v) {
				visit(val, depth+1)
			}
		}
	}
	for _, a := range args {
		for _, v := range append([]ssa.Value{a}, variadic(a)...) {
			visit(v, 0)
		}
	}
	return from, constant
}

// statesIn lists what the fields of a struct that is put together here are given as states.
func (b *funcBuilder) statesIn(a *ssa.Alloc) []ssa.Value {
	st, ok := deref(a.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []ssa.Value
	c := b.contentOf(a)
	for i := range st.NumFields() {
		if NamesState(st.Field(i).Name()) {
			out = append(out, c.fields[i]...)
		}
	}
	return out
}

func (b *funcBuilder) entryValues(v ssa.Value) []ssa.Value {
	list, _ := b.entries(v)
	var out []ssa.Value
	for _, e := range list {
		out = append(out, e.value)
	}
	return out
}

// shortWord reports whether a constant is a word, as states are.
func shortWord(c *ssa.Const) bool {
	if c.Value == nil || c.Value.Kind() != constant.String {
		return false
	}
	s := constant.StringVal(c.Value)
	return s != "" && len(s) < 40 && !strings.ContainsAny(s, " %?=$")
}

// noteDecoded lists the types that the package decodes messages, and other bytes, into.
func (b *funcBuilder) noteDecoded(c *ssa.CallCommon) {
	obj := calledObject(c)
	if obj == nil || obj.Pkg() == nil || !strings.HasPrefix(obj.Name(), "Unmarshal") && !strings.HasPrefix(obj.Name(), "Decode") {
		return
	}
	if strings.Contains(obj.Pkg().Path(), "mongo") || strings.Contains(obj.Pkg().Path(), "mgo") { // a document that was read
		return
	}
	for _, a := range stepArgs(c) {
		v := inner(a)
		if p, ok := v.Type().Underlying().(*types.Pointer); ok {
			if name := typeName(p.Elem()); name != "" && !slices.Contains(b.out.Decoded, name) {
				b.out.Decoded = append(b.out.Decoded, name)
			}
		}
	}
}
