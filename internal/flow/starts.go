package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// HandlerIDs lists the handlers: first those that receive messages or that nothing in the program calls, then those that
// these may call.
func (p *Program) HandlerIDs() []effect.FuncID {
	var first, then []effect.FuncID
	for _, g := range p.graphs {
		switch {
		case g.handler == "":
		case !g.given || g.callers == 0:
			first = append(first, g.ID)
		default:
			then = append(then, g.ID)
		}
	}
	return append(first, then...)
}

// Begins reports whether a function begins a transaction itself.
func (p *Program) Begins(g *effect.Graph) bool {
	w := p.byID[g.ID]
	return w != nil && w.has(func(e *effect.Effect) bool { return e.Kind == model.Begin || e.Kind == model.Run })
}

// Thin reports whether a function changes one thing only, whichever way it goes: it wraps a statement.
func (p *Program) Thin(g *effect.Graph) bool {
	w := p.byID[g.ID]
	return w != nil && (len(w.Blocks) == 0 || p.mostChanges(w, 0, map[int]int{}) <= 1)
}

// mostChanges is how many steps that change something a way through a function has at most from a block on, rounds of
// loops not counted.
func (p *Program) mostChanges(w *graph, block int, known map[int]int) int {
	if n, ok := known[block]; ok {
		return n
	}
	known[block] = 0 // for a loop
	own, after := 0, 0
	for i := range w.Blocks[block].Nodes {
		if p.changesBy(&w.Blocks[block].Nodes[i]) {
			own++
		}
	}
	for _, e := range w.Blocks[block].Succs {
		if e.Back == 0 {
			after = max(after, p.mostChanges(w, e.To, known))
		}
	}
	known[block] = own + after
	return own + after
}

// changesBy reports whether a node, or what it calls, writes, publishes or has to do with transactions.
func (p *Program) changesBy(n *effect.Node) bool {
	const change = writes | publishes | transacts
	return own(n)&change != 0 || slices.ContainsFunc(p.staticTargets(n), func(id effect.FuncID) bool {
		t := p.byID[id]
		return t != nil && t.does&change != 0
	})
}

// Reaching lists the functions from which an effect that is asked for can be reached.
func (p *Program) Reaching(asked func(e *effect.Effect) bool) map[effect.FuncID]bool {
	callers := p.whoReaches()
	found := map[effect.FuncID]bool{}
	for g := range spread(p.having(asked), func(g *graph) []*graph { return callers[g] }) {
		found[g.ID] = true
	}
	return found
}

// writtenFrom are the tables that can be written from a function, closures and implementations included.
func (p *Program) writtenFrom(id effect.FuncID) map[string]bool {
	if tables, ok := p.written[id]; ok {
		return tables
	}
	p.whoReaches()
	tables := map[string]bool{}
	for g := range spread([]*graph{p.byID[id]}, func(g *graph) []*graph { return p.reaches[g] }) {
		g.each(func(n *effect.Node) { p.tablesWritten(n, tables) })
	}
	if p.written == nil {
		p.written = map[effect.FuncID]map[string]bool{}
	}
	p.written[id] = tables
	return tables
}

// tablesWritten notes the table that a node writes, also by a text that it hands on.
func (p *Program) tablesWritten(n *effect.Node, tables map[string]bool) {
	if n.Effect != nil {
		if n.Effect.Kind == model.Write {
			tables[n.Effect.Table] = true
		}
		return
	}
	for _, roots := range n.Args {
		for _, r := range roots {
			if r.Kind == effect.TextRoot {
				e := &effect.Effect{Kind: model.SQL}
				if effect.ApplySQL(e, r.Name); e.Kind == model.Write {
					tables[e.Table] = true
				}
			}
		}
	}
}

// whoReaches lists the functions that call a function or make closures of it, by that function. It is the same for all
// who ask once the program is prepared.
func (p *Program) whoReaches() map[*graph][]*graph {
	if p.reachedBy == nil {
		p.reachedBy, p.reaches = map[*graph][]*graph{}, map[*graph][]*graph{}
		for _, g := range p.graphs {
			for _, t := range p.reachable(g) {
				p.reachedBy[t] = append(p.reachedBy[t], g)
				p.reaches[g] = append(p.reaches[g], t)
			}
		}
	}
	return p.reachedBy
}

// having lists the functions that have an effect which is asked for.
func (p *Program) having(asked func(e *effect.Effect) bool) []*graph {
	var gs []*graph
	for _, g := range p.graphs {
		if g.has(asked) {
			gs = append(gs, g)
		}
	}
	return gs
}

// has reports whether one of a function's own effects is asked for.
func (g *graph) has(asked func(e *effect.Effect) bool) bool {
	found := false
	g.each(func(n *effect.Node) { found = found || n.Effect != nil && asked(n.Effect) })
	return found
}

// Touching lists the functions that have an effect which is asked for, as their outermost callers within some calls.
func (p *Program) Touching(asked func(e *effect.Effect) bool, up int) []effect.FuncID {
	return p.callersOf(p.having(asked), up)
}

// callersOf lists functions and their callers within some calls, callers first.
func (p *Program) callersOf(level []*graph, up int) []effect.FuncID {
	var out []effect.FuncID
	for _, g := range p.callersUp(level, up) {
		out = append(out, g.ID)
	}
	slices.Reverse(out)
	return out
}

// above lists a function and its callers some calls up.
func (p *Program) above(g *graph, up int) []*graph { return p.callersUp([]*graph{g}, up) }

// callersUp lists functions and their callers within some calls, nearest first.
func (p *Program) callersUp(level []*graph, up int) []*graph {
	callers := p.whoReaches()
	var out []*graph
	seen := map[*graph]bool{}
	for range up + 1 {
		var next []*graph
		for _, g := range level {
			if seen[g] {
				continue
			}
			seen[g] = true
			out = append(out, g)
			next = append(next, callers[g]...)
		}
		level = next
	}
	return out
}
