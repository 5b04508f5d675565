package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// settle deals with the windows that a callee has found and whose first end lies outside it: here, if this function has
// set the mark, or further out.
func (e *engine) settle(f *frame, n *effect.Node, callee *frame, p *path, s *summary, sum *summary, keep bool) {
	for _, esc := range sum.escs {
		if p.st.mute[esc.mark] != 0 || (p.st.own|p.st.inherited)&bit(esc.mark) == 0 {
			continue
		}
		later := e.witness(f, n, esc.later)
		if p.st.own&bit(esc.mark) != 0 && !keep {
			e.announce(f, p, esc, later)
		}
		if p.st.inherited&bit(esc.mark) != 0 {
			claimed := esc.claimed || e.claims(p, esc.mark)
			s.escalate(escalation{kind: esc.kind, mark: esc.mark, later: later, where: esc.where, bits: esc.bits, claimed: claimed}, e.rule.Reads)
		}
	}
}

func (e *engine) witness(f *frame, n *effect.Node, sub *Witness) *Witness {
	w := &Witness{Graph: f.g.Graph, Pkg: f.g.pkg, Node: n, Sub: sub}
	if sub != nil {
		w.Effect, w.Handled = sub.Effect, sub.Handled
	}
	return w
}

// leave brings the state of one of the callee's exits back to the caller.
func (e *engine) leave(f *frame, n *effect.Node, p *path, x *exit, sum *summary, keep bool) {
	prev, prevWit := p.st, p.wit
	p.st = x.st
	e.answerAgain(&p.st, &prev)
	p.st.own, p.st.inherited, p.st.told = 0, 0, 0
	for m := range Mark(MaxMarks) {
		own, inherited := x.st.own&bit(m) != 0, x.st.inherited&bit(m) != 0
		prevOwn, prevInherited := prev.own&bit(m) != 0, prev.inherited&bit(m) != 0
		muted := prev.mute[m] != 0 // the callee did not see it
		keptOwn := inherited && prevOwn
		if keep {
			keptOwn = false
		}
		set := own || keptOwn || muted && prevOwn
		if set {
			p.st.own |= bit(m)
		}
		if inherited && (prevInherited || keep) || muted && prevInherited {
			p.st.inherited |= bit(m)
		}
		if prev.told&bit(m) != 0 && !own {
			p.st.told |= p.st.own & bit(m)
		}
		if muted && !own {
			p.st.mute[m] = prev.mute[m]
		}
		p.wit[m] = e.bringBack(f, n, own, keptOwn || muted, prevWit[m], x.wit[m], sum.wit[m])
	}
	if !keep {
		joinEnded(p, &prev, &prevWit, n)
	}
}

// joinEnded makes the steps whose marks a callee has ended part of what it has set instead: a helper that commits makes
// durable what its caller has written.
func joinEnded(p *path, prev *State, prevWit *witnesses, n *effect.Node) {
	var ended []*Witness
	for m := range Mark(MaxMarks) {
		if prev.own&bit(m) != 0 && p.st.own&bit(m) == 0 {
			ended = append(ended, prevWit[m]...)
		}
	}
	if len(ended) == 0 {
		return
	}
	for m := range Mark(MaxMarks) {
		for _, w := range p.wit[m] {
			if w.Node == n && p.st.own&bit(m) != 0 {
				w.Writes = ended
			}
		}
	}
}

// bringBack makes the callee's witnesses steps of the call; those that it was entered with stay what they were.
func (e *engine) bringBack(f *frame, n *effect.Node, own, kept bool, prev, now, entered []*Witness) []*Witness {
	var out []*Witness
	if kept {
		out = append(out, prev...)
	}
	if !own {
		return out
	}
	for _, w := range now {
		old := false
		for i, x := range entered {
			if x == w {
				old = true
				if i < len(prev) && !kept {
					out = append(out, prev[i])
				}
			}
		}
		if !old {
			out = append(out, e.witness(f, n, w))
		}
	}
	if len(out) > maxWitnesses {
		out = out[len(out)-maxWitnesses:]
	}
	return out
}

// step lets the rule see an event. A nil node is the end of the function.
func (e *engine) step(f *frame, p *path, s *summary, ev Event, n *effect.Node) {
	e.at = Step{Event: ev, State: &p.st, e: e, f: f, sum: s, path: p, node: n, handled: p.st.Handling}
	e.rule.Step(&e.at)
}

type hitKey struct {
	kind  string
	graph *effect.Graph
	first *effect.Node
	later *effect.Node
	// For rules that tell hits apart by their innermost steps.
	cause, leaf *effect.Node
	bits        uint16
}

// announce records a window between the steps that set a mark and a later step, both in this function. The first end
// is the one that has data in common with the later one, else the latest. A rule with Reads is told of each: which of
// several changes does harm when it is made again is for it to judge.
func (e *engine) announce(f *frame, p *path, esc escalation, later *Witness) {
	wits := p.wit[esc.mark]
	if len(wits) == 0 || later.Node == nil {
		return
	}
	if e.rule.Reads {
		for i := len(wits) - 1; i >= 0; i-- {
			e.hit(f, esc, wits[i], later, true)
		}
		return
	}
	if e.rule.Acts {
		p.st.told |= bit(esc.mark)
		for i := len(wits) - 1; i >= 0; i-- {
			e.hit(f, esc, wits[i], later, e.p.related(wits[i], later))
		}
		return
	}
	var first *Witness
	related := false
	for i := len(wits) - 1; i >= 0 && !related; i-- {
		if related = e.p.related(wits[i], later); related || first == nil {
			first = wits[i]
		}
	}
	p.st.told |= bit(esc.mark)
	e.hit(f, esc, first, later, related)
}

// hit notes a window once.
func (e *engine) hit(f *frame, esc escalation, first, later *Witness, related bool) {
	hit := &Hit{Kind: esc.kind, Graph: f.g.Graph, Pkg: f.g.pkg, First: first, Later: later, Where: esc.where, Bits: esc.bits, Related: related, Claimed: esc.claimed}
	key := hitKey{kind: esc.kind, graph: f.g.Graph, first: first.Node, later: later.Node}
	if e.rule.Acts {
		key.cause, key.leaf, key.bits = first.Stem().Node, later.Stem().Node, esc.bits
	} else if !e.rule.Reads {
		hit.Relay = e.p.relays(first, later) || e.p.relays(later, first)
	} else {
		key.cause, key.leaf, key.bits = first.Stem().Node, later.Stem().Node, esc.bits
	}
	if old := e.seen[key]; old != nil {
		old.Related = old.Related || hit.Related
		old.Relay = old.Relay && hit.Relay
		old.Claimed = old.Claimed && hit.Claimed
		return
	}
	e.seen[key] = hit
	e.hits = append(e.hits, hit)
}

// related reports whether two steps of the same function work on the same data. Steps of different functions, and
// steps that show no data, are given the benefit of the doubt.
func (p *Program) related(first, later *Witness) bool {
	if first.Graph != later.Graph || first.Node == nil {
		return true
	}
	for _, x := range withWrites(first) {
		for _, y := range withWrites(later) {
			if x.Graph != y.Graph || p.shareData(x, y) {
				return true
			}
		}
	}
	return false
}

// withWrites lists a step, or the writes that a commit makes durable in its stead.
func withWrites(w *Witness) []*Witness {
	if len(w.Writes) == 0 {
		return []*Witness{w}
	}
	return append([]*Witness{w}, w.Writes...)
}

// shareData reports whether two steps of a function have data in common, or one works on the result of the other. A
// step that shows no data may work on any, unless it is a commit.
func (p *Program) shareData(x, y *Witness) bool {
	a, b := p.DataOf(x), p.DataOf(y)
	if len(a) == 0 && len(x.Writes) == 0 || len(b) == 0 && len(y.Writes) == 0 && isCommit(y) {
		return true
	}
	if resultOf(y.Graph, b, x.Node) || resultOf(x.Graph, a, y.Node) {
		return true
	}
	for _, o := range a {
		if slices.Contains(b, o) {
			return true
		}
	}
	return false
}

func isCommit(w *Witness) bool {
	return w.Effect != nil && w.Effect.Kind == model.Commit
}

// DataOf is the data that a step works on, in its own function.
func (p *Program) DataOf(w *Witness) effect.Origins {
	var all effect.Origins
	if w.Node.Effect != nil {
		all = append(all, w.Node.Effect.Message...)
	}
	for _, os := range w.Node.ArgData {
		all = append(all, os...)
	}
	return all
}

// resultOf reports whether data is a result of a node.
func resultOf(g *effect.Graph, data effect.Origins, n *effect.Node) bool {
	for _, i := range data {
		if i < len(g.Origins) && n != nil && n.ID != 0 && g.Origins[i].Kind == effect.CallOrigin && g.Origins[i].Node == n.ID {
			return true
		}
	}
	return false
}
