package flow

import "github.com/dmlint/dmlint/internal/effect"

// Shared reports whether others than handlers do what a function does: there is a way up to a function that nobody calls
// and that leads through no handler.
func (p *Program) Shared(g *effect.Graph) bool {
	callers := p.whoReaches()
	up := spread([]*graph{p.byID[g.ID]}, func(g *graph) []*graph {
		if g.handler != "" {
			return nil
		}
		return callers[g]
	})
	for at := range up {
		if at.handler == "" && len(callers[at]) == 0 {
			return true
		}
	}
	return false
}

// Handles reports whether a function is a handler that is given its messages.
func (p *Program) Handles(g *effect.Graph) bool {
	w := p.byID[g.ID]
	return w != nil && w.handler != "" && w.given
}
