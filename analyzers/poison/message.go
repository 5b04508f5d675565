package poison

import (
	"fmt"
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

const consequence = "a message that fails every time is tried for ever: it keeps the consumer busy, what comes after it waits, and nobody is told"

// report adds a finding about a step after which a message is tried again without end.
func (j *judging) report(tier check.Tier, at flow.Place, w way) {
	if at.Node == nil || !at.Node.Pos.IsValid() {
		return
	}
	f := begin(tier, at)
	again := at.Node == w.failed
	switch {
	case again:
		f.Message = fmt.Sprintf("%s is tried until it succeeds: one message that always fails stops this consumer", at.Node.Label)
		f.Advice = "stop after some attempts, put the message where somebody looks at it (a dead-letter queue or a table) and go on with the next one"
	case at.Node.Label == "return" && w.undecoded:
		f.Message = "the handler of a message that cannot be decoded returns an error: the message comes back, and will not be decoded the next time either"
		f.Advice = "put what cannot be decoded aside (a dead-letter topic, a table, a log) and return nil, or have a poison queue take what fails"
	case w.undecoded:
		f.Message = "a message that cannot be decoded is given back to the broker, and will not be decoded the next time either"
		f.Advice = "put what cannot be decoded aside (a dead-letter queue, a table, a log) and confirm it, or reject it without requeueing"
	default:
		f.Message = "a message that fails is given back to the broker every time, without a limit" + failedAt(w, f.File, at)
		f.Advice = "count the deliveries (a header, the broker's own count) and after some of them send the message to a dead-letter queue, or have the queue limit them"
	}
	f.Window.Consequence = consequence
	f.Window.To = check.StepOf(at.Witness(), "requeue")
	f.Window.From = f.Window.To
	if first := failing(w); first.Node != nil && !again {
		f.Window.From = check.StepOf(first.Witness(), "failure")
		f.Trace = append(f.Trace, f.Window.From)
	}
	for i := len(w.chain) - 1; i >= 0; i-- {
		kind := "call"
		if i == 0 {
			kind = "requeue"
		}
		f.Trace = append(f.Trace, check.StepOf(w.chain[i].Witness(), kind))
	}
	j.findings = append(j.findings, f)
}

func begin(tier check.Tier, at flow.Place) *check.Finding {
	return Check.Report(requeue, tier, at.Witness())
}

// failing is the step that has failed, in the function that knows of it.
func failing(w way) flow.Place {
	outer := w.chain[len(w.chain)-1]
	outer.Node = w.failed
	return outer
}

func failedAt(w way, file string, at flow.Place) string {
	if w.failed == nil || w.failed == at.Node {
		return ""
	}
	return fmt.Sprintf(" (the failure is at %s)", check.Place(failing(w).Witness(), file))
}

// lifted reports settings that take away a limit which the library has by itself.
func (j *judging) lifted() {
	for _, pkg := range j.p.Packages {
		if pkg.Harness {
			continue
		}
		for _, s := range pkg.Settings {
			g := j.p.Graphs[s.Function]
			if !s.Off || !s.Default || g == nil || g.Generated || s.Does == model.Retries && (!j.runsForMessage(g.ID) || limitedBeside(pkg, s)) {
				continue
			}
			at := flow.Place{Graph: g, Pkg: pkg, Node: &effect.Node{Pos: s.Pos, Label: s.Name}}
			f := begin(check.Error, at)
			f.Message = s.Name + " takes away the limit: a message that always fails is tried for ever"
			f.Advice = "keep a limit, and store or log the messages that are given up"
			f.Window.Consequence = consequence
			f.Window.From = check.StepOf(at.Witness(), "setting")
			f.Window.To = f.Window.From
			f.Trace = []check.Step{f.Window.From}
			j.findings = append(j.findings, f)
		}
	}
}

// limitedBeside reports whether the function of a setting limits retries by another one.
func limitedBeside(pkg *effect.Package, s effect.Setting) bool {
	return slices.ContainsFunc(pkg.Settings, func(o effect.Setting) bool { return o.Function == s.Function && o.Does == model.Retries && !o.Off })
}
