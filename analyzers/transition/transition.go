package transition

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

//go:embed doc.go
var doc string

const (
	blindAssign = "transition/blind-assign"
	arrivalTime = "transition/arrival-time"
)

// Check finds handlers that take the order in which messages come for the order of what has happened.
var Check = &check.Check{
	Name: "transition",
	Doc:  check.MustExtractDoc(doc, "transition"),
	Rules: []check.Rule{
		{ID: arrivalTime, Checklist: []int{15}, Tier: check.Advice, Summary: "the time at which a message is handled decides which of two events wins"},
		{ID: blindAssign, Checklist: []int{9, 15}, Tier: check.Advice, Summary: "a message handler assigns a state whatever the state is that it takes the place of"},
	},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

// judge needs no automaton: it is enough that nothing on the way from the handler to the write asks for the state.
func judge(p *flow.Program, _ []*flow.Hit) []*check.Finding {
	j := &judging{p: p, programs: p.Programs(), messages: map[string]bool{}, asked: map[*effect.Graph]bool{}}
	for _, pkg := range p.Packages {
		for _, name := range pkg.Decoded {
			j.messages[name] = true
		}
	}
	aged := false
	p.EachOwn(func(g *effect.Graph, _ *effect.Package) { aged = aged || g.States != nil && g.States.Aged })
	var all []*change
	p.EachPlace(func(pl flow.Place) {
		if e := p.WriteOf(pl.Node); e != nil && (e.Assign != nil || aged && e.Overwrites()) && !bookkeeping(p, e) {
			all = append(all, j.changes(pl, e)...)
		}
	})
	j.group(all)
	for _, c := range all {
		j.judge(c)
	}
	return check.OnePerLine(Check, j.first())
}

type judging struct {
	p        *flow.Program
	programs *flow.Programs
	// messages are the types that bytes are decoded into.
	messages map[string]bool
	// asked remembers which functions ask for a state.
	asked map[*effect.Graph]bool
	// events are what changes a column of state, by table and column; results the handlers that note how their own work ends.
	events   map[string]*events
	results  map[effect.FuncID]bool
	findings []*check.Finding
	// from says of each finding which rule, handler and table it is about.
	from []string
}

// A change is a write of state that a handler brings about: chain leads from the write out to the step in the handler.
type change struct {
	effect *effect.Effect
	chain  []flow.Place
}

func (c *change) write() flow.Place      { return c.chain[0] }
func (c *change) handler() *effect.Graph { return c.chain[len(c.chain)-1].Graph }

// maxUp bounds the calls between a handler and its write, maxChanges the ways that lead to one write.
const (
	maxUp      = 7
	maxChanges = 24
)

// changes lists the ways from handlers of events to a write.
func (j *judging) changes(pl flow.Place, e *effect.Effect) []*change {
	var out []*change
	var climb func(chain []flow.Place)
	climb = func(chain []flow.Place) {
		g := chain[len(chain)-1].Graph
		if reason, messages := j.p.HandlerOf(g); reason != "" {
			if !isJob(reason, messages) {
				out = append(out, &change{e, chain})
			}
			return
		}
		if len(chain) > maxUp {
			return
		}
		for _, outer := range j.p.OuterSteps(g) {
			if j.fromInbox(outer) {
				out = append(out, &change{e, chain})
				return
			}
			if len(out) < maxChanges && !within(chain, outer.Graph) {
				climb(append(chain[:len(chain):len(chain)], outer))
			}
		}
	}
	climb([]flow.Place{pl})
	return out
}

// fromInbox reports whether a step hands what was read from an inbox table to a function that was registered for it.
func (j *judging) fromInbox(pl flow.Place) bool {
	if len(pl.Node.Fun) == 0 || !pl.Node.GivenData() {
		return false
	}
	level := []*effect.Graph{pl.Graph}
	for range 3 {
		var next []*effect.Graph
		for _, g := range level {
			if readsInbox(g) || slices.ContainsFunc(j.p.CalledIn(g), readsInbox) {
				return true
			}
			for _, c := range j.p.CallersOf(g) {
				next = append(next, c.Graph)
			}
		}
		level = next
	}
	return false
}

func readsInbox(g *effect.Graph) bool {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if e := g.Blocks[b].Nodes[i].Effect; e != nil && e.Kind == model.Read && (e.Inbox || strings.Contains(e.Table, "inbox")) {
				return true
			}
		}
	}
	return false
}

func within(chain []flow.Place, g *effect.Graph) bool {
	for _, pl := range chain {
		if pl.Graph == g {
			return true
		}
	}
	return false
}
