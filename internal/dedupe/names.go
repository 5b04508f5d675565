package dedupe

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// storeWords are parts of the names of tables whose rows say which messages have been handled.
var storeWords = []string{"inbox", "processed", "dedup", "idempot", "consumed_", "handled_", "seen_", "once_"}

// messageKeys are columns that hold what identifies a message.
var messageKeys = []string{"message_id", "msg_id", "event_id", "evt_id", "delivery_id", "message_uuid", "event_uuid", "msg_uuid",
	"idempotency_key", "idempotent_key", "idempotence_key", "dedup_id", "dedup_key", "dedupe_id", "dedupe_key",
	"nats_msg_id", "consumed_message_id"}

// IsStore reports whether an effect is on a store that says which messages have been handled.
func IsStore(e *effect.Effect) bool {
	switch e.Kind {
	case model.Lookup, model.Claim, model.Remember:
		return true
	}
	switch {
	case e.Inbox:
		return true
	case strings.Contains(e.Table, "outbox"):
		return false
	}
	return slices.ContainsFunc(storeWords, func(w string) bool { return strings.Contains(e.Table, w) })
}

// Polls reports whether a read takes messages out of a table that they were put into as they came.
func Polls(e *effect.Effect) bool { return e.Kind == model.Read && strings.Contains(e.Table, "inbox") }

func isMessageKey(column string) bool { return slices.Contains(messageKeys, column) }

// isLook reports whether an effect only asks.
func isLook(e *effect.Effect) bool { return e.Kind == model.Read || e.Kind == model.Lookup }

// asksKey reports whether an effect asks a key-value store whether a key is there.
func asksKey(e *effect.Effect) bool {
	return e != nil && (e.Kind == model.Lookup || e.Kind == model.Claim)
}

// sameStore reports whether two effects on keys can be on one store: maps are told apart.
func sameStore(a, b *effect.Effect) bool {
	if strings.HasPrefix(a.Symbol, effect.MapSymbol) || strings.HasPrefix(b.Symbol, effect.MapSymbol) {
		return a.Symbol == b.Symbol
	}
	return true
}

// The strengths of a check or record: how likely it is about the message and not about the business.
const (
	weak   = 1
	keyed  = 2 // by a column that holds a message's ID
	strong = 3 // in a store for that
)

func strength(e *effect.Effect) int {
	switch {
	case e == nil:
		return 0
	case IsStore(e):
		return strong
	case e.Kind == model.Read && slices.ContainsFunc(e.Where, isMessageKey), e.Kind == model.Write && slices.ContainsFunc(e.Columns, isMessageKey):
		return keyed
	}
	return weak
}

// isRecord reports whether a write can tell a message that comes again from a new one: an insert under the message's ID,
// an insert that is told of a row that exists, a compare-and-set.
func isRecord(e *effect.Effect) bool {
	switch {
	case e == nil:
		return false
	case e.Kind == model.Claim, e.Kind == model.Remember:
		return true
	case e.Kind != model.Write || e.Increment && !e.Guarded:
		return false
	case e.Verb == sqltext.Insert || e.Verb == sqltext.Upsert:
		return strength(e) > weak || e.Conflict && e.Checked
	case e.Verb == sqltext.Update:
		return IsStore(e) || e.Guarded && e.Checked
	}
	return false
}

// claims reports whether a record checks and records in one step.
func claims(e *effect.Effect) bool {
	return e.Kind == model.Claim || e.Kind == model.Write && (e.Conflict || e.Guarded)
}

// throttleWords are parts of the keys of throttles: at most one of a kind passes in some time, whichever it is.
var throttleWords = []string{"throttl", "rate_limit", "ratelimit", "rate-limit", "rate:", "cooldown", "debounce", "backoff"}

// kindWords are names of what many messages share.
var kindWords = []string{"event_name", "message_name", "alert_name", "metric_name", "type", "kind", "topic", "reason", "category", "template"}

// saysThrottle reports whether a key is that of a throttle and no record of a message: it says so, or is made of nothing but
// what many messages share.
func saysThrottle(words []string) bool {
	shared := false
	for _, w := range words {
		if slices.ContainsFunc(throttleWords, func(t string) bool { return strings.Contains(w, t) }) {
			return true
		}
	}
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, `"`):
		case slices.ContainsFunc(kindWords, func(k string) bool { return w == k || strings.HasSuffix(w, "_"+k) }):
			shared = true
		default:
			return false
		}
	}
	return shared
}

// throttles reports whether a step in a key-value store is that of a throttle, as whoever picks the key says.
func throttles(w *flow.Witness) bool {
	for ; w != nil; w = w.Sub {
		if w.Node != nil && len(w.Node.KeyWords) > 0 {
			return saysThrottle(w.Node.KeyWords)
		}
	}
	return false
}

// stateWords are those in the names that a condition on a row reads when it asks whether the work was done already. Longer
// ones stand for several parts of a name.
var stateWords = []string{"status", "state", "version", "seq", "sequence", "offset", "processed", "handled", "applied", "done", "complete",
	"exist", "seen", "dup", "duplicate", "already", "known", "first", "fresh", "paid", "settled", "closed", "sent", "finish", "found",
	"no_rows", "event_id", "message_id", "len", "length", "count", "counter", "is_zero", "nil", "pending", "updated_at", "last"}

// wordEndings and wordStarts are what a word may have besides: statuses, existing, unpaid.
var (
	wordEndings = []string{"", "s", "es", "d", "ed", "ing"}
	wordStarts  = []string{"", "un", "in"}
)

// stateForms are the words in all their forms.
var stateForms = func() map[string]bool {
	forms := map[string]bool{}
	for _, w := range stateWords {
		for _, start := range wordStarts {
			for _, end := range wordEndings {
				forms[start+w+end] = true
			}
		}
	}
	return forms
}()

// maxWordParts is how many parts of a name a word has at most.
const maxWordParts = 2

// tellsState reports whether one of the names has such a word among its parts: an account is no count.
func tellsState(words []string) bool { return slices.ContainsFunc(words, namesState) }

func namesState(name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	for i := range parts {
		for n := 1; n <= maxWordParts && i+n <= len(parts); n++ {
			if stateForms[strings.Join(parts[i:i+n], "_")] {
				return true
			}
		}
	}
	return false
}

// logWords are parts of the names of tables that keep a trail of what happened: one line too many hurts nobody.
var logWords = []string{"log", "audit", "history", "trail", "metric", "trace", "session", "cache", "attempt", "heartbeat", "job", "lock", "lease",
	"failures", "errors"}

func isTrail(e *effect.Effect) bool {
	return slices.ContainsFunc(logWords, func(w string) bool { return strings.Contains(e.Table, w) })
}
