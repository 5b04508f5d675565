package effect

import (
	"go/types"

	"github.com/dmlint/dmlint/internal/model"
)

var errorType = types.Universe.Lookup("error").Type()

// role says what the type of a value allows it to be.
func (pb *packageBuilder) role(t types.Type) TypeRole {
	if r, ok := pb.roles[t]; ok {
		return r
	}
	r := pb.computeRole(t)
	pb.roles[t] = r
	return r
}

func (pb *packageBuilder) computeRole(t types.Type) TypeRole {
	t = types.Unalias(t)
	if types.Identical(t, errorType) {
		return ScalarType
	}
	if name := typeName(deref(t)); name != "" {
		switch pb.Models.TypeRole(name) {
		case model.BaseType:
			return BaseOnly
		case model.TxType:
			return TxOnly
		case model.HandleType:
			return EitherType
		case model.MessageType:
			return MessageType
		}
		switch name {
		case "context.Context":
			return ContextType
		case "time.Time", "time.Duration", "sync.Mutex", "sync.RWMutex", "sync.WaitGroup":
			return ScalarType
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return ScalarType
	case *types.Signature:
		return FuncType
	case *types.Interface:
		if executor(u) {
			return EitherType
		}
	case *types.Slice:
		return pb.elementRole(u.Elem())
	case *types.Array:
		return pb.elementRole(u.Elem())
	case *types.Map:
		return pb.elementRole(u.Elem())
	case *types.Chan:
		return pb.elementRole(u.Elem())
	}
	return PlainType
}

// elementRole is the role of a container: one of functions holds functions, one of scalars nothing.
func (pb *packageBuilder) elementRole(elem types.Type) TypeRole {
	switch elem.Underlying().(type) {
	case *types.Basic:
		return ScalarType
	case *types.Signature, *types.Slice, *types.Map:
		if r := pb.role(elem); r == FuncType {
			return FuncType
		}
	}
	return PlainType
}

// executor reports whether an interface is one that a pool and a transaction both satisfy: sqlc's DBTX and its kin.
func executor(i *types.Interface) bool {
	for m := range i.Methods() {
		switch m.Name() {
		case "Exec", "ExecContext", "Query", "QueryContext", "QueryRow", "QueryRowContext":
			return true
		}
	}
	return false
}

// service reports whether a value of type t is machinery and not data: what two steps share because of it says nothing
// about whether one announces the other.
func (pb *packageBuilder) service(t types.Type) bool {
	switch pb.role(t) {
	case ContextType, BaseOnly, TxOnly, EitherType, FuncType:
		return true
	case MessageType: // also where it is an interface, with methods that settle it
		return false
	}
	switch u := deref(t).Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Interface:
		return !getters(u) && !types.Identical(types.Unalias(t), errorType)
	}
	return false
}

// getters reports whether an interface only hands out what it holds: an event, an entity.
func getters(i *types.Interface) bool {
	for m := range i.Methods() {
		if m.Signature().Params().Len() > 0 || m.Signature().Results().Len() == 0 {
			return false
		}
	}
	return true
}

// isContext reports whether t is or embeds a context.
func isContext(t types.Type) bool {
	return typeName(t) == "context.Context"
}

// canBeTx reports whether a value of type t taken out of a context must be a transaction, as far as its type says: a
// modelled transaction, something with Commit and Rollback, or a struct that holds one.
func (pb *packageBuilder) canBeTx(t types.Type, depth int) bool {
	switch pb.role(t) {
	case TxOnly, EitherType:
		return true
	case BaseOnly, ScalarType, FuncType, ContextType:
		return false
	}
	if hasMethod(t, "Commit") && hasMethod(t, "Rollback") {
		return true
	}
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return false
	}
	for f := range st.Fields() {
		if pb.canBeTx(f.Type(), depth-1) {
			return true
		}
	}
	return false
}

func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

func resultKind(pb *packageBuilder, t types.Type) ResultKind {
	switch {
	case types.Identical(types.Unalias(t), errorType):
		return ErrorResult
	case types.Identical(t.Underlying(), types.Typ[types.Bool]):
		return BoolResult
	case nilable(t) && pb.canBeTx(t, 1):
		return PointerResult
	}
	return OpaqueResult
}

func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}
