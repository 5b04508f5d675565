package schema

import (
	"go/ast"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// A chain is a call on a package and the calls on its result: field.String("a").Unique().
type chain struct {
	name string
	args []ast.Expr
	next *chain
}

// step returns the first call of a method; nil if there is none.
func (ch *chain) step(name string) *chain {
	for s := ch; s != nil; s = s.next {
		if s.name == name {
			return s
		}
	}
	return nil
}

// arg returns a string argument, or what stands for one that is not known.
func (ch *chain) arg(p *pkg, i int) string {
	if i >= len(ch.args) {
		return ""
	}
	if text := p.text(ch.args[i]); text != "" {
		return text
	}
	return sqltext.Hole
}

// all returns all arguments as strings.
func (ch *chain) all(p *pkg) []string {
	var out []string
	for i := range ch.args {
		out = append(out, ch.arg(p, i))
	}
	return out
}

// chainsOf lists the chains in a function that begin with a package.
func chainsOf(fn *ast.FuncDecl, pkg string) []*chain {
	if fn == nil || fn.Body == nil {
		return nil
	}
	var out []*chain
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		ch := unchain(call, pkg)
		if ch != nil {
			out = append(out, ch)
		}
		return ch == nil // its inner calls are steps
	})
	return out
}

// unchain turns nested calls around; nil if they do not begin with a function of the package.
func unchain(call *ast.CallExpr, pkg string) *chain {
	var ch *chain
	for {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		ch = &chain{sel.Sel.Name, call.Args, ch}
		switch x := sel.X.(type) {
		case *ast.CallExpr:
			call = x
		case *ast.Ident:
			if x.Name == pkg {
				return ch
			}
			return nil
		default:
			return nil
		}
	}
}
