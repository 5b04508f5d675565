package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// call runs a call of something in the program: each function that it can reach, as one possibility.
func (e *engine) call(f *frame, n *effect.Node, p *path, s *summary) []*path {
	var out []*path
	if e.rule.Reads && len(n.Fun) > 0 && handsData(n) {
		e.step(f, p, s, Event{Kind: Handed}, n)
	}
	calls, before := e.plan(f, n).calls, p.st
	for i, c := range calls {
		q := p
		if i < len(calls)-1 { // the last one may have p
			q = p.clone()
		}
		ends := e.enter(f, n, c, q, s)
		if len(calls) == 1 && len(ends) > 0 {
			return ends
		}
		out = append(out, ends...)
	}
	if len(out) == 0 {
		p.st = before
		e.forget(f, n, p)
		if e.rule.Acts && len(n.Fun) > 0 && handsData(n) {
			return e.unknownWork(f, n, p, s)
		}
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

// HandedIn reports whether a function value came in as a parameter: it belongs to the caller.
func HandedIn(rs effect.Roots) bool {
	for _, r := range rs {
		if (r.Kind == effect.ParamRoot || r.Kind == effect.FreeRoot) && r.Field == "" {
			return true
		}
	}
	return false
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
	known := &f.uses[e.side()]
	if *known == nil {
		holds := func(v value) bool { return e.holdsInteresting(v, 0) }
		uses := slices.ContainsFunc(f.params, holds) || slices.ContainsFunc(f.free, holds)
		*known = &uses
	}
	return **known
}

// matters reports whether running a function can matter to the rule.
func (e *engine) matters(g *graph) bool {
	return g.interesting || e.rule.Reads && g.does&looks != 0 || e.rule.Acts && g.does&(acts|hands) != 0
}

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
func (e *engine) enter(f *frame, n *effect.Node, c planned, p *path, s *summary) []*path {
	if !e.useful(c.callee) {
		e.forget(f, n, p)
		for i, v := range n.Out {
			if c.callee.g.nonNil.Has(i) {
				p.facts = p.facts.set(v, effect.NonZero)
			}
		}
		return []*path{p}
	}
	shared := c.closure != nil && !c.closure.bound && c.closure.owner == f.g
	st := p.st.enter(c.keep)
	e.unanswer(&st)
	st.Handling = st.Handling || c.callee.g.takesMessage()
	sum := e.summaryOf(c.callee, st, e.entryFacts(f, n, c.callee, c.closure, shared, p), p.wit)
	e.settle(f, n, c.callee, p, s, sum, c.keep)
	out := make([]*path, 0, len(sum.exits))
	for i := range sum.exits {
		q := p
		if i < len(sum.exits)-1 { // the last exit may have p
			q = p.clone()
		}
		e.comeBack(f, n, c, q, s, sum, &sum.exits[i])
		if shared {
			e.shareBack(f, c.closure, q, &sum.exits[i])
		} else {
			e.forgetCaptured(f, n, q)
		}
		out = append(out, q)
	}
	return out
}

// comeBack takes a path from a call to what follows it, by one of the callee's exits.
func (e *engine) comeBack(f *frame, n *effect.Node, c planned, q *path, s *summary, sum *summary, x *exit) {
	handling := q.st.Handling
	e.leave(f, n, q, x, sum, c.keep)
	if c.callee.g.takesMessage() { // what it was given is dealt with when it returns
		q.st.Handling = handling
	}
	if e.rule.Reads || e.rule.Acts {
		e.step(f, q, s, Event{Kind: Left, Forked: e.forked(sum, x.outcomes)}, n)
	}
	e.assign(f, n, c.callee, q, x, c.results)
}

// summaryOf gives the summary of a callee for an entry state. What an inert one does is found out for one state, and taken
// to the others.
func (e *engine) summaryOf(callee *frame, st State, entry facts, wit witnesses) *summary {
	if st.Foreign || !e.inert(callee) {
		return e.run(callee, st, entry, wit)
	}
	plain := e.run(callee, State{}, entry, witnesses{})
	sum := &summary{exits: make([]exit, len(plain.exits)), wit: wit}
	for i, x := range plain.exits {
		sum.exits[i] = exit{st: st, outcomes: x.outcomes, cells: x.cells, wit: wit}
	}
	return sum
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
