package evidence

import (
	"maps"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/schema"
)

// ofTables says what becomes of each table of events or messages.
func (g *gatherer) ofTables() {
	for _, table := range slices.Sorted(maps.Keys(g.tables)) {
		u := g.tables[table]
		if u.outbox {
			g.outbox(table, u)
		}
		if u.inbox {
			g.inbox(table, u)
		}
		for _, s := range u.pruned {
			g.note(Pruning, "rows of "+table+" are deleted", table, s)
			if u.inbox {
				g.note(InboxPruning, "rows of "+table+" are deleted", table, s)
			}
		}
		for _, s := range slices.Concat(u.written, u.polled) {
			g.note(Table, table+" holds "+holds(u), table, s)
			break
		}
	}
}

func holds(u *use) string {
	if u.outbox {
		return "events to be published"
	}
	return "which messages were handled"
}

func (g *gatherer) outbox(table string, u *use) {
	for _, s := range g.running(u.written) {
		g.note(Outbox, "an event is put into "+table, table, s)
	}
	for _, s := range u.polled {
		g.note(Relay, "rows of "+table+" are read to be published", table, s)
		if s.Effect.Locks {
			g.note(Lock, "the rows of "+table+" are locked", table, s)
		}
	}
	switch {
	case !strings.Contains(table, "outbox"): // a queue that is put together by other means may be used by others
	case len(u.polled) > 0 && len(g.running(u.written)) == 0:
		g.note(Unused, "rows of "+table+" are read here to be published, and nothing that runs writes any", table, u.polled[0])
	case len(u.written) > 0 && len(u.polled) == 0 && !g.relays:
		g.note(Unused, "events are put into "+table+" here, and nothing in the code publishes them", table, u.written[0])
	}
}

// running keeps the sites in functions that can run, as far as that is known.
func (g *gatherer) running(sites []flow.Site) []flow.Site {
	return slices.DeleteFunc(slices.Clone(sites), func(s flow.Site) bool { return g.live != nil && !g.live[s.Graph.ID] })
}

// neverTouched tells of outboxes that the schema has and the code does not know.
func (g *gatherer) neverTouched() {
	for _, table := range g.p.Schema().Tables() {
		if flow.OutboxName(table) && !slices.ContainsFunc(slices.Collect(maps.Keys(g.tables)), func(t string) bool { return schema.SameTable(t, table) }) {
			g.facts = append(g.facts, Fact{Kind: Unused, Text: "the schema has a table " + table + ", and nothing in the code reads or writes it", Subject: table})
		}
	}
}

func (g *gatherer) inbox(table string, u *use) {
	running := g.running(u.written)
	for _, s := range running {
		g.note(Inbox, "a message is recorded in "+table, table, s)
	}
	switch {
	case len(running) > 0:
		g.uniqueKeys(table, running[0])
	case len(u.written) > 0:
		g.note(Unused, "messages are recorded in "+table+" here, and nothing that runs comes here", table, u.written[0])
	}
}

// uniqueKeys says by which columns the schema refuses a second row.
func (g *gatherer) uniqueKeys(table string, at flow.Site) {
	keys, _ := g.p.Schema().Keys(table)
	for _, key := range keys {
		g.note(UniqueKey, table+" is unique by "+strings.Join(key, ", "), table, at)
	}
}
