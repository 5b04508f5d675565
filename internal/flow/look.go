package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// looks shows a rule that asks for it what is read, and what failed.
func (e *engine) looks(f *frame, n *effect.Node, eff *effect.Effect, handle value, ok, failed *path, s *summary) {
	switch eff.Kind {
	case model.Read, model.Lookup:
		e.step(f, ok, s, Event{Kind: Looked, Effect: eff, Where: e.where(eff, handle, ok)}, n)
		if failed != nil {
			e.step(f, failed, s, Event{Kind: Missed, Effect: eff, Where: e.where(eff, handle, failed)}, n)
		}
	case model.Write:
		if failed != nil {
			e.step(f, failed, s, Event{Kind: Refused, Effect: eff, Where: e.where(eff, handle, failed)}, n)
		}
	case model.Claim:
		e.step(f, ok, s, Event{Kind: Claimed, Effect: eff}, n)
	case model.Remember:
		e.step(f, ok, s, Event{Kind: Remembered, Effect: eff}, n)
	case model.Count:
		e.step(f, ok, s, Event{Kind: Counted, Effect: eff}, n)
	}
}

// asked is what a function does with the results of a node.
type asked struct {
	words            []string
	looked, returned bool
}

// askedAbout gathers the conditions that look at a node's results.
func (g *graph) askedAbout(n *effect.Node) asked {
	g.askedOnce.Do(g.findAsked)
	return g.asked[n.ID]
}

func (g *graph) findAsked() {
	g.asked = map[int]asked{}
	for b := range g.Blocks {
		c := &g.Blocks[b].Cond
		for _, o := range c.Data {
			a := g.asked[g.Origins[o].Node]
			a.words, a.looked = append(a.words, c.Words...), true
			g.asked[g.Origins[o].Node] = a
		}
	}
	for _, data := range g.ReturnData {
		for _, o := range data {
			if g.Origins[o].Kind == effect.CallOrigin {
				a := g.asked[g.Origins[o].Node]
				a.returned = true
				g.asked[g.Origins[o].Node] = a
			}
		}
	}
}

// forked asks the rule which marks the ends of a call with these outcomes leave undecided.
func (e *engine) forked(sum *summary, outcomes string) []Mark {
	if e.rule.Forked == nil {
		return nil
	}
	if marks, ok := sum.forked[outcomes]; ok && sum.done {
		return marks
	}
	var bits []uint16
	for i := range sum.exits {
		if x := &sum.exits[i]; x.outcomes == outcomes {
			bits = append(bits, x.st.Bits)
		}
	}
	if sum.forked == nil {
		sum.forked = map[string][]Mark{}
	}
	sum.forked[outcomes] = e.rule.Forked(bits)
	return sum.forked[outcomes]
}

// handsData reports whether a call gives data to a function that is not made here: the handler that a consumer was given.
func handsData(n *effect.Node) bool {
	made := slices.ContainsFunc(n.Fun, func(r effect.Root) bool { return r.Kind == effect.FuncRoot })
	return !made && n.GivenData()
}
