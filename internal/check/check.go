// Package check ties rules to people: a [Check] is a set of automata, the judgement of what they found and the text that
// explains it. It turns checks into findings for the whole program and into go/analysis analyzers for one package.
package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// A Tier says how sure a finding is.
type Tier string

// The tiers.
const (
	Error  Tier = "error"  // on a feasible path something is lost, phantom or doubled
	Advice Tier = "advice" // the shape is often but not always wrong
)

// A Check is one analyzer.
type Check struct {
	Name string
	Doc  string
	// Rules are the findings that it can make.
	Rules []Rule
	// Automata find hits; Judge makes findings of them.
	Automata []*flow.Rule
	Judge    func(p *flow.Program, hits []*flow.Hit) []*Finding
}

// A Rule is one kind of finding.
type Rule struct {
	ID        string // "dualwrite/after-commit"
	Checklist []int
	Tier      Tier
	Summary   string
}

// Rule is the check's rule with an ID; of an unknown one it has the ID only.
func (c *Check) Rule(id string) Rule {
	for _, r := range c.Rules {
		if r.ID == id {
			return r
		}
	}
	return Rule{ID: id}
}

// A Step is one place of a path.
type Step struct {
	File     string
	Line     int
	Column   int
	Function string
	Effect   string
	Note     string
}

// A Window is the pair of steps between which a crash, a rollback or a redelivery does damage.
type Window struct {
	From, To    Step
	Consequence string
}

// A Finding is one flaw.
type Finding struct {
	Rule      string
	Analyzer  string
	Checklist []int
	Tier      Tier
	Message   string
	// Advice says what to do instead.
	Advice   string
	File     string
	Pos      effect.Pos
	Package  string
	Function string
	Window   Window
	Trace    []Step
	Related  []Step
}

// Report begins a finding of a rule at a step.
func (c *Check) Report(rule string, tier Tier, at *flow.Witness) *Finding {
	return &Finding{Rule: rule, Analyzer: c.Name, Checklist: c.Rule(rule).Checklist, Tier: tier, File: FileOf(at),
		Pos: at.Node.Pos, Package: at.Graph.Pkg, Function: at.Graph.Name}
}

// FileOf is the file that a step stands in.
func FileOf(w *flow.Witness) string { return FileIn(w.Pkg, w.Node.Pos) }

// FileIn is the file of a place in a package.
func FileIn(p *effect.Package, pos effect.Pos) string {
	if p == nil || pos.File >= len(p.Files) {
		return ""
	}
	return p.Files[pos.File]
}

// Place names a step's place as seen from a file: "line 12", "store.go:12".
func Place(w *flow.Witness, from string) string {
	if f := FileOf(w); f != from {
		return fmt.Sprintf("%s:%d", filepath.Base(f), w.Node.Pos.Line)
	}
	return fmt.Sprintf("line %d", w.Node.Pos.Line)
}

// Sort puts findings in the order of their places.
func Sort(fs []*Finding) {
	slices.SortStableFunc(fs, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Rule, b.Rule))
	})
}

// OnePerLine keeps one finding for each line, errors first.
// Of two of a tier the rule wins that the check lists first.
func OnePerLine(c *Check, fs []*Finding) []*Finding {
	rank := func(f *Finding) int { return slices.IndexFunc(c.Rules, func(r Rule) bool { return r.ID == f.Rule }) }
	slices.SortStableFunc(fs, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pos.Line, b.Pos.Line), -cmp.Compare(a.Tier, b.Tier), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(len(a.Trace), len(b.Trace)))
	})
	return slices.CompactFunc(fs, func(a, b *Finding) bool { return a.File == b.File && a.Pos.Line == b.Pos.Line })
}

// StepOf describes the node of a witness.
func StepOf(w *flow.Witness, what string) Step {
	s := Step{Function: w.Graph.Name, Effect: what}
	if w.Node != nil {
		s.File, s.Line, s.Column = FileOf(w), w.Node.Pos.Line, w.Node.Pos.Col
		s.Note = w.Node.Label
	}
	return s
}

// Word names what a step does in the end: "write orders".
func Word(w *flow.Witness) string {
	e := w.Leaf().Effect
	switch {
	case e == nil:
		return "call"
	case e.Table == "" || sqltext.HasHole(e.Table):
		return string(e.Kind)
	}
	return string(e.Kind) + " " + e.Table
}

// Chain lists the steps from a witness down to what it does in the end.
func Chain(w *flow.Witness, what string) []Step {
	var steps []Step
	for ; w != nil; w = w.Sub {
		if w.Node == nil || !w.Node.Pos.IsValid() {
			continue
		}
		kind := "call"
		if w.Sub == nil {
			kind = what
		}
		steps = append(steps, StepOf(w, kind))
	}
	return steps
}
