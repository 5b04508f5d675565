package dedupe

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

func insertInto(table string, columns ...string) *effect.Effect {
	return &effect.Effect{Kind: model.Write, Verb: sqltext.Insert, Table: table, Columns: columns}
}

func selectFrom(table string, where ...string) *effect.Effect {
	return &effect.Effect{Kind: model.Read, Verb: sqltext.Select, Table: table, Where: where}
}

func update(table string) *effect.Effect {
	return &effect.Effect{Kind: model.Write, Verb: sqltext.Update, Table: table}
}

func TestStrength(t *testing.T) {
	for _, tt := range []struct {
		e    *effect.Effect
		want int
	}{
		{nil, 0},
		{insertInto("inbox", "id"), strong},
		{insertInto("processed_messages"), strong},
		{selectFrom("dedup"), strong},
		{&effect.Effect{Kind: model.Claim}, strong},
		{&effect.Effect{Kind: model.Lookup}, strong},
		{insertInto("outbox_processed", "total"), weak},
		{with(insertInto("arrivals", "id"), func(e *effect.Effect) { e.Inbox = true }), strong},
		{with(insertInto("outbox_arrivals", "id"), func(e *effect.Effect) { e.Inbox = true }), strong}, // the user knows
		{insertInto("payments", "event_id"), keyed},
		{selectFrom("payments", "message_id"), keyed},
		{selectFrom("payments", "id"), weak},
		{insertInto("payments", "id"), weak},
	} {
		assert.Equal(t, tt.want, strength(tt.e), "%+v", tt.e)
	}
}

func with(e *effect.Effect, change func(e *effect.Effect)) *effect.Effect {
	change(e)
	return e
}

func checked(e *effect.Effect)  { e.Checked = true }
func conflict(e *effect.Effect) { e.Conflict = true }
func guarded(e *effect.Effect)  { e.Guarded = true }
func adding(e *effect.Effect)   { e.Increment = true }

func TestRecords(t *testing.T) {
	for name, e := range map[string]*effect.Effect{
		"an inbox row":             insertInto("inbox", "id"),
		"a row under the message":  insertInto("payments", "event_id"),
		"a conflict looked at":     with(with(insertInto("payments", "id"), conflict), checked),
		"a compare-and-set":        with(with(update("orders"), guarded), checked),
		"an update of a store":     update("inbox"),
		"a claim":                  {Kind: model.Claim},
		"a key that is remembered": {Kind: model.Remember},
	} {
		assert.True(t, isRecord(e), name)
	}
	for name, e := range map[string]*effect.Effect{
		"nothing":                   nil,
		"a row":                     insertInto("payments", "id"),
		"a conflict not looked at":  with(insertInto("payments", "id"), conflict),
		"a condition not looked at": with(update("orders"), guarded),
		"an increment":              with(insertInto("totals", "event_id"), adding),
		"a read":                    selectFrom("inbox"),
		"a lookup":                  {Kind: model.Lookup},
	} {
		assert.False(t, isRecord(e), name)
	}
}

func TestKeeps(t *testing.T) {
	assert.True(t, keeps(&effect.Effect{Kind: model.Claim}))
	assert.True(t, keeps(insertInto("inbox")))
	assert.True(t, keeps(update("processed")))
	assert.False(t, keeps(update("payments")))
	assert.False(t, keeps(insertInto("payments", "id")))
	assert.False(t, keeps(selectFrom("inbox")))
}

func TestWordsThatAskForState(t *testing.T) {
	for _, w := range []string{"status", "order_state", "last_event", "already_paid", "err_no_rows", "event_id", "row_count", "statuses",
		"existing", "unpaid", "seq", "updated_at", "order.status"} {
		assert.True(t, tellsState([]string{"x", w}), w)
	}
	assert.False(t, tellsState([]string{"amount", "is_frozen", "name"}))
	assert.False(t, tellsState([]string{"account_id", "discount", "country", "statement", "refresh", "conversion", "consent"}), "parts of words")
	assert.False(t, tellsState(nil))
}

func TestQuietColumns(t *testing.T) {
	assert.True(t, quiet([]string{"version"}))
	assert.True(t, quiet([]string{"attempts", "retry_count"}))
	assert.False(t, quiet([]string{"version", "balance"}), "one that counts is enough")
	assert.False(t, quiet(nil), "what is not known counts")
}

func TestTrails(t *testing.T) {
	assert.True(t, isTrail(insertInto("audit_log")))
	assert.True(t, isTrail(insertInto("user_sessions")))
	assert.False(t, isTrail(insertInto("payments")))
}

func TestDoubles(t *testing.T) {
	for name, e := range map[string]*effect.Effect{
		"an increment": with(update("accounts"), adding), "a row": insertInto("orders"), "an event": {Kind: model.Publish},
		"a job": {Kind: model.Enqueue}, "a counter": {Kind: model.Count},
	} {
		assert.True(t, doubles(e), name)
	}
	for name, e := range map[string]*effect.Effect{
		"nothing": nil, "an assignment": update("accounts"), "a guarded increment": with(with(update("accounts"), adding), guarded),
		"a row unless it is there": with(insertInto("orders"), conflict), "a read": selectFrom("orders"),
	} {
		assert.False(t, doubles(e), name)
	}
}
