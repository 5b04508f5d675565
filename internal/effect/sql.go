package effect

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// ApplySQL makes e what the text says: a write, a read, a notification, a begin or nothing of interest.
func ApplySQL(e *Effect, text string) {
	statements := sqltext.Parse(text)
	if len(statements) == 0 {
		e.Opaque = e.Kind == model.SQL
		return
	}
	st := mainStatement(statements)
	e.Verb, e.Table, e.Columns = st.Verb, st.Table, st.Sets
	e.Polls = st.Polls
	e.Conflict = st.Conflict != sqltext.NoConflict
	e.Guarded = len(st.Guards) > 0
	e.Increment, e.Added = len(st.Increments) > 0, st.Increments
	e.Notify = st.Notify
	e.Where = st.Where
	e.Locks, e.Advisory = st.Lock != sqltext.NoLock, st.Lock == sqltext.Advisory
	e.Brief = e.Advisory && strings.Contains(strings.ToLower(text), "_xact_lock")
	e.Exists = st.Exists
	switch {
	case st.Notify:
		e.Kind, e.Tier = model.Publish, model.TierAdvice
	case st.Writes():
		e.Kind = model.Write
		if st.Verb == sqltext.Update {
			e.States = statesInText(text)
		}
	case st.Verb == sqltext.Select:
		e.Kind = model.Read
		e.Columns = st.Columns
		e.Payload = hasPayload(st.Columns)
	default:
		e.Kind = model.Ignore
	}
}

// mainStatement picks the statement that matters most: a notification or a write before a read.
func mainStatement(statements []sqltext.Statement) sqltext.Statement {
	for _, st := range statements {
		if st.Writes() {
			return st
		}
	}
	for _, st := range statements {
		if st.Notify {
			return st
		}
	}
	return statements[0]
}

// payloadColumns are the names under which outbox tables keep what is to be sent.
var payloadColumns = []string{"payload", "body", "data", "message", "event", "content", "event_data", "event_type", "headers",
	"topic", "subject", "msg", "envelope", "serialized_event", "exchange", "routing_key", "message_body", "event_payload"}

func hasPayload(columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(payloadColumns, strings.ToLower(c)) })
}
