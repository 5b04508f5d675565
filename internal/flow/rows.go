package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// rowFlow knows where rows that a query has polled go: from functions that return them, through parameters, to a
// publish. A table whose polled rows are published is an outbox, and who writes it while publishing is a relay.
type rowFlow struct {
	returned map[effect.FuncID]map[string]bool // tables whose polled rows a function returns
	params   map[paramKey]map[string]bool      // tables whose polled rows reach a parameter
	sends    map[effect.FuncID]effect.Bits     // parameters that a function publishes
}

type paramKey struct {
	g *graph
	i int
}

func (p *Program) findRows() {
	p.rows = &rowFlow{returned: map[effect.FuncID]map[string]bool{}, params: map[paramKey]map[string]bool{}, sends: map[effect.FuncID]effect.Bits{}}
	for range 6 {
		changed := false
		for _, g := range p.graphs {
			changed = p.rowsOfGraph(g) || changed
		}
		if !changed {
			break
		}
	}
	for _, g := range p.graphs {
		g.each(func(n *effect.Node) { p.learnOutbox(g, n) })
	}
}

// rowsOfGraph takes rows and messages one step further through a function.
func (p *Program) rowsOfGraph(g *graph) bool {
	changed := false
	for _, data := range g.ReturnData {
		for t := range p.tablesIn(g, data) {
			changed = addTable(p.rows.returned, g.ID, t) || changed
		}
	}
	g.each(func(n *effect.Node) {
		changed = p.sendsOfNode(g, n) || changed
		for _, id := range p.staticTargets(n) {
			t := p.byID[id]
			if t == nil {
				continue
			}
			for i, data := range n.ArgData {
				for table := range p.tablesIn(g, data) {
					changed = addTable(p.rows.params, paramKey{t, i}, table) || changed
				}
			}
		}
	})
	return changed
}

func addTable[K comparable](m map[K]map[string]bool, key K, table string) bool {
	if m[key][table] {
		return false
	}
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][table] = true
	return true
}

// sendsOfNode notes the parameters of g that a node publishes.
func (p *Program) sendsOfNode(g *graph, n *effect.Node) bool {
	changed := false
	for _, o := range p.published(n) {
		if o >= len(g.Origins) || g.Origins[o].Kind != effect.ParamOrigin {
			continue
		}
		bits := p.rows.sends[g.ID]
		if bits.Set(g.Origins[o].Index) {
			p.rows.sends[g.ID] = bits
			changed = true
		}
	}
	return changed
}

// published is the data that a node publishes, itself or through what it calls.
func (p *Program) published(n *effect.Node) effect.Origins {
	if n.Effect != nil {
		if n.Effect.Kind == model.Publish {
			return n.Effect.Message
		}
		return nil
	}
	var data effect.Origins
	for _, id := range p.staticTargets(n) {
		bits := p.rows.sends[id]
		for i, d := range n.ArgData {
			if bits.Has(i) {
				data = append(data, d...)
			}
		}
	}
	return data
}

// tablesIn lists the tables whose polled rows are in data.
func (p *Program) tablesIn(g *graph, data effect.Origins) map[string]bool {
	var tables map[string]bool // mostly none
	note := func(from map[string]bool) {
		for t := range from {
			if tables == nil {
				tables = map[string]bool{}
			}
			tables[t] = true
		}
	}
	for _, i := range data {
		if i >= len(g.Origins) {
			continue
		}
		switch o := g.Origins[i]; o.Kind {
		case effect.ParamOrigin:
			note(p.rows.params[paramKey{g, o.Index}])
		case effect.CallOrigin:
			p.tablesOfNode(g.node(o.Node), note)
		}
	}
	return tables
}

func (p *Program) tablesOfNode(n *effect.Node, note func(tables map[string]bool)) {
	if n == nil {
		return
	}
	if e := n.Effect; e != nil && e.Table != "" && queueRead(e) {
		note(map[string]bool{e.Table: true})
	}
	for _, id := range p.staticTargets(n) {
		note(p.rows.returned[id])
	}
}

// queueRead reports whether an effect takes rows as from a queue: a polling query of something like a payload, or of a
// table that is an outbox by name.
func queueRead(e *effect.Effect) bool {
	switch e.Kind {
	case model.Read:
		return e.Polls && e.Payload || OutboxName(e.Table)
	case model.Write:
		return OutboxName(e.Table)
	}
	return false
}

func (p *Program) learnOutbox(g *graph, n *effect.Node) {
	for t := range p.tablesIn(g, p.published(n)) {
		p.Outboxes[t] = true
	}
}

// outboxWords are the parts of names under which outboxes go, without underscores.
var outboxWords = []string{"outbox", "eventpublication", "integrationevent", "domainevent", "pendingevent", "pendingmessage",
	"messagequeue", "eventqueue", "queuedevent", "unsentmessage", "unpublishedevent", "outgoingmessage", "outgoingevent", "eventstore"}

// OutboxName reports whether a table is an outbox by its name.
func OutboxName(table string) bool {
	plain := strings.ReplaceAll(table, "_", "")
	return slices.ContainsFunc(outboxWords, func(w string) bool { return strings.Contains(plain, w) })
}

// relays reports whether a write marks or deletes the very rows that are published: then it is the mark of a relay.
func (p *Program) relays(write, publish *Witness) bool {
	if write == nil || publish == nil || write.Graph != publish.Graph || write.Node == nil || publish.Node == nil {
		return false
	}
	if e := publish.Leaf().Effect; e == nil || e.Kind != model.Publish {
		return false
	}
	g := p.byID[write.Graph.ID]
	if g == nil {
		return false
	}
	from := p.tablesIn(g, p.DataOf(publish))
	if len(from) == 0 {
		return false
	}
	for _, w := range append([]*Witness{write}, write.Writes...) {
		if e := w.Leaf().Effect; e != nil && from[e.Table] && p.IsOutbox(e.Table) {
			return true
		}
	}
	return false
}
