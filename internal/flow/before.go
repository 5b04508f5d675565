package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// Before is an effect that can come before another one, for rules that have no automaton.
type Before struct {
	Effect *effect.Effect
	// Asked says that conditions look at what the step has given, in the function on the way whose step it is; Words are the
	// names in these.
	Asked bool
	Words []string
	// Skips says that what is found there leads past the later step: it was done already.
	Skips bool
	// Depth is how many calls below that function the effect lies.
	Depth int
}

// maxBefore bounds how far below a function the steps lie that its conditions ask about.
const maxBefore = 3

// Before lists the effects that can come before the steps of a chain, in the functions that have these and in those that
// they call.
func (p *Program) Before(chain *Witness) []Before {
	b := &before{p: p, seen: map[*graph]bool{}}
	for _, w := range chain.Levels() {
		g := p.byID[w.Graph.ID]
		if g == nil || w.Pkg == nil {
			continue
		}
		for _, n := range g.preceding(w.Node) {
			clear(b.seen)
			a := g.askedAbout(n)
			b.below(n, Before{Asked: a.looked, Words: a.words, Skips: p.skips(g, n, w.Node)})
		}
	}
	return b.out
}

type before struct {
	p    *Program
	seen map[*graph]bool
	out  []Before
}

// below takes the effect of a step, or those of the functions that it calls.
func (b *before) below(n *effect.Node, of Before) {
	if n.Effect != nil {
		of.Effect = n.Effect
		b.out = append(b.out, of)
		return
	}
	if of.Depth++; of.Depth > maxBefore {
		return
	}
	for _, id := range b.p.staticTargets(n) {
		if t := b.p.byID[id]; t != nil && !b.seen[t] {
			b.seen[t] = true
			t.each(func(n *effect.Node) { b.below(n, of) })
		}
	}
}

// skips reports whether a branch on a result of a step leads to a later step only where nothing was found.
func (p *Program) skips(g *graph, n, later *effect.Node) bool {
	at := g.blockOf(later)
	for b := range g.Blocks {
		block := &g.Blocks[b]
		if len(block.Succs) != 2 {
			continue
		}
		for _, t := range block.Cond.Tests {
			i := slices.Index(n.Out, t.Var)
			if i < 0 || t.Var == 0 {
				continue
			}
			yes, no := g.leads(block.Succs[0], at), g.leads(block.Succs[1], at)
			found := t.True == effect.NonZero
			if p.givesError(n, i) {
				found = !found
			}
			if yes != no && yes != found {
				return true
			}
		}
	}
	return false
}

// givesError reports whether a result of a step is an error.
func (p *Program) givesError(n *effect.Node, i int) bool {
	for _, id := range p.staticTargets(n) {
		if t := p.byID[id]; t != nil && i < len(t.Results) {
			return t.Results[i] == effect.ErrorResult
		}
	}
	return n.Effect != nil
}

func (g *graph) blockOf(n *effect.Node) int {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if &g.Blocks[b].Nodes[i] == n {
				return b
			}
		}
	}
	return -1
}

// leads reports whether a block can be reached by an edge, rounds of loops left out.
func (g *graph) leads(e effect.Edge, to int) bool {
	if e.Back != 0 {
		return false
	}
	seen := map[int]bool{}
	for work := []int{e.To}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, next := range g.Blocks[b].Succs {
			if next.Back == 0 {
				work = append(work, next.To)
			}
		}
	}
	return false
}

// preceding lists the steps of a function that can come before one of them.
func (g *graph) preceding(later *effect.Node) []*effect.Node {
	preds := make([][]int, len(g.Blocks))
	at := -1
	var out []*effect.Node
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Succs {
			if e.Back == 0 {
				preds[e.To] = append(preds[e.To], b)
			}
		}
		for i := range g.Blocks[b].Nodes {
			if n := &g.Blocks[b].Nodes[i]; n == later {
				at = b
				for j := range i {
					out = append(out, &g.Blocks[b].Nodes[j])
				}
			}
		}
	}
	if at < 0 {
		return nil
	}
	seen := map[int]bool{at: true}
	for work := preds[at]; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for i := range g.Blocks[b].Nodes {
			out = append(out, &g.Blocks[b].Nodes[i])
		}
		work = append(work, preds[b]...)
	}
	return out
}
