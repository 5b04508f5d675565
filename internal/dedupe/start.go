package dedupe

import (
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// callersUp is how far above a record its caller's work is looked at.
const callersUp = 3

// starts are the handlers of messages; then, for webhooks and other requests that are delivered more than once, whoever
// keeps a store of what was handled.
func starts(p *flow.Program) []effect.FuncID {
	return append(p.HandlerIDs(), p.Touching(func(e *effect.Effect) bool {
		return e.Kind == model.Write && (e.Verb == sqltext.Insert || e.Verb == sqltext.Upsert) && strength(e) > weak || e.Kind == model.Claim
	}, callersUp)...)
}
