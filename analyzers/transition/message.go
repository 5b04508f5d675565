package transition

import (
	"fmt"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/sqltext"
)

func (j *judging) report(rule string, c *change, at flow.Place) {
	if !at.Node.Pos.IsValid() || at.Graph.Generated {
		return
	}
	f := Check.Report(rule, check.Advice, at.Witness())
	what := "the row"
	if c.effect.Table != "" && !sqltext.HasHole(c.effect.Table) {
		what = c.effect.Table
	}
	switch {
	case rule == arrivalTime:
		f.Message = fmt.Sprintf("whether %s is changed depends on the time at which the message is handled: the event that comes last wins, and not the one that happened last", what)
		f.Advice = "compare the event's own time or version with the one that is stored, and store that of the event"
	case c.effect.Assign == nil || j.aged(c) != nil && !j.fromMessage(c):
		f.Message = fmt.Sprintf("the handler overwrites %s with what the message brings, and does not compare the versions: an event that comes late, or again, takes it back", what)
		f.Advice = "change nothing when what is stored is as new as the event or newer, and have the condition of the write ask for that, too"
	case len(c.effect.Assign.Columns) > 0:
		f.Message = fmt.Sprintf("the handler assigns %s of %s whatever it was: an event that comes late, or again, takes it back to a state that is past",
			strings.Join(c.effect.Assign.Columns, ", "), what)
		f.Advice = "name the states that it may follow in the condition (AND status = …) and look at the number of changed rows, or compare a version or the event's time"
	default:
		f.Message = fmt.Sprintf("the handler replaces %s whatever is there, and does not compare %s: an event that comes late, or again, takes it back", what, c.effect.Assign.Version)
		f.Advice = fmt.Sprintf("have the condition ask for an older %s, so that a late event changes nothing", c.effect.Assign.Version)
	}
	f.Window.Consequence = "messages are delivered late, again and out of order: an older event overwrites what a newer one has said"
	handler := c.chain[len(c.chain)-1]
	j.from = append(j.from, rule+" "+string(handler.Graph.ID)+" "+j.table(c))
	f.Window.From = check.StepOf(handler.Witness(), "handler")
	f.Window.To = check.StepOf(c.write().Witness(), "write")
	for i := len(c.chain) - 1; i >= 0; i-- {
		kind := "call"
		if i == 0 {
			kind = "write"
		}
		if c.chain[i].Node.Pos.IsValid() {
			f.Trace = append(f.Trace, check.StepOf(c.chain[i].Witness(), kind))
		}
	}
	j.findings = append(j.findings, f)
}

// first keeps one finding for each handler and table: if the state is not asked for, no assignment is better than the first.
func (j *judging) first() []*check.Finding {
	best := map[string]*check.Finding{}
	for i, f := range j.findings {
		old := best[j.from[i]]
		if old == nil || f.File < old.File || f.File == old.File && f.Pos.Line < old.Pos.Line {
			best[j.from[i]] = f
		}
	}
	var out []*check.Finding
	for i, f := range j.findings {
		if best[j.from[i]] == f {
			out = append(out, f)
		}
	}
	return out
}
