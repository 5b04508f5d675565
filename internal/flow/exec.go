package flow

import (
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// exec runs a node from one path and gives the paths in which it can end.
func (e *engine) exec(f *frame, n *effect.Node, p *path, s *summary) []*path {
	switch n.Op {
	case effect.OpMove:
		p.facts = p.facts.move(n.Moves)
		return []*path{p}
	case effect.OpPresence:
		e.presence(f, n, p)
		return []*path{p}
	case effect.OpRunDefers:
		return e.runDefers(f, p, s)
	}
	switch n.Mode {
	case effect.Deferred:
		if site := f.g.siteOf[n.ID]; site < 64 {
			p.defers |= 1 << site
		}
		return []*path{p}
	case effect.Started: // ordered after its start and before nothing
		q := p.clone()
		if e.rule.Acts && e.changesLater(f, n) {
			e.step(f, p, s, Event{Kind: Spawned}, n)
			e.step(f, q, s, Event{Kind: Spawned, Side: true}, n)
		}
		e.perform(f, n, q, s)
		if e.rule.Reads && e.p.launches(f.g, n) {
			e.step(f, p, s, Event{Kind: Launched}, n)
		}
		return []*path{p}
	}
	return e.perform(f, n, p, s)
}

func (e *engine) perform(f *frame, n *effect.Node, p *path, s *summary) []*path {
	if n.Op == effect.OpEffect {
		return e.effect(f, n, p, s)
	}
	return e.call(f, n, p, s)
}

// presence finds out whether a value taken from a context is there.
func (e *engine) presence(f *frame, n *effect.Node, p *path) {
	_, inTx := e.p.values.has(e.p.eval(f, n.Tested), txAtom)
	outcome := effect.Unknown
	switch {
	case inTx:
		outcome = effect.NonZero
	case n.Strict:
		outcome = effect.Zero
	}
	p.facts = p.facts.set(n.Out[0], outcome)
}

// runDefers runs what was deferred, last first.
func (e *engine) runDefers(f *frame, p *path, s *summary) []*path {
	paths := []*path{p}
	for site := min(len(f.g.defers), 64) - 1; site >= 0; site-- {
		var out []*path
		for _, q := range paths {
			if q.defers&(1<<site) == 0 {
				out = append(out, q)
				continue
			}
			out = append(out, e.perform(f, f.g.defers[site], q, s)...)
		}
		paths = out
	}
	return paths
}

// outcomes splits a path by how a step ended, where anybody looks: ok gets nil, failed an error.
func split(n *effect.Node, p *path) (ok, failed *path) {
	if len(n.Out) == 0 || n.Out[0] == 0 {
		return p, nil
	}
	failed = p.clone()
	failed.facts = failed.facts.set(n.Out[0], effect.NonZero)
	p.facts = p.facts.set(n.Out[0], effect.Zero)
	return p, failed
}

func paths(ok, failed *path) []*path {
	if failed == nil {
		return []*path{ok}
	}
	return []*path{ok, failed}
}

// effect runs a modelled library call.
func (e *engine) effect(f *frame, n *effect.Node, p *path, s *summary) []*path {
	pl := e.plan(f, n)
	eff, handle := pl.eff, pl.handle
	if eff.Kind == model.Run {
		return e.runner(f, n, eff, handle, p, s)
	}
	ok, failed := split(n, p)
	if e.rule.Reads {
		e.looks(f, n, eff, handle, ok, failed, s)
	}
	if e.rule.Acts {
		e.acts(f, n, eff, handle, ok, failed, s)
	}
	switch eff.Kind {
	case model.Begin:
		e.begin(f, n, eff, handle, ok, s)
	case model.Commit:
		e.commit(f, n, eff, handle, ok, s, Committed)
		if failed != nil {
			e.commit(f, n, eff, handle, failed, s, RolledBack)
		}
	case model.Rollback:
		e.commit(f, n, eff, handle, ok, s, RolledBack)
		if failed != nil {
			e.commit(f, n, eff, handle, failed, s, RolledBack)
		}
	case model.Write:
		e.step(f, ok, s, Event{Kind: Wrote, Effect: eff, Where: e.where(eff, handle, ok), Outbox: e.p.IsOutbox(eff.Table)}, n)
	case model.Enqueue:
		e.step(f, ok, s, Event{Kind: Enqueued, Effect: eff, Where: e.where(eff, handle, ok), Outbox: true}, n)
	case model.Publish:
		e.publish(f, n, eff, handle, ok, s)
	case model.Receive:
		ok.st.Handling = true
		e.step(f, ok, s, Event{Kind: Received, Effect: eff, Side: e.confirmed(eff, handle)}, n)
	case model.Ack:
		e.step(f, ok, s, Event{Kind: Acked, Effect: eff, Where: e.confirmedIn(eff, handle, ok)}, n)
		ok.st.Handling = false
	case model.Subscribe:
		e.subscribe(f, eff)
	}
	return paths(ok, failed)
}

// subscribe runs a handler where it is registered: as a unit of work of its own.
func (e *engine) subscribe(f *frame, eff *effect.Effect) {
	if e.rule.Starts != nil {
		return // a handler is a start of its own
	}
	vs := e.p.values
	for _, a := range vs.atoms(e.p.eval(f, eff.Closure)) {
		if a.kind != funcAtom {
			continue
		}
		c := &vs.closures[a.id]
		for _, t := range e.p.closureTargets(c) {
			if eff.Typed && !t.takesMessage() {
				continue // it serves requests
			}
			params := e.p.ambient(t).params
			if c.bound && len(params) > 0 {
				params = append([]value{c.recv}, params[1:]...)
			}
			callee := e.p.frame(t, params, e.p.captured(t, c))
			if e.useful(callee) {
				e.run(callee, State{Handling: true}, "", witnesses{})
			}
		}
	}
}

// begin opens a transaction. One begun on a transaction is a savepoint and changes nothing.
func (e *engine) begin(f *frame, n *effect.Node, eff *effect.Effect, handle value, p *path, s *summary) {
	if _, nested := e.p.values.has(handle, txAtom); nested && p.st.Scope > 0 {
		return
	}
	if p.st.Scope < 2 {
		p.st.Scope++
	}
	if p.st.Scope == 1 {
		p.st.Base, _ = e.p.values.has(handle, baseAtom)
	}
	if n.ID < 64 {
		p.open |= 1 << n.ID
	}
	e.step(f, p, s, Event{Kind: Opened, Effect: eff}, n)
}

// commit ends the innermost transaction, one way or the other. Ending a savepoint, or one that has ended already,
// does nothing: that is what makes `defer tx.Rollback()` harmless.
func (e *engine) commit(f *frame, n *effect.Node, eff *effect.Effect, handle value, p *path, s *summary, kind EventKind) {
	if p.st.Scope == 0 {
		return
	}
	if id, ok := e.p.values.has(handle, txAtom); ok && id == nestedTx {
		return
	}
	for _, r := range eff.Handle {
		if r.Kind == effect.ScopeRoot && r.Node < 64 {
			if p.open&(1<<r.Node) == 0 {
				return
			}
			p.open &^= 1 << r.Node
		}
	}
	e.step(f, p, s, Event{Kind: kind, Effect: eff}, n)
	if p.st.Scope--; p.st.Scope == 0 {
		p.st.Foreign, p.st.Base = false, 0
	}
}

// where relates a handle to the open transaction. A transaction that nobody in sight has begun is open from here on.
func (e *engine) where(eff *effect.Effect, handle value, p *path) Where {
	if id, ok := e.p.values.has(handle, txAtom); ok {
		if p.st.Scope == 0 && id == foreignTx {
			p.st.Scope, p.st.Foreign = 1, true
		}
		return Inside
	}
	if p.st.Scope == 0 {
		return Outside
	}
	class, ok := e.p.values.has(handle, baseAtom)
	_, pool := e.p.values.has(handle, poolAtom)
	switch {
	case !ok && plainContext(eff.Handle) && !p.st.Foreign:
		return Likely // the transaction travels in a context, and this is not that one
	case !ok:
		return Unclear
	case class == p.st.Base && class != unknownClass:
		return Escaped
	case p.st.Base == unknownClass && pool:
		return Outside // whatever the transaction was begun on, this is no part of it
	case p.st.Base == unknownClass || p.st.Foreign:
		return Unclear
	case e.p.bases.apart[[2]int32{class, p.st.Base}]:
		return Outside
	case e.p.bases.likelySame(class, p.st.Base):
		return Likely
	}
	return Unclear
}

// confirmedIn is where a message is confirmed: most often at the broker, whatever is open.
func (e *engine) confirmedIn(eff *effect.Effect, handle value, p *path) Where {
	if _, ok := e.p.values.has(handle, txAtom); !ok {
		return Outside
	}
	return e.where(eff, handle, p)
}

// plainContext reports whether a handle is nothing but a context that was handed in.
func plainContext(roots effect.Roots) bool {
	for _, r := range roots {
		if r.Role != effect.ContextType || r.Field != "" || r.Kind != effect.ParamRoot && r.Kind != effect.FreeRoot {
			return false
		}
	}
	return len(roots) > 0
}

// publish gives an event to a broker, unless the publisher is built on a transaction or stays in the process.
func (e *engine) publish(f *frame, n *effect.Node, eff *effect.Effect, handle value, p *path, s *summary) {
	vs := e.p.values
	_, inTx := vs.has(handle, txAtom)
	kind := ""
	if id, ok := vs.has(handle, kindAtom); ok {
		kind = vs.kinds[id]
	}
	if kind == effect.AsyncKind {
		eff = e.p.queued(eff)
	}
	switch {
	case inTx && (eff.Notify || kind == string(model.Table) || kind == ""):
		e.step(f, p, s, Event{Kind: Enqueued, Effect: eff, Where: Inside, Outbox: true}, n)
	case kind == string(model.InProcess):
	case kind == string(model.Table):
		e.step(f, p, s, Event{Kind: Enqueued, Effect: eff, Where: e.where(eff, handle, p), Outbox: true}, n)
	default:
		where := Outside
		if p.st.Scope > 0 {
			where = Inside
		}
		e.step(f, p, s, Event{Kind: Published, Effect: eff, Where: where}, n)
	}
}

// runner runs the closure of a library's transaction runner: committed when it returns nil, else rolled back.
func (e *engine) runner(f *frame, n *effect.Node, eff *effect.Effect, handle value, p *path, s *summary) []*path {
	_, nested := e.p.values.has(handle, txAtom)
	join := p.st.Scope > 0 && (nested || eff.Joins)
	scope := e.p.values.one(txAtom, nestedTx)
	if !join {
		class, _ := e.p.values.has(handle, baseAtom)
		scope = e.p.values.one(txAtom, class)
		e.begin(f, n, eff, e.p.values.only(handle, baseAtom, poolAtom), p, s)
	}
	var out []*path
	once := func(p *path, ends bool) {
		if eff.Once && e.rule.Reads {
			e.step(f, p, s, Event{Kind: Once, Effect: eff, Side: ends}, n)
		}
	}
	once(p, false)
	for _, end := range e.scopedClosure(f, n, eff, scope, p, s) {
		once(end, true)
		if join {
			out = append(out, end)
			continue
		}
		out = append(out, e.finishRun(f, n, eff, end, s)...)
	}
	return out
}

// finishRun commits or rolls back after the closure, by its outcome.
func (e *engine) finishRun(f *frame, n *effect.Node, eff *effect.Effect, p *path, s *summary) []*path {
	var out []*path
	result := effect.Unknown
	tracked := len(n.Out) > 0 && n.Out[0] != 0
	if tracked {
		result = p.facts.get(n.Out[0])
	} else {
		result = p.closureOutcome()
	}
	end := func(q *path, kind EventKind, o effect.Outcome) {
		if n.ID < 64 {
			q.open &^= 1 << n.ID
		}
		e.step(f, q, s, Event{Kind: kind, Effect: eff}, n)
		if q.st.Scope > 0 {
			q.st.Scope--
		}
		if q.st.Scope == 0 {
			q.st.Base, q.st.Foreign = 0, false
		}
		if tracked {
			q.facts = q.facts.set(n.Out[0], o)
		}
		q.facts = q.facts.set(closureVar, effect.Unknown)
		out = append(out, q)
	}
	if result != effect.NonZero {
		end(p.clone(), Committed, effect.Zero)
	}
	if result != effect.Zero {
		end(p, RolledBack, effect.NonZero)
	}
	return out
}

// closureVar holds the outcome of a runner's closure where nobody looks at the runner's own.
const closureVar effect.Var = 0xffff

func (p *path) closureOutcome() effect.Outcome { return p.facts.get(closureVar) }

// scopedClosure calls a runner's closure with the transaction in the parameter that the model names.
func (e *engine) scopedClosure(f *frame, n *effect.Node, eff *effect.Effect, scope value, p *path, s *summary) []*path {
	vs := e.p.values
	fun := e.p.eval(f, eff.Closure)
	var out []*path
	for _, a := range vs.atoms(fun) {
		if a.kind != funcAtom {
			continue
		}
		c := &vs.closures[a.id]
		for _, t := range e.p.closureTargets(c) {
			params := make([]value, len(t.Params))
			first := 0
			if c.bound && len(params) > 0 {
				params[0], first = c.recv, 1
			}
			for _, sc := range eff.Scopes {
				if i := sc.Index + first; sc.Kind == model.ClosureOf && i < len(params) {
					params[i] = scope
				}
			}
			for i := first; i < len(params); i++ { // a context beside the handle is the session's, too
				if t.Params[i].Role == effect.ContextType && len(eff.Scopes) > 0 && i <= eff.Scopes[0].Index+first {
					params[i] = scope
				}
			}
			callee := e.p.frame(t, params, e.p.captured(t, c))
			out = append(out, e.enter(f, n, planned{callee, c, true, closureResult}, p.clone(), s)...)
		}
	}
	if len(out) == 0 {
		out = append(out, p)
	}
	return out
}
