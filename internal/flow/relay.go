package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/schema"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// What a rule about relays asks of the program: where rows come from, who is above a function, what becomes of a table.

// Carries reports whether what a step works on has come out of another step of the same function, or is made of rows that
// were polled from a table.
func (p *Program) Carries(step, from *Witness, table string) bool {
	if step.Graph != from.Graph || step.Node == nil || from.Node == nil {
		return false
	}
	g := p.byID[step.Graph.ID]
	if g == nil {
		return false
	}
	data := p.DataOf(step)
	return resultOf(step.Graph, data, from.Node) || p.tablesIn(g, data)[table]
}

// IsOutbox reports whether a table's rows are events to be published, by its name or because a relay does publish them.
func (p *Program) IsOutbox(table string) bool {
	return table != "" && (OutboxName(table) || p.Outboxes[table])
}

// maxAbove bounds how many callers up somebody is looked for.
const maxAbove = 12

// Above lists a function and those that lead to it by calls or closures, nearest first.
func (p *Program) Above(g *effect.Graph) []*effect.Graph {
	callers := p.whoReaches()
	mentioned := map[effect.FuncID][]*graph{}
	for _, x := range p.graphs {
		for _, id := range x.Mentions {
			mentioned[id] = append(mentioned[id], x)
		}
	}
	level := []*graph{p.byID[g.ID]}
	seen := map[*graph]bool{nil: true}
	var out []*effect.Graph
	for range maxAbove {
		var next []*graph
		for _, x := range level {
			if !seen[x] {
				seen[x] = true
				out = append(out, x.Graph)
				next = append(append(next, callers[x]...), mentioned[x.ID]...)
				next = append(next, p.byID[x.Parent])
			}
		}
		level = next
	}
	return out
}

// HandlesMessages reports whether a function runs once for each delivered message.
func (p *Program) HandlesMessages(g *effect.Graph) bool {
	w := p.byID[g.ID]
	return w != nil && w.handler != ""
}

// Alone reports whether a function, or what it calls some calls down, takes a lock that other processes respect.
func (p *Program) Alone(g *effect.Graph, down int) bool {
	w := p.byID[g.ID]
	if w == nil {
		return false
	}
	found := w.Locks
	p.eachEffect(w, func(n *effect.Node, e *effect.Effect) { found = found || p.locksOthers(w, n, e) })
	if found || down == 0 {
		return found
	}
	w.each(func(n *effect.Node) {
		for _, id := range p.staticTargets(n) {
			if t := p.byID[id]; t != nil && t != w && !found {
				found = p.Alone(t.Graph, down-1)
			}
		}
	})
	return found
}

// locksOthers reports whether a step is a lock: an advisory one, one of a whole table, a key that is claimed. A lock that
// ends with the transaction is none where there is no transaction, nor is a key about whose answer nobody asks.
func (p *Program) locksOthers(g *graph, n *effect.Node, e *effect.Effect) bool {
	switch {
	case e.Kind == model.Claim:
		a := g.askedAbout(n)
		return a.looked || a.returned
	case !e.Locks:
		return false
	case e.Brief:
		return !p.onPool(g, e.Handle)
	}
	return e.Table == "" || e.Advisory || e.Kind == model.Ignore
}

// onPool reports whether a handle is surely none of a transaction.
func (p *Program) onPool(g *graph, handle effect.Roots) bool {
	v := p.eval(p.ambient(g), handle)
	_, pool := p.values.has(v, poolAtom)
	_, tx := p.values.has(v, txAtom)
	return pool && !tx
}

// Elected reports whether somebody who leads to a function leads to an election, too: a scheduler, or the program itself,
// lets one of its processes do what all could do.
func (p *Program) Elected(g *effect.Graph) bool {
	var from []*graph
	for _, x := range p.Above(g) {
		from = append(from, p.byID[x.ID])
	}
	for x := range spread(from, func(g *graph) []*graph { return p.reaches[g] }) {
		if x.Elects {
			return true
		}
	}
	return false
}

// Waits reports whether a function, or one that it calls, waits for the outcome of what was begun before.
func (p *Program) Waits(g *effect.Graph) bool {
	w := p.byID[g.ID]
	if w == nil || w.Waits {
		return true
	}
	found := false
	w.each(func(n *effect.Node) {
		for _, id := range p.staticTargets(n) {
			t := p.byID[id]
			found = found || t != nil && t.Waits
		}
	})
	return found
}

// MarksNear reports whether rows of a table are changed or deleted from a function or from its callers some calls up.
func (p *Program) MarksNear(g *effect.Graph, table string, up int) bool {
	for x := range spread(p.above(p.byID[g.ID], up), func(g *graph) []*graph { return p.reaches[g] }) {
		if p.hasEffect(x, func(e *effect.Effect) bool { return Marks(e) && schema.SameTable(e.Table, table) }) {
			return true
		}
	}
	return false
}

// eachEffect calls f for the effects of a function, and for the statements that it hands on as text: to an interface that
// a pool and a transaction both satisfy.
func (p *Program) eachEffect(g *graph, f func(n *effect.Node, e *effect.Effect)) {
	g.each(func(n *effect.Node) {
		if n.Effect != nil {
			f(n, n.Effect)
			return
		}
		for _, roots := range n.Args {
			for _, r := range roots {
				if r.Kind == effect.TextRoot {
					f(n, p.statement(r.Name))
				}
			}
		}
	})
}

// statement reads a text once.
func (p *Program) statement(text string) *effect.Effect {
	if e := p.statements[text]; e != nil {
		return e
	}
	e := &effect.Effect{Kind: model.SQL}
	effect.ApplySQL(e, text)
	if p.statements == nil {
		p.statements = map[string]*effect.Effect{}
	}
	p.statements[text] = e
	return e
}

func (p *Program) hasEffect(g *graph, asked func(e *effect.Effect) bool) bool {
	found := false
	p.eachEffect(g, func(_ *effect.Node, e *effect.Effect) { found = found || asked(e) })
	return found
}

// Marks reports whether an effect can be the mark of a relay: it changes or deletes rows.
func Marks(e *effect.Effect) bool {
	return e.Kind == model.Write && e.Table != "" && (e.Verb == sqltext.Update || e.Verb == sqltext.Delete || e.Verb == sqltext.Upsert)
}

// Relaying lists the functions that lead both to an effect which is asked for and to a publish or, if work is set, to
// another change, as their outermost callers within some calls.
func (p *Program) Relaying(asked func(e *effect.Effect) bool, up int, work bool) []effect.FuncID {
	wanted := publishes
	if work {
		wanted |= writes
	}
	var level []*graph
	for _, g := range p.graphs {
		if p.hasEffect(g, asked) {
			level = append(level, g)
		}
	}
	return slices.DeleteFunc(p.callersOf(level, up), func(id effect.FuncID) bool {
		g := p.byID[id]
		return g.does&wanted == 0 && !g.dynamic
	})
}

// Behind lists the effects of the steps that a mark stands for, and of those that these made durable.
func (s *Step) Behind(m Mark) []*effect.Effect {
	var out []*effect.Effect
	for _, w := range s.path.wit[m] {
		for _, x := range withWrites(w) {
			if e := x.Leaf().Effect; e != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

// Steps lists the steps of the program whose effect is asked for.
func (p *Program) Steps(asked func(e *effect.Effect) bool) []*Witness {
	var out []*Witness
	for _, g := range p.graphs {
		if g.pkg == nil {
			continue
		}
		p.eachEffect(g, func(n *effect.Node, e *effect.Effect) {
			if asked(e) {
				out = append(out, &Witness{Graph: g.Graph, Pkg: g.pkg, Node: n, Effect: e})
			}
		})
	}
	return out
}

// Deletes reports whether anything in the program may delete rows of a table: a statement, a text that is handed on, or a
// deletion of which it is not known where.
func (p *Program) Deletes(table string) bool {
	deletes := func(e *effect.Effect) bool {
		if e.Kind != model.Write || e.Verb != sqltext.Delete && e.Verb != sqltext.Truncate {
			return false
		}
		return e.Table == "" || sqltext.HasHole(e.Table) || schema.SameTable(e.Table, table)
	}
	return slices.ContainsFunc(p.graphs, func(g *graph) bool { return p.hasEffect(g, deletes) })
}

// queued is a publish whose client was made to return before the broker has answered. It is the same effect each time.
func (p *Program) queued(e *effect.Effect) *effect.Effect {
	key := resolvedKey{e, queuedText}
	if r := p.resolved[key]; r != nil {
		return r
	}
	r := *e
	r.Queued = true
	p.resolved[key] = &r
	return &r
}

// queuedText stands for a text in the key of such an effect.
const queuedText = -1

// launches reports whether a goroutine that a step starts publishes.
func (p *Program) launches(g *graph, n *effect.Node) bool {
	if n.Effect != nil {
		return n.Effect.Kind == model.Publish
	}
	found := false
	for _, id := range p.staticTargets(n) {
		t := p.byID[id]
		found = found || t != nil && t.does&publishes != 0
	}
	p.closuresIn(g, n.Fun, func(t *graph) { found = found || t.does&publishes != 0 })
	return found
}
