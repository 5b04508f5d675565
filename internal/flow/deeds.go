package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// A Deed is an effect that the handling of a message leads to.
type Deed struct {
	// Unit is where the message comes in, as a place of its function; Received is the step that receives it, nil where the
	// function is given the message.
	Unit     *effect.Graph
	Pkg      *effect.Package
	Received *effect.Node
	// Chain are the calls from that function down to the effect.
	Chain *Witness
}

// The bounds of the walk: a deed lies at most maxDeedDepth calls below its handler, and of one handler the first
// maxDeeds are taken.
const (
	maxDeedDepth = 14
	maxDeeds     = 300
)

// Deeds lists the effects asked for that handlers of messages lead to, whatever the path: once for each chain of calls.
// A call of a function value leads to what the call itself hands over, or what a field or variable of the program holds.
func (p *Program) Deeds(asked func(e *effect.Effect) bool) []Deed {
	reaching := p.Reaching(asked)
	var out []Deed
	for _, g := range p.graphs {
		if g.handler == "" || !reaching[g.ID] || g.pkg == nil || g.Generated {
			continue
		}
		w := &deedWalk{p: p, asked: asked, reaching: reaching, unit: Deed{Unit: g.Graph, Pkg: g.pkg}}
		after := func(*effect.Node) bool { return true }
		if !g.given {
			after = w.afterReceive(g)
		}
		w.visit(g, nil, after)
		out = append(out, w.found...)
	}
	return out
}

// deedWalk walks from one handler.
type deedWalk struct {
	p        *Program
	asked    func(e *effect.Effect) bool
	reaching map[effect.FuncID]bool
	unit     Deed
	found    []Deed
	stack    []*graph
}

// afterReceive chooses the steps that come after one that receives a message.
func (w *deedWalk) afterReceive(g *graph) func(n *effect.Node) bool {
	later := map[*effect.Node]bool{}
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if n := &g.Blocks[b].Nodes[i]; n == handlerNode(g) || n.Effect != nil && n.Effect.Kind == model.Receive {
				w.unit.Received = n
				g.following(b, i, func(n *effect.Node) { later[n] = true })
			}
		}
	}
	if len(later) == 0 {
		return func(*effect.Node) bool { return true }
	}
	return func(n *effect.Node) bool { return later[n] }
}

// handlerNode is the step that shows a function to be a handler, if it is a step of the function's own.
func handlerNode(g *graph) *effect.Node {
	if g.handlerAt.g == g {
		return g.handlerAt.n
	}
	return nil
}

// following calls do for the steps that can come after a step.
func (g *graph) following(block, index int, do func(n *effect.Node)) {
	seen := map[int]bool{}
	work := []int{}
	rest := func(b, from int) {
		for i := from; i < len(g.Blocks[b].Nodes); i++ {
			do(&g.Blocks[b].Nodes[i])
		}
		for _, e := range g.Blocks[b].Succs {
			if !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	rest(block, index+1)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		rest(b, 0)
	}
}

// visit follows the steps of a function that are chosen; above are the calls that have led to it, outermost first.
func (w *deedWalk) visit(g *graph, above []*Witness, chosen func(n *effect.Node) bool) {
	if len(w.stack) >= maxDeedDepth || slices.Contains(w.stack, g) {
		return
	}
	w.stack = append(w.stack, g)
	defer func() { w.stack = w.stack[:len(w.stack)-1] }()
	g.each(func(n *effect.Node) {
		if len(w.found) >= maxDeeds || !chosen(n) {
			return
		}
		at := append(slices.Clone(above), &Witness{Graph: g.Graph, Pkg: g.pkg, Node: n, Effect: n.Effect})
		if n.Effect != nil && w.asked(n.Effect) {
			d := w.unit
			d.Chain = chained(at)
			w.found = append(w.found, d)
			return
		}
		for _, t := range w.leadsTo(g, n) {
			if w.reaching[t.ID] {
				w.visit(t, at, func(*effect.Node) bool { return true })
			}
		}
	})
}

// leadsTo lists the functions that a step may run: the callee, what it is handed, what the program keeps in the field or
// variable that is called.
func (w *deedWalk) leadsTo(g *graph, n *effect.Node) []*graph {
	var out []*graph
	add := func(t *graph) {
		if t != nil && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	if n.Effect != nil && n.Effect.Kind == model.Subscribe {
		return nil // a handler of its own
	}
	for _, id := range w.p.staticTargets(n) {
		add(w.p.byID[id])
	}
	if !HandedIn(n.Fun) {
		w.p.closuresIn(g, n.Fun, add)
	}
	handed := append(slices.Clone(n.Args), n.Calls...)
	if n.Effect != nil {
		handed = append(handed, n.Effect.Closure)
	}
	for _, roots := range handed {
		for _, r := range roots {
			if r.Kind == effect.FuncRoot && r.Index < len(g.Closures) && r.Field == "" {
				add(w.p.byID[g.Closures[r.Index].Fn])
			}
		}
	}
	return out
}

// chained makes one witness of a list of steps, outermost first.
func chained(steps []*Witness) *Witness {
	var sub *Witness
	for i := len(steps) - 1; i >= 0; i-- {
		x := *steps[i]
		if x.Sub = sub; sub != nil {
			x.Effect = sub.Effect
		}
		sub = &x
	}
	return sub
}
