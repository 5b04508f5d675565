// Package flow runs rules over effect graphs.
//
// A [Rule] is a small automaton: a few marks, and what each effect does to them. The engine walks a function's graph
// with the rule's state and what is known of outcomes, descends into callees with the caller's handles bound to their
// parameters, and remembers the result for each (graph, binding, entry state). A mark that a caller set is told apart
// from one that the function itself set: that decides in which function a window is reported. The package knows
// effects, and nothing of Go syntax or types.
package flow

import (
	"sync"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// graph is an effect graph with what the engine looks up often.
type graph struct {
	*effect.Graph
	index int
	pkg   *effect.Package
	nodes []*effect.Node // by ID
	// paramCells and freeCells are the names of the places that parameters and captured variables are.
	paramCells, freeCells []string
	defers                []*effect.Node
	siteOf                map[int]int // node ID → index in defers
	callers               int
	// interesting: running it can change a rule's state or tell an outcome that matters. dynamic: it calls function
	// values that it is given, so that it depends on them.
	interesting, dynamic bool
	// relevant has a bit for each parameter that anything in the graph looks at.
	relevant effect.Bits
	// addressTaken: it is used as a function value.
	addressTaken bool
	// nonNil has a bit for each result that is never nil.
	nonNil effect.Bits
	// asked is what the function does with the results of its nodes, found when somebody wants it.
	asked     map[int]asked
	askedOnce sync.Once
	// handler says why the function runs once for each delivered message, or ""; handlerAt is the step that shows it, and
	// given that it is given the message, rather than that it receives it.
	handler   string
	handlerAt callSite
	given     bool
	// end stands for the function's return.
	end *effect.Node
	// does is what the function and everything it calls may do.
	does doing
}

// doing is a set of things that a function may do, whatever the path.
type doing uint16

const (
	publishes doing = 1 << iota
	writes
	transacts
	tellsPresence
	notifies // tells listeners of the database: a table with a bell, no broker
	looks    // reads, or uses a key-value store: matters to rules that ask for it
	confirms // receives or confirms a message
	acts     // changes something outside database and broker: no rule follows that by itself
	hands    // hands work to others, waits for it, or keeps what failed: matters to rules that ask for it
)

// changes is what leaves something behind.
const changes = publishes | writes | transacts | notifies | acts

func newGraph(g *effect.Graph, p *effect.Package, index int) *graph {
	w := &graph{Graph: g, pkg: p, index: index, siteOf: map[int]int{}, end: &effect.Node{Pos: g.Pos, Label: g.Name}}
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			if n.ID == 0 {
				continue
			}
			for len(w.nodes) <= n.ID {
				w.nodes = append(w.nodes, nil)
			}
			w.nodes[n.ID] = n
			if n.Mode == effect.Deferred {
				w.siteOf[n.ID] = len(w.defers)
				w.defers = append(w.defers, n)
			}
		}
	}
	return w
}

func (g *graph) node(id int) *effect.Node {
	if id < len(g.nodes) {
		return g.nodes[id]
	}
	return nil
}

// each calls f for every node.
func (g *graph) each(f func(n *effect.Node)) {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			f(&g.Blocks[b].Nodes[i])
		}
	}
}

// own is what a node does by itself.
func own(n *effect.Node) doing {
	switch {
	case n.Op == effect.OpPresence:
		return tellsPresence
	case n.Effect == nil:
		return 0
	}
	switch n.Effect.Kind {
	case model.Publish:
		if n.Effect.Notify {
			return notifies
		}
		return publishes
	case model.Write, model.Enqueue, model.SQL:
		return writes
	case model.Begin, model.Commit, model.Rollback, model.Run:
		return transacts
	case model.Receive, model.Ack, model.Nack, model.Subscribe:
		return confirms
	case model.Read, model.Lookup:
		return looks
	case model.Remember, model.Claim, model.Count:
		return looks | acts
	case model.External:
		return acts
	case model.Hand, model.Wait, model.Keep:
		return hands
	}
	return 0
}

// findRelevant notes the parameters whose value anything looks at.
func (g *graph) findRelevant() {
	g.eachRoots(func(rs effect.Roots) {
		for _, r := range rs {
			if r.Kind == effect.ParamRoot {
				g.relevant.Set(r.Index)
			}
		}
	})
}

// eachRoots calls f for all roots in the function.
func (g *graph) eachRoots(f func(rs effect.Roots)) {
	g.each(func(n *effect.Node) {
		f(n.Fun)
		f(n.Tested)
		for _, rs := range n.Args {
			f(rs)
		}
		for _, rs := range n.Calls {
			f(rs)
		}
		if e := n.Effect; e != nil {
			f(e.Handle)
			f(e.Closure)
			f(e.Text)
		}
	})
	for _, site := range g.Closures {
		f(site.Bound)
		for _, rs := range site.Env {
			f(rs)
		}
	}
	for _, rs := range g.Returns {
		f(rs)
	}
	for _, st := range g.Stores {
		f(st.Value)
	}
}
