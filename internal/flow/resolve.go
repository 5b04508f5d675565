package flow

import (
	"github.com/dmlint/dmlint/internal/effect"
)

type resolvedKey struct {
	eff  *effect.Effect
	text int32
}

// resolve reads the statement of an effect whose SQL text the caller passes.
func (e *engine) resolve(f *frame, eff *effect.Effect) *effect.Effect {
	if len(eff.Text) == 0 {
		return eff
	}
	id, ok := e.p.values.has(e.p.eval(f, eff.Text), textAtom)
	if !ok {
		return eff
	}
	key := resolvedKey{eff, id}
	if r := e.resolved[key]; r != nil {
		return r
	}
	r := *eff
	r.Text = nil
	effect.ApplySQL(&r, e.p.values.texts[id])
	e.resolved[key] = &r
	return &r
}

// handsOn reports whether a function can leave a transaction open for its caller: it returns or stores one that it has
// begun.
func (g *graph) handsOn() bool {
	for _, roots := range g.Returns {
		if g.holdsScope(roots, 0) {
			return true
		}
	}
	for _, st := range g.Stores {
		if g.holdsScope(st.Value, 0) {
			return true
		}
	}
	return false
}

func (g *graph) holdsScope(roots effect.Roots, depth int) bool {
	for _, r := range roots {
		switch {
		case r.Kind == effect.ScopeRoot:
			return true
		case r.Kind == effect.CallRoot && depth < 4:
			n := g.node(r.Node)
			for i := 0; n != nil && i < len(n.Args); i++ {
				if g.holdsScope(n.Args[i], depth+1) {
					return true
				}
			}
		case r.Kind == effect.FuncRoot && depth < 4:
			for _, env := range g.Closures[r.Index].Env {
				if g.holdsScope(env, depth+1) {
					return true
				}
			}
		}
	}
	return false
}
