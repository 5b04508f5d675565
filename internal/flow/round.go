package flow

import "github.com/dmlint/dmlint/internal/effect"

// A Round is a loop of a function: the block where each round begins, and the blocks of a round.
type Round struct {
	Header int
	Blocks map[int]bool
}

// Holds reports whether a step of the function is one of a round.
func (r Round) Holds(g *effect.Graph, n *effect.Node) bool {
	for b := range r.Blocks {
		for i := range g.Blocks[b].Nodes {
			if &g.Blocks[b].Nodes[i] == n {
				return true
			}
		}
	}
	return false
}

// RoundsOf lists the loops of a function by the number that edges give them.
func RoundsOf(g *effect.Graph) []Round {
	var rounds []Round
	byHeader := map[int]int{}
	preds := make([][]int, len(g.Blocks))
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Succs {
			preds[e.To] = append(preds[e.To], b)
		}
	}
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Succs {
			if e.Back == 0 {
				continue
			}
			i, ok := byHeader[e.To]
			if !ok {
				i = len(rounds)
				byHeader[e.To] = i
				rounds = append(rounds, Round{e.To, map[int]bool{e.To: true}})
			}
			work := []int{b}
			for len(work) > 0 {
				at := work[len(work)-1]
				work = work[:len(work)-1]
				if !rounds[i].Blocks[at] {
					rounds[i].Blocks[at] = true
					work = append(work, preds[at]...)
				}
			}
		}
	}
	return rounds
}

// A Control is a branch whose outcome decides whether a block is come to, with the side that leads there.
type Control struct {
	Block int
	Side  bool
}

// ControlsOf lists the branches of a function that decide, within a round of the loops around it, whether a block is come
// to. The conditions of loops themselves are left out.
func ControlsOf(g *effect.Graph, block int) []Control {
	reaches := blocksTo(g, block)
	var out []Control
	for b := range g.Blocks {
		succs := g.Blocks[b].Succs
		if len(succs) != 2 || !reaches[b] || b == block {
			continue
		}
		onTrue, onFalse := leads(succs[0], reaches), leads(succs[1], reaches)
		if onTrue == onFalse || goesOn(g, b) {
			continue
		}
		out = append(out, Control{b, onTrue})
	}
	return out
}

// leads reports whether an edge leads to the block without another round of a loop.
func leads(e effect.Edge, reaches []bool) bool { return e.Back == 0 && reaches[e.To] }

// goesOn reports whether a block asks whether there is another round of the loop that it begins.
func goesOn(g *effect.Graph, block int) bool {
	leaves := len(g.Blocks[block].Succs[0].Leaves) > 0 || len(g.Blocks[block].Succs[1].Leaves) > 0
	if !leaves || g.Blocks[block].Cond.Asks != 0 {
		return false
	}
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Succs {
			if e.Back != 0 && e.To == block {
				return true
			}
		}
	}
	return false
}

// blocksTo marks the blocks from which a block is reached without another round of a loop.
func blocksTo(g *effect.Graph, block int) []bool {
	preds := make([][]int, len(g.Blocks))
	for b := range g.Blocks {
		for _, e := range g.Blocks[b].Succs {
			if e.Back == 0 {
				preds[e.To] = append(preds[e.To], b)
			}
		}
	}
	reaches := make([]bool, len(g.Blocks))
	work := []int{block}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !reaches[b] {
			reaches[b] = true
			work = append(work, preds[b]...)
		}
	}
	return reaches
}

// AskedOf lists the steps whose outcome a branch looks at.
func AskedOf(g *effect.Graph, block int) []*effect.Node {
	var out []*effect.Node
	c := &g.Blocks[block].Cond
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			for _, t := range c.Tests {
				if t.Var != 0 && assigns(n, t.Var) {
					out = append(out, n)
					break
				}
			}
		}
	}
	return out
}

func assigns(n *effect.Node, v effect.Var) bool {
	for _, o := range n.Out {
		if o == v {
			return true
		}
	}
	return false
}
