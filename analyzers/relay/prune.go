package relay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// inboxWords are parts of the names of tables that surely hold what says which messages have been handled.
var inboxWords = []string{"inbox", "dedup", "idempoten", "processed_event", "processed_message", "processed_msg", "consumed_event", "consumed_message",
	"handled_event", "handled_message"}

func isInbox(e *effect.Effect) bool {
	return e.Inbox || !strings.Contains(e.Table, "outbox") && slices.ContainsFunc(inboxWords, func(w string) bool { return strings.Contains(e.Table, w) })
}

// unpruned finds outboxes and inboxes from which nothing is ever deleted, as far as the program and its migrations tell.
// A table that is defined elsewhere may be pruned there.
func (j *judge) unpruned() []*check.Finding {
	var out []*check.Finding
	seen := map[string]bool{}
	grows := func(table string, made func(name string) bool) bool {
		if seen[table] {
			return false
		}
		seen[table] = true
		return made(table) && !j.p.Schema().Sheds(table) && !j.p.Deletes(table)
	}
	for _, h := range j.hits {
		poll := h.First.Leaf().Effect
		if h.Kind != relayKind || poll == nil || h.First.Depth() > maxDepth || h.Later.Depth() > maxDepth || !j.relays(h, poll.Table) || inboxName(poll.Table) {
			continue
		}
		if at := place(h.First); at != nil && grows(poll.Table, j.p.Schema().Owns) {
			f := finding("relay/not-pruned", check.Advice, at, h.First, h.Later)
			f.Message = fmt.Sprintf("%s are published at %s and marked, and nothing in the program or its migrations ever deletes them: the table and this query grow without bound", rows(poll.Table), check.Place(h.Later, f.File))
			f.Window.Consequence = "the outbox holds every event that was ever sent"
			f.Advice = "delete rows some days after they were sent, in a job or when they are marked"
			out = append(out, f)
		}
	}
	inserts := func(e *effect.Effect) bool {
		return e.Kind == model.Write && (e.Verb == sqltext.Insert || e.Verb == sqltext.Upsert) && e.Table != "" && !sqltext.HasHole(e.Table) && isInbox(e)
	}
	for _, w := range j.p.Steps(inserts) {
		if w.Graph.Generated || w.Pkg.Harness || !w.Node.Pos.IsValid() || !slices.ContainsFunc(j.p.Above(w.Graph), j.p.HandlesMessages) || !grows(w.Effect.Table, j.p.Schema().Migrates) {
			continue
		}
		f := finding("relay/not-pruned", check.Advice, w, w, w)
		f.Message = fmt.Sprintf("a row of %s is inserted for every message, and nothing in the program or its migrations ever deletes one: the table grows without bound", w.Effect.Table)
		f.Window.Consequence = "the inbox holds every message that was ever handled"
		f.Advice = "delete rows that are older than the broker can deliver a message again"
		out = append(out, f)
	}
	return out
}
