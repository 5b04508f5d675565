package flow

import "github.com/dmlint/dmlint/internal/effect"

// Shared reports whether others than handlers do what a function does: there is a way up to a function that nobody calls
// and that leads through no handler.
func (p *Program) Shared(g *effect.Graph) bool {
	callers := p.whoReaches()
	seen := map[*graph]bool{}
	work := []*graph{p.byID[g.ID]}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at == nil || seen[at] || at.handler != "" {
			continue
		}
		seen[at] = true
		if len(callers[at]) == 0 {
			return true
		}
		work = append(work, callers[at]...)
	}
	return false
}

// Handles reports whether a function is a handler that is given its messages.
func (p *Program) Handles(g *effect.Graph) bool {
	w := p.byID[g.ID]
	return w != nil && w.handler != "" && w.given
}
