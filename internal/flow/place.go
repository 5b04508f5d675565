package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// A Place is a step of a function, with the block that it stands in. Node is nil for what a function returns.
type Place struct {
	Graph *effect.Graph
	Pkg   *effect.Package
	Node  *effect.Node
	Block int
}

// Witness is the place as a step that can be reported.
func (pl Place) Witness() *Witness {
	w := &Witness{Graph: pl.Graph, Pkg: pl.Pkg, Node: pl.Node}
	if pl.Node != nil {
		w.Effect = pl.Node.Effect
	}
	return w
}

// EachPlace calls f for the steps of the user's own functions, tests left out.
func (p *Program) EachPlace(f func(pl Place)) {
	for _, g := range p.graphs {
		if !g.reported() {
			continue
		}
		g.places(f)
	}
}

// EachOwn calls f for the user's own functions, tests left out.
func (p *Program) EachOwn(f func(g *effect.Graph, pkg *effect.Package)) {
	for _, g := range p.graphs {
		if g.reported() {
			f(g.Graph, g.pkg)
		}
	}
}

// reported says that findings can stand in a function.
func (g *graph) reported() bool {
	return g.pkg != nil && !g.pkg.Harness && !g.Generated && !g.Wrapper && !testPackage(g.Pkg)
}

func (g *graph) places(f func(pl Place)) {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			f(Place{g.Graph, g.pkg, &g.Blocks[b].Nodes[i], b})
		}
	}
}

// CallersOf lists the steps that call a function, also as a function value or as the implementation of an interface.
func (p *Program) CallersOf(g *effect.Graph) []Place {
	if p.calledAt == nil {
		p.findCalls()
	}
	return p.calledAt[g.ID]
}

func (p *Program) findCalls() {
	p.calledAt, p.callsOf = map[effect.FuncID][]Place{}, map[*effect.Node][]*graph{}
	h := newHanded(p)
	for _, g := range p.graphs {
		g.places(func(pl Place) {
			called := map[effect.FuncID]bool{}
			for _, id := range p.staticTargets(pl.Node) {
				called[id] = true
			}
			for _, roots := range append(slices.Clone(pl.Node.Calls), pl.Node.Fun) {
				if len(roots) == 0 {
					continue
				}
				for _, t := range h.functions(g, roots) {
					called[t.ID] = true
				}
			}
			for id := range called {
				p.calledAt[id] = append(p.calledAt[id], pl)
				if t := p.byID[id]; t != nil {
					p.callsOf[pl.Node] = append(p.callsOf[pl.Node], t)
				}
			}
		})
	}
}

// CalledBy lists the functions that a step can call, as far as that is known without a path.
func (p *Program) CalledBy(n *effect.Node) []*effect.Graph {
	var out []*effect.Graph
	for _, id := range p.staticTargets(n) {
		if t := p.byID[id]; t != nil {
			out = append(out, t.Graph)
		}
	}
	return out
}

// CalledIn lists the functions that a function calls or makes closures of.
func (p *Program) CalledIn(g *effect.Graph) []*effect.Graph {
	w := p.byID[g.ID]
	if w == nil {
		return nil
	}
	p.whoReaches()
	var out []*effect.Graph
	for _, t := range p.reaches[w] {
		out = append(out, t.Graph)
	}
	return out
}

// ForMessages gives the functions that run for a message: handlers that are given one, what these call, and what is called
// in the loops of those that receive messages.
func (p *Program) ForMessages() map[effect.FuncID]bool {
	var from []*graph
	for _, g := range p.graphs {
		switch {
		case g.handler == "":
		case g.given:
			from = append(from, g)
		default:
			from = append(from, p.calledForMessage(g)...)
		}
	}
	p.whoReaches()
	found := map[effect.FuncID]bool{}
	for g := range spread(from, func(g *graph) []*graph { return p.reaches[g] }) {
		found[g.ID] = true
	}
	return found
}

func (p *Program) calledForMessage(g *graph) []*graph {
	var out []*graph
	for _, r := range RoundsOf(g.Graph) {
		if !p.Receives(g.Graph, r) {
			continue
		}
		for b := range r.Blocks {
			for i := range g.Blocks[b].Nodes {
				for _, id := range p.staticTargets(&g.Blocks[b].Nodes[i]) {
					out = append(out, p.byID[id])
				}
			}
		}
	}
	return out
}

// Receives reports whether a message is received in each round of a loop, by the function itself.
func (p *Program) Receives(g *effect.Graph, r Round) bool {
	for b := range r.Blocks {
		for i := range g.Blocks[b].Nodes {
			if e := g.Blocks[b].Nodes[i].Effect; e != nil && e.Kind == model.Receive {
				return true
			}
		}
	}
	return false
}

// Works reports whether a step does something that a message asks for: it writes, or acts outside, or calls what does. To
// publish, to open a transaction or to use a store of keys is not enough: these fail only as long as the other side is away.
func (p *Program) Works(n *effect.Node) bool {
	if e := n.Effect; e != nil {
		return e.Kind == model.Write || e.Kind == model.SQL || e.Kind == model.External || e.Kind == model.Run
	}
	if len(n.Fun) > 0 {
		return handsData(n)
	}
	return slices.ContainsFunc(p.staticTargets(n), func(id effect.FuncID) bool {
		t := p.byID[id]
		return t != nil && t.does&(writes|acts) != 0
	})
}

// Passing reports whether a step can only fail as long as something is away: it publishes, begins or ends a transaction,
// asks a store of keys, confirms a message.
func (p *Program) Passing(n *effect.Node) bool {
	if e := n.Effect; e != nil {
		switch e.Kind {
		case model.Publish, model.Begin, model.Commit, model.Rollback, model.Ack, model.Nack, model.Receive, model.Lock:
			return true
		}
		return e.Kind.OfKey()
	}
	if p.calledAt == nil {
		p.findCalls()
	}
	targets := p.callsOf[n]
	return len(targets) > 0 && !slices.ContainsFunc(targets, func(t *graph) bool {
		return t.does&publishes == 0 || t.does&(writes|transacts|acts|looks) != 0
	})
}
