package effect

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// handlerDirective says in source that a function, or whatever implements an interface method, is a handler.
const handlerDirective = "//dmlint:handler"

func isHandlerDirective(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		rest, ok := strings.CutPrefix(c.Text, handlerDirective)
		return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
	})
}

// markedHandler reports whether the declaration of a function says that it is a handler.
func markedHandler(fn *ssa.Function) bool {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	return ok && isHandlerDirective(decl.Doc)
}

// scanHandlers notes the interface methods of which their declarations, or the user elsewhere, say that what implements
// them is a handler.
func (pb *packageBuilder) scanHandlers(f *ast.File) {
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, spec := range decl.Specs {
			ts := spec.(*ast.TypeSpec)
			it, ok := ts.Type.(*ast.InterfaceType)
			if !ok {
				continue
			}
			for _, m := range it.Methods.List {
				pb.noteHandlers(ts.Name.Name, m.Names, isHandlerDirective(m.Doc))
			}
		}
	}
}

func (pb *packageBuilder) noteHandlers(name string, methods []*ast.Ident, marked bool) {
	if !marked && len(pb.Builder.Handlers) == 0 {
		return
	}
	tn, ok := pb.in.SSA.Pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return // declared inside a function
	}
	iface, ok := tn.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	key := typeName(tn.Type())
	for _, m := range methods {
		if k := (MethodKey{Iface: key, Name: m.Name}); marked || pb.Builder.Handlers[k.Symbol()] {
			pb.Interfaces[key] = iface
			pb.out.Handlers = append(pb.out.Handlers, k)
		}
	}
}

// Symbol names a method of a named interface as functions are named: "(pkg/path.Name).Method".
func (k MethodKey) Symbol() FuncID { return FuncID("(" + k.Iface + ")." + k.Name) }
