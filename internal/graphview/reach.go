package graphview

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// reaches lists the effects behind a call: those of the functions that it can reach, in the order in which they are met.
func (v *View) reaches(n *effect.Node) []string {
	w := &reach{program: v.program, seen: map[effect.FuncID]bool{}}
	w.node(v.graph, n)
	return w.words
}

// reach is a walk over the program from one call.
type reach struct {
	program *effect.Program
	seen    map[effect.FuncID]bool
	words   []string
}

func (w *reach) function(id effect.FuncID) {
	g := w.program.Graphs[id]
	if g == nil || w.seen[id] {
		return
	}
	w.seen[id] = true
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			w.node(g, &g.Blocks[b].Nodes[i])
		}
	}
}

func (w *reach) node(g *effect.Graph, n *effect.Node) {
	if n.Effect != nil {
		if word := effectWord(n.Effect); !slices.Contains(w.words, word) {
			w.words = append(w.words, word)
		}
		w.closures(g, n.Effect.Closure)
	}
	if n.Callee != "" {
		w.function(n.Callee)
	}
	for _, id := range w.program.Targets[n.Method] {
		w.function(id)
	}
	w.closures(g, n.Fun)
	for _, roots := range slices.Concat(n.Args, n.Calls) {
		w.closures(g, roots)
	}
}

// closures follows the function values among roots: one that is handed on is taken to be called.
func (w *reach) closures(g *effect.Graph, roots effect.Roots) {
	for _, r := range roots {
		if r.Kind != effect.FuncRoot {
			continue
		}
		site := g.Closures[r.Index]
		w.function(site.Fn)
		for _, id := range w.program.Targets[site.Method] {
			w.function(id)
		}
	}
}
