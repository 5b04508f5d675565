package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// Own reports whether what a step is given comes from nothing but the receiver of its method: it is about the object's own
// work, and about nothing that has come in. The outermost step that is given anything says so; a closure is looked into.
func (p *Program) Own(w *Witness) bool {
	outer := p.byID[w.Graph.ID]
	for ; w != nil && w.Pkg != nil && w.Node != nil; w = w.Sub {
		data := p.DataOf(w)
		if len(data) == 0 || runsClosure(w.Node) {
			continue
		}
		for _, i := range data {
			if w.Graph.Origins[i].Kind != effect.FieldOrigin {
				return false
			}
		}
		return !p.givenReceiver(outer, ownersUp)
	}
	return false
}

// runsClosure reports whether a call is given a function that is made in its own function.
func runsClosure(n *effect.Node) bool {
	return slices.ContainsFunc(n.Args, func(roots effect.Roots) bool {
		return slices.ContainsFunc(roots, func(r effect.Root) bool { return r.Kind == effect.FuncRoot })
	})
}

// ownersUp is how many callers that call a method on their own receiver are asked where they have it from.
const ownersUp = 3

// givenReceiver reports whether somebody calls a method on what he was given himself: a message that handles itself.
func (p *Program) givenReceiver(g *graph, up int) bool {
	if g == nil || up == 0 {
		return false
	}
	return slices.ContainsFunc(p.whoReaches()[g], func(caller *graph) bool {
		given, own := false, false
		caller.each(func(n *effect.Node) {
			if !slices.Contains(p.staticTargets(n), g.ID) || len(n.ArgData) == 0 {
				return
			}
			own = own || len(n.ArgData[0]) == 0
			for _, i := range n.ArgData[0] {
				kind := caller.Origins[i].Kind
				given = given || kind != effect.FieldOrigin && kind != effect.FreeOrigin
			}
		})
		return given || own && p.givenReceiver(caller, up-1)
	})
}
