package dualwrite

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// quietColumns are those that nobody announces: counters of attempts, times of a last visit, leases.
var quietColumns = []string{"last_seen", "last_seen_at", "last_used", "last_used_at", "last_login", "last_login_at", "attempts",
	"attempt", "retries", "retry_count", "num_trials", "heartbeat", "heartbeat_at", "last_heartbeat", "last_heartbeat_at",
	"locked_at", "locked_by", "locked_until", "lease_expires_at", "updated_at", "last_error", "last_attempt_at", "next_attempt_at"}

// quietTables hold what is not state of the business: locks, migrations, processed messages, sessions of a cache.
var quietTables = []string{"schema_migration", "goose_db_version", "gorp_migration", "processed_message", "processed_event",
	"idempotency", "idempotent", "inbox", "lease", "advisory_lock", "distributed_lock", "leader_election", "consumed_message", "consumed_event",
	"rate_limit", "ratelimit", "resource_limit", "resourcelimit"}

// isState reports whether a write changes something that an event could announce.
func isState(e *effect.Effect) bool {
	switch {
	case e == nil:
		return true
	case e.Inbox:
		return false
	}
	switch e.Verb {
	case sqltext.DDL, sqltext.Session, sqltext.Truncate:
		return false
	}
	if strings.HasSuffix(e.Table, "_lock") || strings.HasSuffix(e.Table, "_locks") {
		return false
	}
	if slices.ContainsFunc(quietTables, func(w string) bool { return strings.Contains(e.Table, w) }) {
		return false
	}
	if isCache(e.Table) {
		return false
	}
	if e.Verb != sqltext.Update || len(e.Columns) == 0 {
		return true
	}
	return slices.ContainsFunc(e.Columns, func(c string) bool { return !quietColumn(c) })
}

// isCache reports whether a table says of itself that it keeps what is found elsewhere.
func isCache(table string) bool {
	return slices.ContainsFunc(strings.Split(table, "_"), func(word string) bool { return word == "cache" || word == "caches" })
}

// quietColumn compares names without their underscores: last_heartbeat_at is lastHeartbeatAt elsewhere.
func quietColumn(column string) bool {
	plain := strings.ReplaceAll(column, "_", "")
	return slices.ContainsFunc(quietColumns, func(q string) bool { return strings.ReplaceAll(q, "_", "") == plain })
}

// logWords are parts of the names of tables that record what happened beside the state that it happened to.
var logWords = []string{"log", "audit", "history", "event", "notification", "outbox", "activity", "trail", "message", "stat"}

// claims reports whether a write is what a publish after it announces: any but a line in a log.
func claims(w *flow.Witness) bool {
	return slices.ContainsFunc(writesOf(w), func(x *flow.Witness) bool {
		e := x.Leaf().Effect
		if e == nil {
			return false
		}
		return !slices.ContainsFunc(logWords, func(word string) bool { return strings.Contains(e.Table, word) })
	})
}
