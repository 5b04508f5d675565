package dedupe

import (
	"slices"

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
	keepers := p.Touching(keeps, callersUp)
	p.Records = p.Reaching(func(e *effect.Effect) bool { return e.Kind == model.Write && IsStore(e) })
	pollers := p.Touching(func(e *effect.Effect) bool { return e.Polls && Polls(e) }, 2)
	return slices.Concat(p.HandlerIDs(), pollers, keepers)
}

// keeps reports whether an effect records a message.
func keeps(e *effect.Effect) bool {
	switch {
	case e.Kind == model.Claim:
		return true
	case e.Kind != model.Write:
		return false
	case e.Verb == sqltext.Insert || e.Verb == sqltext.Upsert:
		return strength(e) > weak
	}
	return e.Verb == sqltext.Update && IsStore(e)
}
