package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// maxHandover is how many calls below a function the read may be whose rows it sends on.
const maxHandover = 3

// HandedOver lists the places where a function reads something that is asked for and sends what it got to a channel: whoever
// takes it out works beside the next read. The hits have the read and the send as their ends.
func (p *Program) HandedOver(kind string, asked func(e *effect.Effect) bool) []*Hit {
	var hits []*Hit
	for _, g := range p.graphs {
		if g.pkg == nil {
			continue
		}
		g.each(func(send *effect.Node) {
			if !send.Sends || send.Effect != nil && send.Effect.Kind != model.Hand || len(send.ArgData) == 0 {
				return
			}
			for _, o := range send.ArgData[0] {
				from := g.Origins[o]
				if from.Kind != effect.CallOrigin || g.node(from.Node) == nil {
					continue
				}
				if read := p.leadsTo(g, g.node(from.Node), asked, maxHandover); read != nil {
					later := &Witness{Graph: g.Graph, Pkg: g.pkg, Node: send}
					hits = append(hits, &Hit{Kind: kind, Graph: g.Graph, Pkg: g.pkg, First: read, Later: later, Related: true})
					return
				}
			}
		})
	}
	return hits
}

// leadsTo follows a node down to an effect that is asked for.
func (p *Program) leadsTo(g *graph, n *effect.Node, asked func(e *effect.Effect) bool, down int) *Witness {
	w := &Witness{Graph: g.Graph, Pkg: g.pkg, Node: n}
	if n.Effect != nil {
		if !asked(n.Effect) {
			return nil
		}
		w.Effect = n.Effect
		return w
	}
	for _, roots := range n.Args {
		for _, r := range roots {
			if r.Kind == effect.TextRoot && asked(p.statement(r.Name)) {
				w.Effect = p.statement(r.Name)
				return w
			}
		}
	}
	if down == 0 {
		return nil
	}
	for _, id := range p.staticTargets(n) {
		t := p.byID[id]
		if t == nil || t == g {
			continue
		}
		for _, data := range t.ReturnData {
			for _, o := range data {
				if from := t.Origins[o]; from.Kind == effect.CallOrigin && t.node(from.Node) != nil {
					if w.Sub = p.leadsTo(t, t.node(from.Node), asked, down-1); w.Sub != nil {
						w.Effect = w.Sub.Effect
						return w
					}
				}
			}
		}
	}
	return nil
}

// Publishing reports whether a function leads to a publish, in goroutines that it starts or by closures as well.
func (p *Program) Publishing(g *effect.Graph) bool {
	w := p.byID[g.ID]
	return w != nil && w.does&publishes != 0
}

// Does reports whether a function leads to an effect that is asked for.
func (p *Program) Does(g *effect.Graph, asked func(e *effect.Effect) bool) bool {
	p.whoReaches()
	for x := range spread([]*graph{p.byID[g.ID]}, func(g *graph) []*graph { return p.reaches[g] }) {
		if p.hasEffect(x, asked) {
			return true
		}
	}
	return false
}

// Shares reports whether two steps of one function work on the same data.
func (p *Program) Shares(x, y *Witness) bool {
	if x.Graph != y.Graph || x.Node == nil || y.Node == nil {
		return false
	}
	data := p.DataOf(y)
	return slices.ContainsFunc(p.DataOf(x), func(o int) bool { return slices.Contains(data, o) })
}
