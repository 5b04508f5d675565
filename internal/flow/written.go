package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// WriteOf gives the write that a step makes, also by a text that it hands to an interface, or nil.
func (p *Program) WriteOf(n *effect.Node) *effect.Effect {
	if n.Effect != nil {
		if n.Effect.Kind == model.Write {
			return n.Effect
		}
		return nil
	}
	for _, roots := range n.Args {
		for _, r := range roots {
			if r.Kind != effect.TextRoot {
				continue
			}
			e := &effect.Effect{Kind: model.SQL}
			if effect.ApplySQL(e, r.Name); e.Kind == model.Write {
				e.Assign = effect.AssignOf(e)
				return e
			}
		}
	}
	return nil
}

// HandlerOf says why a function is a handler, and of which messages it is given; "" for others.
func (p *Program) HandlerOf(g *effect.Graph) (reason string, messages []string) {
	w := p.byID[g.ID]
	if w == nil || w.handler == "" {
		return "", nil
	}
	for _, param := range g.Params {
		if param.Message != "" {
			messages = append(messages, param.Message)
		}
	}
	reason = w.handler
	if w.handlerAt.n != nil && w.handlerAt.n.Effect != nil {
		reason += " " + w.handlerAt.n.Effect.Symbol
	}
	return reason, messages
}

// OuterSteps lists the steps that bring a function about: those that call it; of a closure those that it is handed to where
// it is made.
func (p *Program) OuterSteps(g *effect.Graph) []Place {
	parent := p.byID[g.Parent]
	if parent == nil {
		return p.CallersOf(g)
	}
	var out []Place
	is := func(r effect.Root) bool { return r.Kind == effect.FuncRoot && parent.Closures[r.Index].Fn == g.ID }
	parent.places(func(pl Place) {
		sets := append(slices.Clone(pl.Node.Args), pl.Node.Fun)
		sets = append(sets, pl.Node.Calls...)
		if pl.Node.Effect != nil {
			sets = append(sets, pl.Node.Effect.Closure)
		}
		if slices.ContainsFunc(sets, func(rs effect.Roots) bool { return slices.ContainsFunc(rs, is) }) {
			out = append(out, pl)
		}
	})
	return out
}
