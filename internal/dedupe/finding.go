package dedupe

import (
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// Words are what a finding says.
type Words struct {
	Message, Consequence, Advice string
}

// Findings makes findings of the verdicts whose flaw has a rule, one for each line. What words says of a verdict is seen
// from the file of the finding.
func Findings(c *check.Check, p *flow.Program, hits []*flow.Hit, rules map[Flaw]string, words func(v *Verdict, file string) Words) []*check.Finding {
	var findings []*check.Finding
	for _, v := range Judge(p, hits) {
		at := v.at(p)
		if rule := rules[v.Flaw]; rule != "" && at.Node != nil && at.Pkg != nil && at.Node.Pos.IsValid() && !at.Graph.Generated {
			findings = append(findings, v.finding(c, rule, at, words))
		}
	}
	return check.OnePerLine(c, findings)
}

// at is the step at which a verdict is reported: the guard that is flawed, or the change.
func (v *Verdict) at(p *flow.Program) *flow.Witness {
	if v.Guard != nil {
		return guardAt(v)
	}
	if w := storing(v); w != nil {
		return w
	}
	return reported(p, v)
}

// storing is the step that stores a sum, in the function that has added it up, where a record of the message comes after
// it: the window between the two begins there. Else it is the addition that is to be mended.
func storing(v *Verdict) *flow.Witness {
	if v.Sum == nil || !v.Late || v.Guard != nil {
		return nil
	}
	for w := v.Doing; w != nil; w = w.Sub {
		if w.Graph == v.Sum.Graph && w.Node != nil && w.Pkg != nil {
			return w
		}
	}
	return nil
}

func (v *Verdict) finding(c *check.Check, rule string, at *flow.Witness, words func(v *Verdict, file string) Words) *check.Finding {
	f := c.Report(rule, v.Tier, at)
	if v.Sum != nil && v.Guard == nil && storing(v) == nil {
		f.File, f.Pos, f.Package, f.Function = check.FileIn(v.Sum.Pkg, v.Sum.Pos), v.Sum.Pos, v.Sum.Graph.Pkg, v.Sum.Graph.Name
	}
	first, last := ends(v)
	f.Window.From, f.Window.To = check.StepOf(first, word(first)), check.StepOf(last, word(last))
	f.Trace = append(check.Chain(first, word(first)), check.Chain(last, word(last))...)
	w := words(v, f.File)
	f.Message, f.Window.Consequence, f.Advice = w.Message, w.Consequence, w.Advice
	return f
}

// ends are the two steps of a verdict's window, in the order in which they happen.
func ends(v *Verdict) (first, last *flow.Witness) {
	switch {
	case v.Guard == nil:
		return v.Unit, v.Doing
	case v.Late:
		return v.Doing, v.Guard
	}
	return v.Guard, v.Doing
}

// word names what a step does in the end.
func word(w *flow.Witness) string {
	e := w.Leaf().Effect
	switch {
	case e == nil:
		return "receive"
	case e.Table == "" || sqltext.HasHole(e.Table):
		return string(e.Kind)
	}
	return string(e.Kind) + " " + e.Table
}

// Change names what a change is about, for people: "the increment of wallets".
func Change(v *Verdict) string {
	e := v.Doing.Leaf().Effect
	noun := "the change"
	switch {
	case e == nil:
		return noun
	case e.Kind == model.Publish:
		return "the event"
	case v.Sum != nil:
		noun = "the change of " + strings.ReplaceAll(v.Sum.Field, "_", " ")
	case v.Fresh:
		noun = "the new row"
	case e.Increment || e.Kind == model.Count:
		noun = "the increment"
	}
	if e.Table == "" || sqltext.HasHole(e.Table) {
		return noun
	}
	if v.Fresh || v.Sum != nil {
		return noun + " in " + e.Table
	}
	return noun + " of " + e.Table
}
