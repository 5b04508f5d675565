package flow

import (
	"github.com/dmlint/dmlint/internal/effect"
)

// call runs a call of something in the program: each function that it can reach, as one possibility.
func (e *engine) call(f *frame, n *effect.Node, p *path, s *summary) []*path {
	vs := e.p.values
	var out []*path
	for _, callee := range e.implementations(f, n) {
		out = append(out, e.enter(f, n, callee, nil, false, p.clone(), s, allResults)...)
	}
	if len(n.Fun) > 0 {
		keep := n.FunElem || handedIn(n.Fun)
		if e.rule.Reads && handsData(n) {
			e.step(f, p, s, Event{Kind: Handed}, n)
		}
		for _, a := range vs.atoms(e.p.eval(f, n.Fun)) {
			if a.kind != funcAtom {
				continue
			}
			c := &vs.closures[a.id]
			for _, t := range e.p.closureTargets(c) {
				own := keep && t.Parent != "" // a method handed over is called like any other
				out = append(out, e.enter(f, n, e.p.bind(f, n, t, c, 0), c, own, p.clone(), s, allResults)...)
			}
		}
	}
	for _, roots := range n.Calls {
		out = append(out, e.libraryClosure(f, n, roots, p, s)...)
	}
	if len(out) == 0 {
		e.forget(f, n, p)
		out = append(out, p)
	}
	return out
}

// implementations gives a frame for each function that a static or interface call can reach. Where one implementation
// does something, those that do nothing are stand-ins and are left out.
func (e *engine) implementations(f *frame, n *effect.Node) []*frame {
	var all, real []*frame
	for _, id := range e.p.staticTargets(n) {
		t := e.p.byID[id]
		if t == nil || e.p.isSelfCall(f, n, t) {
			continue
		}
		callee := e.p.bind(f, n, t, nil, 0)
		all = append(all, callee)
		if e.useful(callee) {
			real = append(real, callee)
		}
	}
	if len(real) > 0 {
		return real
	}
	return all
}

// handedIn reports whether a function value came in as a parameter: it belongs to the caller.
func handedIn(rs effect.Roots) bool {
	for _, r := range rs {
		if (r.Kind == effect.ParamRoot || r.Kind == effect.FreeRoot) && r.Field == "" {
			return true
		}
	}
	return false
}

// libraryClosure runs a closure that an unknown library function is given: once, here, with what the library passes
// unknown. The library's error is the closure's.
func (e *engine) libraryClosure(f *frame, n *effect.Node, roots effect.Roots, p *path, s *summary) []*path {
	vs := e.p.values
	var out []*path
	for _, a := range vs.atoms(e.p.eval(f, roots)) {
		if a.kind != funcAtom {
			continue
		}
		c := &vs.closures[a.id]
		for _, t := range e.p.closureTargets(c) {
			params := make([]value, len(t.Params))
			for i := range params {
				params[i] = e.p.passable(t, i, e.contextOf(f, n, t, i))
			}
			if c.bound && len(params) > 0 {
				params[0] = c.recv
			}
			out = append(out, e.enter(f, n, e.p.frame(t, params, e.p.captured(t, c)), c, true, p.clone(), s, closureResult)...)
		}
	}
	return out
}

// contextOf hands the context of a library call on to the closure.
func (e *engine) contextOf(f *frame, n *effect.Node, t *graph, i int) value {
	if t.Params[i].Role != effect.ContextType {
		return empty
	}
	v := empty
	for _, roots := range n.Args {
		v = e.p.values.union(v, e.p.values.only(e.p.eval(f, roots), txAtom))
	}
	return v
}

// resultMapping says how a callee's results reach the variables of the call.
type resultMapping uint8

const (
	allResults    resultMapping = iota // one by one
	closureResult                      // the closure's error is the error of the call
)

// useful reports whether running a frame can matter.
func (e *engine) useful(f *frame) bool {
	if e.matters(f.g) {
		return true
	}
	if !f.g.dynamic {
		return false
	}
	for _, v := range f.params {
		if e.holdsInteresting(v, 0) {
			return true
		}
	}
	for _, v := range f.free {
		if e.holdsInteresting(v, 0) {
			return true
		}
	}
	return false
}

// matters reports whether running a function can matter to the rule.
func (e *engine) matters(g *graph) bool { return g.interesting || e.rule.Reads && g.does&looks != 0 }

func (e *engine) holdsInteresting(v value, depth int) bool {
	if depth > 4 {
		return false
	}
	for _, a := range e.p.values.atoms(v) {
		if a.kind != funcAtom {
			continue
		}
		c := &e.p.values.closures[a.id]
		for _, t := range e.p.closureTargets(c) {
			if e.matters(t) {
				return true
			}
		}
		for _, env := range c.env {
			if e.holdsInteresting(env, depth+1) {
				return true
			}
		}
	}
	return false
}

// enter runs a callee and brings its ends back to the caller's path.
func (e *engine) enter(f *frame, n *effect.Node, callee *frame, c *closure, keep bool, p *path, s *summary, results resultMapping) []*path {
	if !e.useful(callee) {
		e.forget(f, n, p)
		for i, v := range n.Out {
			if callee.g.nonNil.Has(i) {
				p.facts = p.facts.set(v, effect.NonZero)
			}
		}
		return []*path{p}
	}
	shared := c != nil && !c.bound && c.owner == f.g
	st := p.st.enter(keep)
	st.Handling = st.Handling || callee.g.takesMessage()
	sum := e.run(callee, st, e.entryFacts(f, n, callee, c, shared, p), p.wit)
	e.settle(f, n, callee, p, s, sum, keep)
	var out []*path
	for i := range sum.exits {
		q := p.clone()
		e.leave(f, n, q, &sum.exits[i], sum, keep)
		if callee.g.takesMessage() { // what it was given is dealt with when it returns
			q.st.Handling = p.st.Handling
		}
		if e.rule.Reads {
			e.step(f, q, s, Event{Kind: Left, Forked: e.forked(sum, sum.exits[i].outcomes)}, n)
		}
		e.assign(f, n, callee, q, &sum.exits[i], results)
		if shared {
			e.shareBack(f, c, q, &sum.exits[i])
		} else {
			e.forgetCaptured(f, n, q)
		}
		out = append(out, q)
	}
	return out
}

// entryFacts carries the outcomes of error arguments, and of captured variables when the closure is called by the
// function that made it.
func (e *engine) entryFacts(f *frame, n *effect.Node, callee *frame, c *closure, shared bool, p *path) facts {
	var entry facts
	offset := 0
	if c != nil && c.bound {
		offset = 1
	}
	for i, o := range n.ArgFacts {
		if j := i + offset; j < len(callee.g.Params) && callee.g.Params[j].Var != 0 {
			entry = entry.set(callee.g.Params[j].Var, p.facts.operand(o))
		}
	}
	if shared {
		site := &f.g.Closures[c.site]
		for i, v := range callee.g.FreeVars {
			if v.Var != 0 && i < len(site.CellEnv) && site.CellEnv[i] != 0 {
				entry = entry.set(v.Var, p.facts.get(site.CellEnv[i]))
			}
		}
	}
	return entry
}

// shareBack brings what a closure did to captured variables back.
func (e *engine) shareBack(f *frame, c *closure, p *path, x *exit) {
	site := &f.g.Closures[c.site]
	for i, v := range site.CellEnv {
		if v != 0 {
			p.facts = p.facts.set(v, x.cells.get(effect.Var(i+1)))
		}
	}
}

// forgetCaptured forgets the variables that closures among the arguments may have changed.
func (e *engine) forgetCaptured(f *frame, n *effect.Node, p *path) {
	forget := func(roots effect.Roots) {
		for _, r := range roots {
			if r.Kind != effect.FuncRoot {
				continue
			}
			for _, v := range f.g.Closures[r.Index].CellEnv {
				p.facts = p.facts.set(v, effect.Unknown)
			}
		}
	}
	for _, roots := range n.Args {
		forget(roots)
	}
}

// forget drops what was known of a call's results.
func (e *engine) forget(f *frame, n *effect.Node, p *path) {
	for _, v := range n.Out {
		p.facts = p.facts.set(v, effect.Unknown)
	}
	e.forgetCaptured(f, n, p)
}

// assign gives a call's result variables the outcomes of one exit.
func (e *engine) assign(f *frame, n *effect.Node, callee *frame, p *path, x *exit, results resultMapping) {
	if results == closureResult {
		o := effect.Zero
		for i, kind := range callee.g.Results {
			if kind == effect.ErrorResult && i < len(x.outcomes) {
				o = effect.Outcome(x.outcomes[i])
			}
		}
		p.facts = p.facts.set(closureVar, o)
		for i, v := range n.Out {
			if n.Op == effect.OpEffect || i == len(n.Out)-1 {
				p.facts = p.facts.set(v, o)
			} else {
				p.facts = p.facts.set(v, effect.Unknown)
			}
		}
		return
	}
	for i, v := range n.Out {
		o := effect.Unknown
		if i < len(x.outcomes) {
			o = effect.Outcome(x.outcomes[i])
		}
		if o == effect.Unknown && callee.g.nonNil.Has(i) {
			o = effect.NonZero
		}
		p.facts = p.facts.set(v, o)
	}
}
