package flow

import "github.com/dmlint/dmlint/internal/effect"

// A plan is what a node does in a frame, whatever the path and its state: the functions that a call can reach, with what
// they are bound to, or the effect with its handle.
type plan struct {
	calls  []planned
	eff    *effect.Effect
	handle value
}

// A planned call is one possibility of a node's.
type planned struct {
	callee  *frame
	closure *closure
	keep    bool // see State.enter
	results resultMapping
}

// side picks what is kept for rules that see reads, for those that see acts, and for all others: other functions matter
// to each of them.
func (e *engine) side() int {
	switch {
	case e.rule.Reads:
		return 1
	case e.rule.Acts:
		return 2
	}
	return 0
}

// plan gives the plan of a node in a frame.
func (e *engine) plan(f *frame, n *effect.Node) *plan {
	if n.ID == 0 {
		return e.makePlan(f, n)
	}
	plans := &f.plans[e.side()]
	if *plans == nil {
		*plans = make([]*plan, len(f.g.nodes))
	}
	pl := (*plans)[n.ID]
	if pl == nil {
		pl = e.makePlan(f, n)
		(*plans)[n.ID] = pl
	}
	return pl
}

func (e *engine) makePlan(f *frame, n *effect.Node) *plan {
	if n.Op == effect.OpEffect {
		eff := e.resolve(f, n.Effect)
		return &plan{eff: eff, handle: e.p.eval(f, eff.Handle)}
	}
	pl := &plan{}
	for _, callee := range e.implementations(f, n) {
		pl.calls = append(pl.calls, planned{callee: callee, results: allResults})
	}
	if len(n.Fun) > 0 {
		keep := n.FunElem || HandedIn(n.Fun)
		e.functions(f, n.Fun, func(c *closure, t *graph) {
			own := keep && t.Parent != "" // a method handed over is called like any other
			pl.calls = append(pl.calls, planned{e.p.bind(f, n, t, c, 0), c, own, allResults})
		})
	}
	for _, roots := range n.Calls {
		e.functions(f, roots, func(c *closure, t *graph) {
			pl.calls = append(pl.calls, planned{e.handedToLibrary(f, n, c, t), c, true, closureResult})
		})
	}
	return pl
}

// functions calls do for the functions that roots can be in a frame.
func (e *engine) functions(f *frame, roots effect.Roots, do func(c *closure, t *graph)) {
	vs := e.p.values
	for _, a := range vs.atoms(e.p.eval(f, roots)) {
		if a.kind != funcAtom {
			continue
		}
		c := &vs.closures[a.id]
		for _, t := range e.p.closureTargets(c) {
			do(c, t)
		}
	}
}

// handedToLibrary is the frame of a closure that an unknown library function is given: it runs once, here, with what the
// library passes unknown.
func (e *engine) handedToLibrary(f *frame, n *effect.Node, c *closure, t *graph) *frame {
	params := make([]value, len(t.Params))
	for i := range params {
		params[i] = e.p.passable(t, i, e.contextOf(f, n, t, i))
	}
	if c.bound && len(params) > 0 {
		params[0] = c.recv
	}
	return e.p.frame(t, params, e.p.captured(t, c))
}
