package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// findReceivers finds the functions that take messages from a broker or a channel. One that hands the message to its
// caller receives for the caller.
func (f *handlerFinder) findReceivers() {
	for _, g := range f.p.graphs {
		if g.pkg == nil && len(f.receives(g)) > 0 { // a library's, behind an interface of the program's own
			f.gives[g] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, g := range f.p.graphs {
			if !f.gives[g] && slices.ContainsFunc(f.receives(g), func(n *effect.Node) bool { return f.handsOut(g, n) }) {
				f.gives[g] = true
				changed = true
			}
		}
	}
	for _, g := range f.p.graphs {
		ns := f.receives(g)
		if len(ns) == 0 || f.gives[g] || f.forwards(g, ns) {
			continue
		}
		n := ns[0]
		f.note(g, false, receiving(g, n), callSite{g, n})
	}
}

// receives lists the steps of a function that receive a message, those in loops first.
func (f *handlerFinder) receives(g *graph) []*effect.Node {
	var loops, others []*effect.Node
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			switch {
			case !f.isReceive(n):
			case g.inLoop(b):
				loops = append(loops, n)
			default:
				others = append(others, n)
			}
		}
	}
	return append(loops, others...)
}

func (f *handlerFinder) isReceive(n *effect.Node) bool {
	if n.Effect != nil {
		return n.Effect.Kind == model.Receive
	}
	return slices.ContainsFunc(f.p.staticTargets(n), func(id effect.FuncID) bool { return f.gives[f.p.byID[id]] })
}

// handsOut reports whether what a step receives is returned, and the function does nothing about it itself.
func (f *handlerFinder) handsOut(g *graph, n *effect.Node) bool {
	if g.does&changes != 0 {
		return false
	}
	for i, data := range g.ReturnData {
		if i < len(g.Results) && (g.Results[i] == effect.ErrorResult || g.Results[i] == effect.BoolResult) {
			continue
		}
		for _, o := range data {
			if o < len(g.Origins) && g.Origins[o].Kind == effect.CallOrigin && g.Origins[o].Node == n.ID {
				return true
			}
		}
	}
	return false
}

// forwards reports whether a function takes messages from a channel only to publish them: the goroutine behind a
// publisher. Types that are messages both ways do not tell; a confirmation does.
func (f *handlerFinder) forwards(g *graph, ns []*effect.Node) bool {
	if g.does&changes != publishes {
		return false
	}
	for _, n := range ns {
		if n.Effect == nil || !isChannel(n) {
			return false
		}
	}
	sent, confirmed := false, false
	g.each(func(n *effect.Node) {
		if n.Effect == nil {
			return
		}
		confirmed = confirmed || n.Effect.Kind == model.Ack || n.Effect.Kind == model.Nack
		for _, o := range f.p.published(n) {
			for _, r := range ns {
				sent = sent || o < len(g.Origins) && g.Origins[o].Kind == effect.CallOrigin && g.Origins[o].Node == r.ID
			}
		}
	})
	return sent && !confirmed
}

const channelMark = "<-chan "

func isChannel(n *effect.Node) bool { return strings.HasPrefix(n.Effect.Symbol, channelMark) }

// receiving says how a function comes by its messages.
func receiving(g *graph, n *effect.Node) string {
	if n.Effect == nil || !isChannel(n) {
		return "receives with " + n.Label
	}
	text := strings.TrimPrefix(n.Effect.Symbol, channelMark)
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if &g.Blocks[b].Nodes[i] == n && g.inLoop(b) {
				return "loops over " + text
			}
		}
	}
	return "receives " + text
}

// inLoop reports whether a block can be reached from itself.
func (g *graph) inLoop(block int) bool {
	seen := map[int]bool{}
	work := []int{block}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range g.Blocks[b].Succs {
			if e.To == block {
				return true
			}
			if !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return false
}
