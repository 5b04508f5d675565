package poison

import (
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// inPlace finds loops that try to handle a message until that succeeds.
func (j *judging) inPlace() {
	receiving := j.p.Reaching(func(e *effect.Effect) bool { return e.Kind == model.Receive || e.Kind == model.Subscribe })
	j.p.EachOwn(func(g *effect.Graph, pkg *effect.Package) {
		rounds := flow.RoundsOf(g)
		for i, r := range rounds {
			if !j.ofMessage(g, rounds, i) && !g.RunsClosure() || j.waits(g, r, receiving) {
				continue
			}
			tried, stops := j.endless(g, r)
			if tried == nil {
				continue
			}
			tier := check.Error
			if stops {
				tier = check.Advice
			}
			for _, at := range j.triedBy(flow.Place{Graph: g, Pkg: pkg, Node: tried}) {
				j.report(tier, at, way{chain: []flow.Place{at}, failed: at.Node})
			}
		}
	})
}

// ofMessage reports whether a loop runs while one message is handled.
func (j *judging) ofMessage(g *effect.Graph, rounds []flow.Round, i int) bool {
	if j.runsForMessage(g.ID) {
		return true
	}
	for k, outer := range rounds {
		if k != i && outer.Blocks[rounds[i].Header] && outer.Header != rounds[i].Header && j.p.Receives(g, outer) {
			return true
		}
	}
	return false
}

// waits reports whether messages are received in the rounds of a loop, or by what it calls: it goes on for ever by nature.
func (j *judging) waits(g *effect.Graph, r flow.Round, receiving map[effect.FuncID]bool) bool {
	if j.p.Receives(g, r) {
		return true
	}
	for b := range r.Blocks {
		for i := range g.Blocks[b].Nodes {
			for _, t := range j.p.CalledBy(&g.Blocks[b].Nodes[i]) {
				if receiving[t.ID] {
					return true
				}
			}
		}
	}
	return false
}

// endless finds the step that a loop tries again and again: the loop is left only when the step succeeds. stops says that
// it is left, too, when the program ends.
func (j *judging) endless(g *effect.Graph, r flow.Round) (tried *effect.Node, stops bool) {
	for b := range g.Blocks {
		if !r.Blocks[b] {
			continue
		}
		for s, e := range g.Blocks[b].Succs {
			if r.Blocks[e.To] || g.Blocks[e.To].Exit == effect.Panic {
				continue
			}
			switch n, how := j.exit(g, r, b, s == 0); how {
			case bySuccess:
				tried = n
			case byStop:
				stops = true
			default:
				return nil, false
			}
		}
	}
	return tried, stops
}

type exit int

const (
	otherwise exit = iota
	bySuccess
	byStop
)

// exit says on what condition a loop is left on one side of a branch.
func (j *judging) exit(g *effect.Graph, r flow.Round, block int, side bool) (*effect.Node, exit) {
	if len(g.Blocks[block].Succs) != 2 {
		return nil, otherwise
	}
	asks := g.Blocks[block].Cond.Asks
	switch {
	case asks.Holds(effect.StopTrue, side):
		return nil, byStop
	case asks.Holds(effect.FailedTrue, !side), asks.Holds(effect.AnswerTrue, side):
		for _, n := range flow.AskedOf(g, block) {
			if r.Holds(g, n) && (n.GivenData() && j.p.Works(n) || handedIn(n) >= 0) {
				return n, bySuccess
			}
		}
	}
	return nil, otherwise
}

// handedIn is the parameter that holds the function which a step calls without giving it anything, or -1.
func handedIn(n *effect.Node) int {
	if len(n.Fun) != 1 || n.Fun[0].Kind != effect.ParamRoot || n.Fun[0].Field != "" || n.GivenData() {
		return -1
	}
	return n.Fun[0].Index
}

// triedBy lists the places that are to blame for a step which is tried without end: the step itself, or, in a function that
// tries what it is handed, those who hand it work for a message.
func (j *judging) triedBy(pl flow.Place) []flow.Place {
	param := handedIn(pl.Node)
	if param < 0 {
		return []flow.Place{pl}
	}
	var out []flow.Place
	for _, caller := range j.p.CallersOf(pl.Graph) {
		if param < len(caller.Node.Args) && j.placedForMessage(caller) && j.handsWork(caller, caller.Node.Args[param]) {
			out = append(out, caller)
		}
	}
	return out
}

// placedForMessage reports whether a step is made for one message.
func (j *judging) placedForMessage(pl flow.Place) bool {
	return j.runsForMessage(pl.Graph.ID) || slices.ContainsFunc(flow.RoundsOf(pl.Graph), func(r flow.Round) bool {
		return r.Blocks[pl.Block] && j.p.Receives(pl.Graph, r)
	})
}

// handsWork reports whether a function that is made here does something with what it has captured.
func (j *judging) handsWork(pl flow.Place, roots effect.Roots) bool {
	return slices.ContainsFunc(roots, func(r effect.Root) bool {
		if r.Kind != effect.FuncRoot {
			return false
		}
		g := j.p.Graphs[pl.Graph.Closures[r.Index].Fn]
		if g == nil || len(g.FreeVars) == 0 {
			return false
		}
		works := false
		for b := range g.Blocks {
			for i := range g.Blocks[b].Nodes {
				n := &g.Blocks[b].Nodes[i]
				works = works || j.p.Works(n) && n.GivenData()
			}
		}
		return works
	})
}
