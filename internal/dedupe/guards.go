package dedupe

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// Guards reports whether a step can tell a message that comes again, for rules about what no transaction holds: a record,
// a look into a store of handled messages or by a message's ID. Asked says that somebody looks at its answer.
func Guards(e *effect.Effect, asked bool) bool {
	switch {
	case e == nil || e.Kind == model.Remember:
		return false
	case isRecord(e):
		return asked || e.Checked || IsStore(e) && isInsert(e) && !e.Conflict
	case e.Kind == model.Lookup, e.Kind == model.Read:
		return asked && strength(e) > weak
	}
	return false
}

// doneWords are those in the names that a condition on a row reads when it asks whether the work was done already.
var doneWords = []string{"status", "state", "processed", "handled", "done", "complete", "completed", "already", "paid", "charged", "settled",
	"sent", "delivered", "notified", "captured", "refunded", "finished", "exists", "seen", "duplicate"}

// AsksDone reports whether a step reads what can tell of work that was done already, going by the names in the conditions on
// what it gives.
func AsksDone(e *effect.Effect, words []string) bool {
	return e != nil && e.Kind == model.Read && slices.ContainsFunc(words, func(name string) bool {
		return slices.ContainsFunc(strings.Split(name, "_"), func(part string) bool { return slices.Contains(doneWords, part) })
	})
}
