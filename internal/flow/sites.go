package flow

import (
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// A Site is an effect in the user's code, by itself and without the paths that lead to it.
type Site struct {
	Graph  *effect.Graph
	Pkg    *effect.Package
	Node   *effect.Node
	Effect *effect.Effect
}

// Sites lists the effects of the program's own functions. A statement that is handed to a function which executes it is a
// site where it is handed over: what it does is known there.
func (p *Program) Sites() []Site {
	var all []Site
	for _, g := range p.graphs {
		if g.pkg == nil {
			continue
		}
		p.eachEffect(g, func(n *effect.Node, e *effect.Effect) {
			if e.Kind != model.SQL { // what an unknown statement does is told by whoever hands it over
				all = append(all, Site{g.Graph, g.pkg, n, e})
			}
		})
	}
	return all
}

// Handled are the functions that run for messages: handlers and what they call, and what is called by those that read
// messages which asked picks out of a table.
func (p *Program) Handled(asked func(e *effect.Effect) bool) map[effect.FuncID]bool {
	found := p.ForMessages()
	var pollers []*graph
	for _, g := range p.graphs {
		if g.handler != "" {
			found[g.ID] = true
		}
		if g.has(asked) {
			pollers = append(pollers, p.above(g, maxPolled)...)
		}
	}
	for g := range spread(pollers, func(g *graph) []*graph { return p.reaches[g] }) {
		found[g.ID] = true
	}
	return found
}

// maxPolled is how many calls above a query those stand that work on what it reads.
const maxPolled = 2

// Live are the functions that can run: reached from a main function, an initialisation or a handler. It is nil where the
// program has no main function, since then anybody may call anything.
func (p *Program) Live() map[effect.FuncID]bool {
	p.whoReaches()
	var from []*graph
	program := false
	for _, g := range p.graphs {
		_, name, _ := strings.Cut(g.Name, ".")
		switch {
		case g.pkg == nil:
		case name == "main" && g.pkg.Name == "main":
			program = true
			from = append(from, g)
		case name == "init" || strings.HasPrefix(name, "init#") || g.handler != "":
			from = append(from, g)
		}
	}
	if !program {
		return nil
	}
	out := map[effect.FuncID]bool{}
	for g := range spread(from, func(g *graph) []*graph { return p.reaches[g] }) {
		out[g.ID] = true
	}
	return out
}
