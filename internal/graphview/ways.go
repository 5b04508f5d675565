package graphview

import (
	"maps"
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// followAll finds where control goes from the entry and from each step. What is known at a step is what all paths that
// lead to it agree on, so it is followed again until no path takes anything away.
func (v *View) followAll() {
	if len(v.graph.Blocks) == 0 {
		return
	}
	known := map[*row]facts{}
	var work []*row
	arrive := func(found []arrival) []target {
		for _, a := range found {
			if a.row != nil && learn(known, a) {
				work = append(work, a.row)
			}
		}
		return targetsOf(found)
	}
	v.entry = arrive(v.follow(0, 0, facts{}))
	for len(work) > 0 {
		r := work[0]
		work = work[1:]
		r.outs = nil
		for _, w := range v.ways(r.node, known[r]) {
			r.outs = append(r.outs, out{w.label, arrive(v.follow(r.block, r.index+1, w.facts))})
		}
		r.outs = unite(r.outs, "ok", func(o out) bool { return o.label != "err" })
		if r.outs = unite(r.outs, "", func(out) bool { return true }); len(r.outs) == 1 {
			r.outs[0].label = ""
		}
	}
}

// learn keeps of what is known at a step what the arrival knows, too; it reports whether that changed anything.
func learn(known map[*row]facts, a arrival) bool {
	old, ok := known[a.row]
	if !ok {
		known[a.row] = maps.Clone(a.facts)
		return true
	}
	before := len(old)
	maps.DeleteFunc(old, func(v effect.Var, o effect.Outcome) bool { return a.facts[v] != o })
	return len(old) < before
}

// unite makes one of the chosen ways where they lead to the same places: nobody looked which of them it was.
func unite(outs []out, label string, choose func(out) bool) []out {
	var chosen, rest []out
	for _, o := range outs {
		if choose(o) {
			chosen = append(chosen, o)
		} else {
			rest = append(rest, o)
		}
	}
	differs := func(o out) bool { return !slices.Equal(o.targets, chosen[0].targets) }
	if len(chosen) < 2 || slices.ContainsFunc(chosen, differs) {
		return outs
	}
	return append([]out{{label, chosen[0].targets}}, rest...)
}

// A way is one way in which a step can end.
type way struct {
	label string
	facts facts
}

// ways lists how a step can end, as far as anybody looks at it. Where it fails nobody looks at its other results.
func (v *View) ways(n *effect.Node, known facts) []way {
	start := maps.Clone(known)
	for _, variable := range n.Out {
		start.set(variable, effect.Unknown)
	}
	ended := []way{{"", start}}
	if n.Mode != effect.Now {
		return ended
	}
	var failed []way
	for i, variable := range n.Out {
		if variable != 0 && v.resultKind(n, i) == effect.ErrorResult {
			failed = withResult(ended, variable, effect.ErrorResult, effect.NonZero)
			ended = withResult(ended, variable, effect.ErrorResult, effect.Zero)
		}
	}
	for i, variable := range n.Out {
		if kind := v.resultKind(n, i); variable != 0 && kind != effect.ErrorResult {
			ended = slices.Concat(withResult(ended, variable, kind, effect.NonZero), withResult(ended, variable, kind, effect.Zero))
		}
	}
	return slices.Concat(ended, failed)
}

// withResult adds to each way what one more result is.
func withResult(ways []way, variable effect.Var, kind effect.ResultKind, o effect.Outcome) []way {
	var out []way
	for _, w := range ways {
		label := outcomeWord(kind, o)
		if w.label != "" && w.label != "ok" {
			label = w.label + "+" + label
		}
		f := maps.Clone(w.facts)
		f.set(variable, o)
		out = append(out, way{label, f})
	}
	return out
}

// resultKind says what is tested of a step's result. Effects keep their error in the first place.
func (v *View) resultKind(n *effect.Node, i int) effect.ResultKind {
	switch n.Op {
	case effect.OpPresence:
		return effect.PointerResult
	case effect.OpEffect:
		return effect.ErrorResult
	}
	ids := v.program.Targets[n.Method]
	if n.Callee != "" {
		ids = []effect.FuncID{n.Callee}
	}
	for _, id := range ids {
		if g := v.program.Graphs[id]; g != nil && i < len(g.Results) {
			return g.Results[i]
		}
	}
	if i == len(n.Out)-1 {
		return effect.ErrorResult // by custom the last result
	}
	return effect.OpaqueResult
}

func outcomeWord(kind effect.ResultKind, o effect.Outcome) string {
	words := [2]string{"ok", "err"}
	switch kind {
	case effect.BoolResult:
		words = [2]string{"false", "true"}
	case effect.PointerResult:
		words = [2]string{"nil", "set"} // whether there is a transaction
	}
	if o == effect.Zero {
		return words[0]
	}
	return words[1]
}
