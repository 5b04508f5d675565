package poison

import (
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// back judges a step that gives a message back, or the calls that have it come back.
func (j *judging) back(pl flow.Place, back *effect.Back) {
	if back.Limit == "" || j.settings.limited[j.settings.about(pl.Graph, back.Library)] {
		return
	}
	switch {
	case back.Always:
		j.requeued(pl, back)
	case back.Param >= 0:
		for _, caller := range j.p.CallersOf(pl.Graph) {
			if caller.Node.Yes.Has(back.Param) {
				j.requeued(caller, back)
			}
		}
	}
}

// requeued judges a step with which the message comes back whenever it is made: after a failure it is a retry, and without
// one it is none of our business.
func (j *judging) requeued(pl flow.Place, back *effect.Back) {
	for _, w := range j.failures(pl, nil) {
		if j.counts(w.chain) {
			continue
		}
		tier := check.Error
		if back.Failing { // what can be mended is to be tried again; whether a library gives up on the rest is not certain
			if !w.undecoded || len(w.chain) > 1 || back.Limit == model.SetLimit && !j.settings.subscribed[j.settings.about(pl.Graph, back.Library)] {
				continue
			}
			tier = check.Advice
		} else if back.Limit == model.SetLimit && !j.settings.subscribed[j.settings.about(pl.Graph, back.Library)] {
			if !w.undecoded {
				continue // whether it ends is said where the subscription is made, and that is elsewhere
			}
			tier = check.Advice
		}
		at := w.chain[0]
		if at.Graph.Parent == "" && len(w.chain) > 1 { // a method that only gives the message back: what calls it decides
			at = w.chain[len(w.chain)-1]
		}
		j.report(tier, at, w)
	}
}

// A way is how a message comes to be given back: from the step itself out to the function that knows of the failure.
type way struct {
	chain []flow.Place
	// failed is the step that has failed, if it is one; undecoded says that decoding did.
	failed    *effect.Node
	undecoded bool
}

// maxUp bounds how many calls lie between the failure and the step that gives the message back.
const maxUp = 4

// failures lists the ways on which a step is made because something has failed, whatever has.
func (j *judging) failures(pl flow.Place, inner []flow.Place) []way {
	chain := append(slices.Clone(inner), pl)
	found, known := j.ownFailure(pl)
	switch {
	case found != nil:
		found.chain = chain
		return []way{*found}
	case known || len(chain) > maxUp:
		return nil
	}
	var ways []way
	for _, caller := range j.p.CallersOf(pl.Graph) {
		if !slices.ContainsFunc(chain, func(in flow.Place) bool { return in.Graph == caller.Graph }) {
			ways = append(ways, j.failures(caller, chain)...)
		}
	}
	return ways
}

// ownFailure reads the branches that lead to a step. known says that they tell why it is made, so that callers need not be
// asked.
func (j *judging) ownFailure(pl flow.Place) (found *way, known bool) {
	for _, c := range flow.ControlsOf(pl.Graph, pl.Block) {
		asks := pl.Graph.Blocks[c.Block].Cond.Asks
		known = true
		switch {
		case asks.Holds(effect.ClassTrue, c.Side), asks.Holds(effect.StopTrue, c.Side):
			return nil, true // meant: only what another try can mend comes back, or it all ends
		case asks.Holds(effect.FailedTrue, c.Side), asks.Holds(effect.AnswerTrue, !c.Side):
			steps := flow.AskedOf(pl.Graph, c.Block)
			if slices.ContainsFunc(steps, j.p.Passing) {
				return nil, true
			}
			answered := !asks.Holds(effect.FailedTrue, c.Side)
			if answered && !slices.ContainsFunc(steps, j.p.Works) {
				continue
			}
			if found == nil {
				found = &way{}
			}
			if len(steps) > 0 && steps[len(steps)-1].Pos.IsValid() {
				found.failed = steps[len(steps)-1]
			}
			found.undecoded = found.undecoded || asks&effect.Undecoded != 0
		}
	}
	return found, known
}

// counts reports whether somebody along the way asks how often the message has been delivered, or counts it.
func (j *judging) counts(chain []flow.Place) bool {
	level := map[*effect.Graph]bool{}
	for _, pl := range chain {
		level[pl.Graph] = true
	}
	if j.callees(level, 2) {
		return true
	}
	for range 2 { // those who call the function that knows of the failure, and what they ask first
		callers := map[*effect.Graph]bool{}
		for g := range level {
			for _, c := range j.p.CallersOf(g) {
				callers[c.Graph] = true
			}
		}
		if j.callees(callers, 1) {
			return true
		}
		level = callers
	}
	return false
}

// callees reports whether functions, or what they call within some calls, look at a count of deliveries.
func (j *judging) callees(gs map[*effect.Graph]bool, depth int) bool {
	for g := range gs {
		if g.Tries {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	next := map[*effect.Graph]bool{}
	for g := range gs {
		for _, t := range j.p.CalledIn(g) {
			if !gs[t] {
				next[t] = true
			}
		}
	}
	return len(next) > 0 && j.callees(next, depth-1)
}
