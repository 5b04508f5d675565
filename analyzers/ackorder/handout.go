package ackorder

import (
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// handOuts finds functions that take a message, confirm it and give it to their caller: whatever he does with it, the
// broker has forgotten it. Where an effect of his is in sight, the automaton has said so.
func (j *judgement) handOuts() {
	j.p.EachOwn(func(g *effect.Graph, pkg *effect.Package) {
		for b := range g.Blocks {
			for i := range g.Blocks[b].Nodes {
				ack := &g.Blocks[b].Nodes[i]
				if ack.Effect == nil || ack.Effect.Kind != model.Ack || ack.Mode != effect.Now || inRound(g, b) {
					continue
				}
				if taken := taken(g, ack); taken != nil && givesFrom(g, b, taken) {
					at := &flow.Witness{Graph: g, Pkg: pkg, Node: ack, Effect: ack.Effect}
					first := &flow.Witness{Graph: g, Pkg: pkg, Node: taken, Effect: taken.Effect}
					j.add(ackFirst, check.Advice, outKind, at, first, at)
				}
			}
		}
	})
}

// taken is the receipt of the function whose message an ack is about.
func taken(g *effect.Graph, ack *effect.Node) *effect.Node {
	data := slices.Concat(ack.ArgData...)
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			if n.Effect != nil && n.Effect.Kind == model.Receive && from(g, data, n) {
				return n
			}
		}
	}
	return nil
}

func from(g *effect.Graph, data effect.Origins, n *effect.Node) bool {
	return slices.ContainsFunc(data, func(o int) bool {
		return o < len(g.Origins) && g.Origins[o].Kind == effect.CallOrigin && g.Origins[o].Node == n.ID
	})
}

// inRound reports whether a block stands in a loop: there, a message that nobody can read may be confirmed and another one
// be returned.
func inRound(g *effect.Graph, block int) bool {
	return slices.ContainsFunc(flow.RoundsOf(g), func(r flow.Round) bool { return r.Blocks[block] })
}

// givesFrom reports whether the function can return, from a block on, what it has taken.
func givesFrom(g *effect.Graph, block int, taken *effect.Node) bool {
	seen := map[int]bool{}
	work := []int{block}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if gives(g, &g.Blocks[b], taken) {
			return true
		}
		for _, e := range g.Blocks[b].Succs {
			work = append(work, e.To)
		}
	}
	return false
}

// gives reports whether a block returns what was taken, and no error.
func gives(g *effect.Graph, b *effect.Block, taken *effect.Node) bool {
	if b.Exit != effect.Return {
		return false
	}
	found := false
	for i, o := range b.Return {
		known := o.Var == 0
		if known && o.Const == effect.NonZero && g.Results[i] == effect.ErrorResult {
			return false
		}
		found = found || g.Results[i] != effect.ErrorResult && from(g, g.ReturnData[i], taken) && !(known && o.Const == effect.Zero) && !b.Empty.Has(i)
	}
	return found
}
