package modelcheck

import (
	"errors"
	"fmt"
	"go/types"
	"strings"

	"github.com/dmlint/dmlint/internal/model"
)

// find gives the function that a normalised symbol names, as the analyser will meet it: declared on that very type.
func find(pkg *types.Package, symbol string) (*types.Func, error) {
	if !strings.HasPrefix(symbol, "(") {
		name := strings.TrimPrefix(symbol, pkg.Path()+".")
		if fn, ok := pkg.Scope().Lookup(name).(*types.Func); ok {
			return fn, nil
		}
		return nil, fmt.Errorf("no function %s", name)
	}
	recv, _, _ := strings.Cut(strings.TrimPrefix(symbol, "("+pkg.Path()+"."), ")")
	tn, ok := pkg.Scope().Lookup(recv).(*types.TypeName)
	if !ok {
		return nil, fmt.Errorf("no type %s", recv)
	}
	named, ok := tn.Type().(*types.Named)
	if !ok || named.Obj() != tn {
		return nil, fmt.Errorf("%s is an alias of %s", recv, tn.Type())
	}
	for m := range named.Methods() {
		if model.SymbolOf(m) == symbol {
			return m, nil
		}
	}
	// A method that the type only promotes or embeds is met under the name of the type that declares it.
	name := symbol[strings.LastIndexByte(symbol, '.')+1:]
	if iface, ok := named.Underlying().(*types.Interface); ok {
		for m := range iface.Methods() {
			if model.SymbolOf(m) == symbol {
				return m, nil
			}
		}
	}
	if m, _, _ := types.LookupFieldOrMethod(named, true, pkg, name); m != nil {
		if fn, ok := m.(*types.Func); ok {
			return nil, fmt.Errorf("declared as %s", fn.FullName())
		}
	}
	return nil, fmt.Errorf("%s has no method %s", recv, name)
}

// A checker knows which types carry a statement: what prepare and builder rows return, or are methods of.
type checker struct {
	carriers []types.Type
}

func (c *checker) learn(row *model.Row, fn *types.Func) {
	if row.Effect != model.Prepare && row.Effect != model.Builder {
		return
	}
	sig := fn.Signature()
	if sig.Recv() != nil {
		c.carriers = append(c.carriers, sig.Recv().Type())
	}
	if sig.Results().Len() > 0 {
		c.carriers = append(c.carriers, sig.Results().At(0).Type())
	}
}

// carries reports whether a value of type t can hold a statement: it is a carrier, or an interface of the same library
// that a carrier has.
func (c *checker) carries(t types.Type) bool {
	name := typeName(t)
	iface, _ := t.Underlying().(*types.Interface)
	for _, carrier := range c.carriers {
		if name != "" && typeName(carrier) == name || iface != nil && types.Implements(carrier, iface) {
			return true
		}
	}
	return false
}

// check holds each Arg of the row against the function's signature.
func (c *checker) check(row *model.Row, fn *types.Func) error {
	sig := fn.Signature()
	var closure *types.Signature
	var errs []error
	note := func(field string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", field, err))
		}
	}
	if !row.Closure.IsZero() {
		var err error
		closure, err = closureType(sig, row.Closure, fn.Pkg())
		note("closure", err)
	}
	for _, f := range []struct {
		name string
		arg  model.Arg
	}{
		{"handle", row.Handle}, {"scope", row.Scope}, {"table", row.Table}, {"message", row.Message}, {"key", row.Key}, {"topic", row.Topic},
	} {
		if !f.arg.IsZero() {
			_, err := argType(sig, closure, f.arg, fn.Pkg())
			note(f.name, err)
		}
	}
	if !row.SQL.IsZero() {
		t, err := argType(sig, closure, row.SQL, fn.Pkg())
		if err == nil && !isText(t) && !c.carries(t) {
			err = fmt.Errorf("%s is no text", t)
		}
		note("sql", err)
	}
	if row.Calls != "" {
		note("calls", checkCalled(row.Calls, fn))
	}
	if row.Effect != model.Construct && row.Handle.IsZero() && sig.Recv() == nil && needsHandle[row.Effect] {
		note("handle", errors.New("a function has no receiver to go through"))
	}
	return errors.Join(errs...)
}

// checkCalled looks for the interface and its method by which a mediator calls handlers, with no more type parameters than
// the mediator's function has.
func checkCalled(calls string, fn *types.Func) error {
	name, method, _ := strings.Cut(calls, ".")
	tn, _ := fn.Pkg().Scope().Lookup(name).(*types.TypeName)
	if tn == nil || !types.IsInterface(tn.Type()) {
		return fmt.Errorf("%s is no interface", name)
	}
	named, ok := tn.Type().(*types.Named)
	if !ok {
		return fmt.Errorf("%s is an alias", name)
	}
	if m, _, _ := types.LookupFieldOrMethod(named, true, fn.Pkg(), method); m == nil {
		return fmt.Errorf("%s has no method %s", name, method)
	}
	if has, wants := fn.Signature().TypeParams().Len(), named.TypeParams().Len(); wants > has {
		return fmt.Errorf("%s has %d type parameters, and the function %d", name, wants, has)
	}
	return nil
}

// The effects whose handle decides which transaction they are in.
var needsHandle = map[model.Effect]bool{model.Commit: true, model.Rollback: true, model.SQL: true, model.Prepare: true, model.Write: true, model.Enqueue: true, model.Handle: true}

// closureType gives the signature of the function that the row calls: an argument, an element of it, a method or field of
// it ("2.ConsumeClaim", "0.Handler"), or unknown (nil) where the type is any or a type parameter.
func closureType(sig *types.Signature, arg model.Arg, pkg *types.Package) (*types.Signature, error) {
	if arg.Kind != model.Param {
		return nil, fmt.Errorf("%s is not an argument", arg)
	}
	name := arg.Field
	arg.Field = ""
	t, err := argType(sig, nil, arg, pkg)
	if err != nil {
		return nil, err
	}
	if sig.Variadic() && arg.Index == sig.Params().Len()-1 {
		t = t.(*types.Slice).Elem()
	}
	if name != "" {
		switch m, _, _ := types.LookupFieldOrMethod(t, true, pkg, name); m := m.(type) {
		case *types.Func:
			return m.Signature(), nil
		case *types.Var:
			t = m.Type()
		default:
			return nil, fmt.Errorf("%s has no method or field %s", t, name)
		}
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		t = m.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return u, nil
	case *types.Interface:
		if _, ok := t.(*types.TypeParam); ok || u.Empty() {
			return nil, nil
		}
	}
	return nil, fmt.Errorf("%s is no function", t)
}

// argType gives the type of the value that arg points at.
func argType(sig, closure *types.Signature, arg model.Arg, pkg *types.Package) (types.Type, error) {
	tuple := sig.Params()
	switch arg.Kind {
	case model.Recv:
		if sig.Recv() == nil {
			return nil, errors.New("recv of a function")
		}
		return sig.Recv().Type(), nil
	case model.Result:
		tuple = sig.Results()
	case model.ClosureOf:
		if closure == nil {
			if arg.Field == "" {
				return types.Typ[types.Invalid], nil // reported as a bad closure, or a closure of unknown type
			}
			return nil, errors.New("field of a closure of unknown type")
		}
		tuple = closure.Params()
	}
	if arg.Index >= tuple.Len() {
		return nil, fmt.Errorf("%s is out of range: %s", arg, sig)
	}
	t := tuple.At(arg.Index).Type()
	if arg.Field == "" {
		return t, nil
	}
	for {
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		} else if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		} else {
			break
		}
	}
	f, _, _ := types.LookupFieldOrMethod(t, true, pkg, arg.Field)
	if v, ok := f.(*types.Var); ok {
		return v.Type(), nil
	}
	return nil, fmt.Errorf("%s has no field %s", t, arg.Field)
}

// isText reports whether a value of type t can be SQL text: a string, a pointer to one, a list of them, or any.
func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Pointer:
		return isText(u.Elem())
	case *types.Slice:
		return isText(u.Elem())
	case *types.Interface:
		return u.Empty()
	case *types.Struct: // a list of statements, each with its text
		for f := range u.Fields() {
			if f.Name() == "Statement" {
				return isText(f.Type())
			}
		}
	}
	return false
}

func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return ""
}
