package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// walk follows every path through a function.
func (e *engine) walk(f *frame, st State, entry facts, wit witnesses, s *summary) {
	start := &path{st: st, facts: entry, wit: wit}
	if e.starting {
		e.starting = false
		e.step(f, start, s, Event{Kind: Entered}, &effect.Node{Pos: f.g.Pos, Label: f.g.Name})
	}
	work := []*path{start}
	seen := map[pathKey]*witnesses{start.key(): e.known(start)}
	for visits := 0; len(work) > 0; visits++ {
		if visits > e.p.Options.MaxVisits {
			e.gaveUp[f.g] = true
			return
		}
		at := work[0]
		work = work[1:]
		for _, next := range e.block(f, at, s) {
			switch key := next.key(); {
			case seen[key] == nil:
				seen[key] = e.known(next)
				work = append(work, next)
			case e.gather(seen[key], &next.wit): // the same again, with steps that were not known
				work = append(work, next)
			}
		}
	}
}

// known keeps what set the marks of a path that may meet another one, for a rule that gathers such steps.
func (e *engine) known(p *path) *witnesses {
	if len(e.rule.Gathers) == 0 {
		return &nothingKnown
	}
	wit := p.wit
	return &wit
}

// nothingKnown is never changed: nothing is gathered in it.
var nothingKnown witnesses

// block runs one block from one path and gives the paths that leave it.
func (e *engine) block(f *frame, at *path, s *summary) []*path {
	b := &f.g.Blocks[at.block]
	paths := []*path{at}
	for i := range b.Nodes {
		paths = e.node(f, &b.Nodes[i], paths, s)
	}
	var out []*path
	for _, p := range paths {
		switch b.Exit {
		case effect.Return:
			e.exit(f, b, p, s)
		case effect.Branch:
			out = append(out, e.branch(f, b, p)...)
		}
	}
	return out
}

// node runs one node from each path; paths that have become the same meet.
func (e *engine) node(f *frame, n *effect.Node, paths []*path, s *summary) []*path {
	if len(paths) == 1 {
		ends := e.exec(f, n, paths[0], s)
		if len(ends) <= 1 {
			return ends
		}
		return e.meet(nil, ends)
	}
	var out []*path
	for _, p := range paths {
		out = e.meet(out, e.exec(f, n, p, s))
	}
	return out
}

// meet adds the paths that are not there yet.
func (e *engine) meet(out, paths []*path) []*path {
	for _, q := range paths {
		if i := slices.IndexFunc(out, func(o *path) bool { return o.same(q) }); i >= 0 {
			e.gather(&out[i].wit, &q.wit)
		} else {
			out = append(out, q)
		}
	}
	return out
}

// gather adds the steps of a path to those of another one that it has met, for marks of which the rule wants to know all,
// and reports whether there were new ones. The path's own steps stay the latest ones; it gets the others, too.
func (e *engine) gather(known, of *witnesses) bool {
	grown := false
	for _, m := range e.rule.Gathers {
		for _, w := range of[m] {
			if len(known[m]) < maxWitnesses && !slices.ContainsFunc(known[m], w.sameStep) {
				known[m] = append(known[m][:len(known[m]):len(known[m])], w)
				grown = true
			}
		}
		of[m] = known[m]
	}
	return grown
}

// branch follows the edges that a path's facts allow.
func (e *engine) branch(f *frame, b *effect.Block, p *path) []*path {
	var out []*path
	for i := range b.Succs {
		edge := &b.Succs[i]
		fs, feasible := p.facts, true
		if len(b.Succs) == 2 {
			fs, feasible = assume(p.facts, b.Cond, i == 0)
		}
		if !feasible {
			continue
		}
		q := p
		if i < len(b.Succs)-1 { // nobody needs p after the last edge
			q = p.clone()
		}
		if e.rule.Reads && len(b.Cond.Data) > 0 {
			e.step(f, q, nil, Event{Kind: Tested, Cond: &b.Cond, Side: i == 0}, nil)
		}
		if e.rule.Acts && (b.Cond.Deliberate || b.Cond.Guarantee) {
			e.step(f, q, nil, Event{Kind: Decided, Cond: &b.Cond, Side: i == 0}, nil)
		}
		q.block = edge.To
		q.facts = fs.move(edge.Moves).restrict(f.g.Blocks[edge.To].Live)
		if edge.Back != 0 {
			e.rounds(f, q, edge)
			q.st.goRound(edge.Back)
		}
		if len(edge.Leaves) > 0 {
			q.st.leave(edge.Leaves)
		}
		out = append(out, q)
	}
	return out
}

// rounds shows a rule by which answers the round that ends has chosen what is kept for after the loop.
func (e *engine) rounds(f *frame, p *path, edge *effect.Edge) {
	if !e.rule.Reads {
		return
	}
	if len(edge.Sorts) > 0 {
		e.step(f, p, nil, Event{Kind: Sorted, Cond: &effect.Cond{Data: edge.Sorts}}, nil)
	}
	if len(edge.Sifts) > 0 {
		e.step(f, p, nil, Event{Kind: Sifted, Cond: &effect.Cond{Data: edge.Sifts}}, nil)
	}
}

// assume adds what a branch proves; false means that the branch contradicts what is known.
func assume(f facts, c effect.Cond, branch bool) (facts, bool) {
	for _, t := range c.Tests {
		want := t.False
		if branch {
			want = t.True
		}
		if want == effect.Unknown {
			continue
		}
		known := effect.Zero
		if t.Var != 0 {
			known = f.get(t.Var)
		}
		if known != effect.Unknown && known != want {
			return f, false
		}
		f = f.set(t.Var, want)
	}
	return f, true
}
