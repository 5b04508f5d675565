package graphview

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// An out is where control goes when a step has ended in one way; the label is empty where the way makes no difference.
type out struct {
	label   string
	targets []target
}

// A target is the next visible step, or an exit where row is nil.
type target struct {
	row  *row
	exit string
}

func (t target) String() string {
	if t.row == nil {
		return t.exit
	}
	return fmt.Sprint(t.row.number)
}

func compareTarget(a, b target) int {
	rank := func(t target) int {
		if t.row == nil {
			return 1 << 30
		}
		return t.row.number
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.String(), b.String()))
}

// walk follows control from one point to the next visible steps.
type walk struct {
	view  *View
	seen  map[string]bool
	found []arrival
}

// An arrival is a target with what is known when control gets there.
type arrival struct {
	target
	facts facts
}

func (v *View) follow(block, index int, f facts) []arrival {
	w := &walk{view: v, seen: map[string]bool{}}
	w.from(block, index, maps.Clone(f))
	return w.found
}

// targetsOf lists where a walk has got to, each place once.
func targetsOf(found []arrival) []target {
	targets := make([]target, len(found))
	for i, a := range found {
		targets[i] = a.target
	}
	slices.SortFunc(targets, compareTarget)
	return slices.Compact(targets)
}

// maxStates bounds a walk: one that has looked at so many states goes on without knowing anything.
const maxStates = 2000

func (w *walk) from(block, index int, f facts) {
	if len(w.seen) > maxStates {
		f = facts{}
	}
	key := fmt.Sprint(block, index, f) // maps print in the order of their keys
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	b := &w.view.graph.Blocks[block]
	for i := index; i < len(b.Nodes); i++ {
		n := &b.Nodes[i]
		if r := w.view.rowOf[n]; r != nil {
			w.found = append(w.found, arrival{target{row: r}, f})
			return
		}
		w.pass(n, f)
	}
	switch b.Exit {
	case effect.Return:
		w.found = append(w.found, arrival{target{exit: w.view.exit(b, f)}, nil})
	case effect.Panic:
		w.found = append(w.found, arrival{target{exit: "panic"}, nil})
	case effect.Branch:
		w.branch(b, f)
	}
}

// pass applies what a step that is not shown does to the facts.
func (w *walk) pass(n *effect.Node, f facts) {
	f.move(n.Moves)
	for _, v := range n.Out {
		f.set(v, effect.Unknown)
	}
	if n.Op == effect.OpRunDefers && len(w.view.deferred()) > 0 {
		for _, site := range w.view.graph.Closures { // a deferred closure may assign to what it has captured
			for _, v := range site.CellEnv {
				f.set(v, effect.Unknown)
			}
		}
	}
}

func (w *walk) branch(b *effect.Block, f facts) {
	for i := range b.Succs {
		edge := &b.Succs[i]
		next := maps.Clone(f)
		if len(b.Succs) == 2 && !next.assume(b.Cond, i == 0) {
			continue
		}
		next.move(edge.Moves)
		next.restrict(w.view.graph.Blocks[edge.To].Live)
		w.from(edge.To, 0, next)
	}
}

// exit names a return by what the caller sees of it.
func (v *View) exit(b *effect.Block, f facts) string {
	for _, kind := range []effect.ResultKind{effect.ErrorResult, effect.BoolResult} {
		for i, k := range v.graph.Results {
			if k != kind || i >= len(b.Return) {
				continue
			}
			if o := f.operand(b.Return[i]); o != effect.Unknown {
				return "exit(" + outcomeWord(kind, o) + ")"
			}
			return "exit"
		}
	}
	return "exit"
}
