package dedupe

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// Words are what a finding says.
type Words struct {
	Message, Consequence, Advice string
}

// Finding writes a verdict out as a finding of a rule, reported at a step.
func Finding(c *check.Check, rule string, v *Verdict, at *flow.Witness, say func(file string) Words) *check.Finding {
	f := &check.Finding{Rule: rule, Analyzer: c.Name, Tier: v.Tier, File: FileOf(at), Pos: at.Node.Pos, Package: at.Graph.Pkg, Function: at.Graph.Name}
	if v.Sum != nil && v.Guard == nil {
		f.File, f.Pos, f.Package, f.Function = fileIn(v.Sum.Pkg, v.Sum.Pos), v.Sum.Pos, v.Sum.Graph.Pkg, v.Sum.Graph.Name
	}
	for _, r := range c.Rules {
		if r.ID == rule {
			f.Checklist = r.Checklist
		}
	}
	first, last := ends(v)
	f.Window.From, f.Window.To = check.StepOf(first, Word(first)), check.StepOf(last, Word(last))
	f.Trace = append(check.Chain(first, Word(first)), check.Chain(last, Word(last))...)
	w := say(f.File)
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

// FileOf is the file that a step stands in.
func FileOf(w *flow.Witness) string { return fileIn(w.Pkg, w.Node.Pos) }

func fileIn(p *effect.Package, pos effect.Pos) string {
	if p == nil || pos.File >= len(p.Files) {
		return ""
	}
	return p.Files[pos.File]
}

// Place names a step's place as seen from a file: "line 12", "store.go:12".
func Place(w *flow.Witness, file string) string {
	if f := FileOf(w); f != file {
		return fmt.Sprintf("%s:%d", filepath.Base(f), w.Node.Pos.Line)
	}
	return fmt.Sprintf("line %d", w.Node.Pos.Line)
}

// Word names what a step does in the end.
func Word(w *flow.Witness) string {
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
