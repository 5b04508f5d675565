package evidence

import (
	"maps"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/flow"
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
	for _, s := range u.written {
		g.note(Outbox, "an event is put into "+table, table, s)
	}
	for _, s := range u.polled {
		g.note(Relay, "rows of "+table+" are read to be published", table, s)
		if s.Effect.Locks {
			g.note(Lock, "the rows of "+table+" are locked", table, s)
		}
	}
	if len(u.written) == 0 && len(u.polled) > 0 {
		g.note(Unused, "rows of "+table+" are read here to be published, and nothing in the code writes any", table, u.polled[0])
	}
}

func (g *gatherer) inbox(table string, u *use) {
	for _, s := range u.written {
		g.note(Inbox, "a message is recorded in "+table, table, s)
	}
	if len(u.written) > 0 && len(u.handled) == 0 {
		g.note(Unused, "a message is recorded in "+table+" here, and no handler comes here", table, u.written[0])
	}
	if len(u.written) > 0 {
		g.uniqueKeys(table, u.written[0])
	}
}

// uniqueKeys says by which columns the schema refuses a second row.
func (g *gatherer) uniqueKeys(table string, at flow.Site) {
	keys, _ := g.p.Schema().Keys(table)
	for _, key := range keys {
		g.note(UniqueKey, table+" is unique by "+strings.Join(key, ", "), table, at)
	}
}
