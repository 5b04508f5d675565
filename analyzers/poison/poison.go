package poison

import (
	_ "embed"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

//go:embed doc.go
var doc string

const requeue = "poison/requeue"

// Check finds messages that are tried for ever.
var Check = &check.Check{
	Name: "poison",
	Doc:  check.MustExtractDoc(doc, "poison"),
	Rules: []check.Rule{
		{ID: requeue, Checklist: []int{10, 16}, Tier: check.Error, Summary: "a message that cannot be handled comes back, or is tried in place, without end"},
	},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

// judge needs no automaton: whether something ends a retry is told by the branches around it and by what the program says
// to the library.
func judge(p *flow.Program, _ []*flow.Hit) []*check.Finding {
	j := &judging{p: p, settings: settingsOf(p)}
	p.EachPlace(func(pl flow.Place) {
		if e := pl.Node.Effect; e != nil && e.Back != nil {
			j.back(pl, e.Back)
		}
	})
	p.EachOwn(func(g *effect.Graph, pkg *effect.Package) {
		for i := range g.Answers {
			a := &g.Answers[i]
			at := &effect.Node{Pos: a.Pos, Label: a.Name}
			j.back(flow.Place{Graph: g, Pkg: pkg, Node: at, Block: a.Block}, &a.Back)
		}
	})
	j.lifted()
	j.inPlace()
	return check.OnePerLine(Check, j.findings)
}

type judging struct {
	p           *flow.Program
	settings    settings
	forMessages map[effect.FuncID]bool
	findings    []*check.Finding
}

// runsForMessage reports whether a function runs for a message.
func (j *judging) runsForMessage(id effect.FuncID) bool {
	if j.forMessages == nil {
		j.forMessages = j.p.ForMessages()
	}
	return j.forMessages[id]
}

// settings are what a program says about how often a library delivers, by program and library.
type settings struct {
	programs            *flow.Programs
	limited, subscribed map[said]bool
}

type said struct{ program, library string }

func settingsOf(p *flow.Program) settings {
	s := settings{p.Programs(), map[said]bool{}, map[said]bool{}}
	for _, pkg := range p.Packages {
		for _, set := range pkg.Settings {
			in := said{s.programs.Of(pkg.Path), set.Library}
			switch {
			case set.Does == model.Limits && !set.Off:
				s.limited[in] = true
			case set.Does == model.Subscribes && !pkg.Harness:
				s.subscribed[in] = true
			}
		}
	}
	return s
}

// about is what is said in the program of a function about a library.
func (s settings) about(g *effect.Graph, library string) said {
	return said{s.programs.Of(g.Pkg), library}
}
