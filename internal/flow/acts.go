package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// acts shows a rule that asks for it what is done outside the database and the broker, what failed, and what is handed on.
func (e *engine) acts(f *frame, n *effect.Node, eff *effect.Effect, handle value, ok, failed *path, s *summary) {
	switch eff.Kind {
	case model.External, model.Remember, model.Claim, model.Count:
		e.step(f, ok, s, Event{Kind: Acted, Effect: eff}, n)
	case model.Nack:
		e.step(f, ok, s, Event{Kind: Nacked, Effect: eff}, n)
	case model.Hand:
		e.step(f, ok, s, Event{Kind: Passed, Effect: eff}, n)
	case model.Wait:
		e.step(f, ok, s, Event{Kind: Waited, Effect: eff}, n)
	case model.Keep:
		e.step(f, ok, s, Event{Kind: Kept, Effect: eff}, n)
	}
	if failed == nil {
		return
	}
	switch eff.Kind {
	case model.Receive:
		e.step(f, failed, s, Event{Kind: Nothing, Effect: eff}, n)
	case model.Write, model.Enqueue, model.Commit, model.External:
		e.step(f, failed, s, Event{Kind: Failed, Effect: eff}, n)
	case model.Publish:
		if id, has := e.p.values.has(handle, kindAtom); !has || e.p.values.kinds[id] != string(model.InProcess) {
			e.step(f, failed, s, Event{Kind: Failed, Effect: eff}, n)
		}
	}
}

// ends shows a rule that a function returns, and whether with an error. A boolean beside the error asks for another try.
func (e *engine) ends(f *frame, outcomes []byte, p *path, s *summary) {
	end := effect.Zero
	for i, kind := range f.g.Results {
		if i >= len(outcomes) {
			break
		}
		switch o := effect.Outcome(outcomes[i]); {
		case kind == effect.ErrorResult || kind == effect.BoolResult && len(f.g.Results) > 1:
			if o != effect.Zero && end != effect.NonZero {
				end = o
			}
		case kind == effect.OpaqueResult && end == effect.Zero:
			end = effect.Unknown // it may say that something is to be done again
		}
	}
	e.step(f, p, s, Event{Kind: Ended, Outcome: end}, f.g.end)
}

// Outermost reports whether the step stands in the function that the rule has started at.
func (s *Step) Outermost() bool { return s.f.g.ID == s.e.start }

// Silent reports whether a mark is set and an earlier round of a loop has set it.
func (s *Step) Silent(m Mark) bool {
	return (s.State.own|s.State.inherited)&bit(m) != 0 && s.State.mute[m] != 0
}

// Hear makes a mark heard again that an earlier round of a loop has set.
func (s *Step) Hear(m Mark) { s.State.mute[m] = 0 }

// Registered is the step by which the function that the rule has started at was given to a library, or nil.
func (p *Program) Registered(g *effect.Graph) *Witness {
	w := p.byID[g.ID]
	if w == nil || w.handlerAt.n == nil || w.handlerAt.n.Effect == nil || w.handlerAt.n.Effect.Kind != model.Subscribe {
		return nil
	}
	return &Witness{Graph: w.handlerAt.g.Graph, Pkg: w.handlerAt.g.pkg, Node: w.handlerAt.n, Effect: w.handlerAt.n.Effect}
}

// confirmed reports whether what a step receives was confirmed when it was handed out.
func (e *engine) confirmed(eff *effect.Effect, handle value) bool {
	switch eff.Settles {
	case model.OnReceipt:
		return true
	case model.AsMade:
		_, ok := e.p.confirmedKind(handle)
		return ok
	}
	return false
}

func (p *Program) confirmedKind(v value) (string, bool) {
	for _, a := range p.values.atoms(v) {
		if a.kind == kindAtom && strings.HasPrefix(p.values.kinds[a.id], effect.ConfirmedKind) {
			return p.values.kinds[a.id], true
		}
	}
	return "", false
}

// Chosen gives the step by which it was chosen that messages are confirmed when they are handed out, as a receipt sees it
// whatever the path; nil where that is the receipt itself.
func (p *Program) Chosen(w *Witness) *Witness {
	leaf := w.Leaf()
	g := p.byID[leaf.Graph.ID]
	if g == nil || leaf.Effect == nil {
		return nil
	}
	kind, _ := p.confirmedKind(p.eval(p.ambient(g), leaf.Effect.Handle))
	id, node, ok := effect.ChosenAt(kind)
	if !ok || p.byID[id] == nil {
		return nil
	}
	at := p.byID[id]
	return &Witness{Graph: at.Graph, Pkg: at.pkg, Node: at.node(node)}
}

// TakersReach reports whether a function that takes work of a type from a channel can reach an effect that is asked for.
func (p *Program) TakersReach(work string, reaching map[effect.FuncID]bool) bool {
	for _, g := range p.graphs {
		for _, t := range g.Takes {
			if t == work && reaching[g.ID] {
				return true
			}
		}
	}
	return false
}

// changesLater reports whether a call that is started as a goroutine can reach anything that leaves something behind.
func (e *engine) changesLater(f *frame, n *effect.Node) bool {
	if n.Op == effect.OpEffect {
		return own(n)&changes != 0
	}
	return slices.ContainsFunc(e.plan(f, n).calls, func(c planned) bool { return c.callee.g.does&changes != 0 || e.useful(c.callee) })
}

// unknownWork is a call of a function value that nobody in sight has made, with data: the work of somebody else, which can
// fail.
func (e *engine) unknownWork(f *frame, n *effect.Node, p *path, s *summary) []*path {
	last := len(n.Out) - 1
	if last < 0 || n.Out[last] == 0 {
		return []*path{p}
	}
	failed := p.clone()
	failed.facts = failed.facts.set(n.Out[last], effect.NonZero)
	p.facts = p.facts.set(n.Out[last], effect.Zero)
	e.step(f, failed, s, Event{Kind: Failed}, n)
	e.step(f, p, s, Event{Kind: Acted}, n)
	return []*path{p, failed}
}

// Drop notes in the steps that have set a mark that the function drops what they found.
func (s *Step) Drop(m Mark) {
	ws := slices.Clone(s.path.wit[m])
	for i, w := range ws {
		c := *w
		c.Dropped = true
		ws[i] = &c
	}
	s.path.wit[m] = ws
}

// Starting is the function that the rule has started at.
func (s *Step) Starting() *effect.Graph { return s.e.p.byID[s.e.start].Graph }

// Settling says how the messages of a handler are confirmed that a library calls, and where that was asked for. A handler
// that another one calls, and whose error that one returns, is as good as called by the library.
func (p *Program) Settling(g *effect.Graph) (model.Settling, *Witness) {
	for range maxWrappers {
		if w := p.Registered(g); w != nil {
			return w.Effect.Settles, w
		}
		w := p.byID[g.ID]
		if w == nil || w.handlerAt.n == nil || !returnsResult(w.handlerAt.g, w.handlerAt.n) {
			return "", nil
		}
		g = w.handlerAt.g.Graph
	}
	return "", nil
}

// maxWrappers is how many functions that hand on messages lie between a library and the handler.
const maxWrappers = 3

// returnsResult reports whether a function returns the error of a call, whatever it is.
func returnsResult(g *graph, n *effect.Node) bool {
	last := len(n.Out) - 1
	if last < 0 || n.Out[last] == 0 {
		return false
	}
	holds := map[effect.Var]bool{n.Out[last]: true}
	for before := 0; before < len(holds); {
		before = len(holds)
		g.eachMove(func(m effect.Move) {
			if holds[m.From.Var] && !m.From.Not {
				holds[m.To] = true
			}
		})
	}
	return slices.ContainsFunc(g.Blocks, func(b effect.Block) bool {
		return slices.ContainsFunc(b.Return, func(o effect.Operand) bool { return holds[o.Var] && !o.Not })
	})
}

// eachMove calls f for every assignment of outcomes.
func (g *graph) eachMove(f func(m effect.Move)) {
	g.each(func(n *effect.Node) {
		for _, m := range n.Moves {
			f(m)
		}
	})
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Succs {
			for _, m := range e.Moves {
				f(m)
			}
		}
	}
}

// Settling says how the messages are confirmed that the function is given which the rule has started at.
func (s *Step) Settling() model.Settling {
	how, _ := s.e.p.Settling(s.Starting())
	return how
}

// Leads reports whether a node has an effect that is asked for, or calls a function that can reach one.
func (p *Program) Leads(n *effect.Node, reaching map[effect.FuncID]bool, asked func(e *effect.Effect) bool) bool {
	return n.Effect != nil && asked(n.Effect) || slices.ContainsFunc(p.staticTargets(n), func(id effect.FuncID) bool { return reaching[id] })
}
