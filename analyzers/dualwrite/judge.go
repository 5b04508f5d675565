package dualwrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// judge makes findings of hits: it drops what is right, names the rule, and keeps one finding for one cause.
func judge(_ *flow.Program, hits []*flow.Hit) []*check.Finding {
	said := spokenFor(hits)
	var cands []*candidate
	for _, h := range hits {
		if c := newCandidate(h); c != nil {
			said.demote(c)
			cands = append(cands, c)
		}
	}
	cands = onePerLine(cands)
	cands = onePerCause(cands)
	findings := make([]*check.Finding, 0, len(cands))
	for _, c := range cands {
		findings = append(findings, c.finding())
	}
	return findings
}

// A candidate is a hit that may become a finding.
type candidate struct {
	hit *flow.Hit
	// at is the step that is reported; first and last are the ends in the order of execution.
	at, first, last *flow.Witness
	rule            string
	tier            check.Tier
	others          []*candidate
}

func newCandidate(h *flow.Hit) *candidate {
	c := &candidate{hit: h, first: h.First, last: h.Later, tier: check.Error}
	c.at = reported(h.Later)
	if h.Kind == beforeKind || h.Kind == insideKind && isPublish(h.First) {
		c.at = reported(h.First)
	}
	c.rule = ruleOf(h)
	if c.at.Node == nil || !c.at.Node.Pos.IsValid() || silent(c) {
		return nil
	}
	c.tier = tierOf(c)
	return c
}

// reported is the step in the innermost closure of the function: a publish in a closure is reported there. A goroutine
// is reported where it is started.
func reported(w *flow.Witness) *flow.Witness {
	at := w
	for sub := w; sub.Sub != nil && sub.Sub.Node != nil && sub.Node.Mode != effect.Started; sub = sub.Sub {
		if sub.Sub.Graph.Parent == at.Graph.ID {
			at = sub.Sub
		}
	}
	return at
}

func isPublish(w *flow.Witness) bool {
	e := w.Leaf().Effect
	return e != nil && e.Kind == model.Publish
}

func ruleOf(h *flow.Hit) string {
	switch h.Kind {
	case insideKind:
		return "dualwrite/inside-tx"
	case beforeKind:
		return "dualwrite/before-write"
	case escapedKind:
		return "dualwrite/escaped-write"
	}
	if e := h.First.Leaf().Effect; e != nil && (e.Kind == model.Commit || e.Kind == model.Run) {
		return "dualwrite/after-commit"
	}
	return "dualwrite/no-tx"
}

// silent knows the places where nothing is to be said: generated code, tests, start-up code, relays.
func silent(c *candidate) bool {
	g := c.hit.Graph
	switch {
	case g.Generated, g.Wrapper, c.at.Graph.Generated, c.at.Graph.Wrapper:
		return true
	case c.hit.Pkg == nil, c.hit.Pkg.Harness:
		return true
	case startsUp(g), startsUp(c.first.Graph), startsUp(c.last.Graph), twoOfOne(c.first, c.last): // one end may be in a closure
		return true
	}
	if c.hit.Kind == afterKind && c.last.Handled && repeats(c.first) == harmless {
		return true
	}
	if c.hit.Kind == beforeKind && consumes(c) {
		return true
	}
	return c.hit.Relay && c.hit.Kind != escapedKind
}

// twoOfOne reports whether the two ends come about by taking the same function value for two different functions: no
// single run does that.
func twoOfOne(first, last *flow.Witness) bool {
	if first.Sub == nil || last.Sub == nil || len(first.Node.Fun) == 0 {
		return false
	}
	return slices.Equal(first.Node.Fun, last.Node.Fun) && first.Sub.Graph != last.Sub.Graph
}

// consumes recognises work that is taken off a table once it has been handed on: what is deleted after the publish is
// what asked for it, and a crash in between repeats the publish. A function that is about deleting announces it.
func consumes(c *candidate) bool {
	for _, w := range writesOf(c.last) {
		if e := w.Leaf().Effect; e == nil || e.Verb != sqltext.Delete {
			return false
		}
	}
	name := strings.ToLower(c.hit.Graph.Name)
	return !slices.ContainsFunc([]string{"delete", "remove", "destroy", "cancel", "drop", "purge", "revoke"}, func(v string) bool { return strings.Contains(name, v) })
}

// repetition says what happens when the write of a message handler is made again for the redelivered message.
type repetition uint8

const (
	fails    repetition = iota // or is skipped: the second delivery does not get as far as the publish
	repeated                   // the same row is written again and the publish made up for
	harmless                   // the statement itself provides for it
)

// repeats says what a redelivery does to the writes behind a step.
func repeats(w *flow.Witness) repetition {
	worst := harmless
	for _, x := range writesOf(w) {
		e := x.Leaf().Effect
		r := fails
		switch {
		case e == nil:
		case e.Verb == sqltext.Upsert || e.Conflict && !e.Checked:
			r = harmless
		case e.Conflict: // the second delivery is told that the row is there
		case e.Guarded || e.Increment || e.Verb == sqltext.Insert:
		case e.Verb == sqltext.Update || e.Verb == sqltext.Delete:
			r = repeated
		}
		worst = min(worst, r)
	}
	return worst
}

// writesOf lists the writes behind a step: those that a commit makes durable, else the step. Where a helper commits, whoever
// calls it knows what; the helper's own step is remembered from its first caller.
func writesOf(w *flow.Witness) []*flow.Witness {
	for ; ; w = w.Sub {
		if len(w.Writes) > 0 {
			return w.Writes
		}
		if w.Sub == nil {
			return []*flow.Witness{w}
		}
	}
}

// startsUp reports whether a function is the start of a program, or of a part of it, and no unit of work.
func startsUp(g *effect.Graph) bool {
	switch strings.ToLower(g.Name[strings.LastIndexByte(g.Name, '.')+1:]) {
	case "main", "init", "start", "serve", "setup", "bootstrap", "seed", "migrate":
		return true
	case "run":
		return !slices.ContainsFunc(g.Params[min(len(g.Params), receivers(g)):], func(p effect.Param) bool { return p.Role != effect.ContextType })
	}
	return false
}

func receivers(g *effect.Graph) int {
	if g.Method {
		return 1
	}
	return 0
}

func tierOf(c *candidate) check.Tier {
	switch {
	case c.hit.Kind == escapedKind:
		if c.hit.Where == flow.Likely {
			return check.Advice
		}
		return check.Error
	case !c.hit.Related, c.hit.Claimed, depth(c.first) > maxDepth, depth(c.last) > maxDepth:
		return check.Advice
	case c.hit.Kind == afterKind && c.last.Handled && repeats(c.first) == repeated:
		return check.Advice
	case c.hit.Kind != insideKind && (advises(c.first) || advises(c.last)):
		return check.Advice
	}
	return check.Error
}

func advises(w *flow.Witness) bool {
	e := w.Leaf().Effect
	return e != nil && e.Tier == model.TierAdvice
}

// depth is how many calls an end is away. Closures, functions that only run a closure that they are given, and decorators
// (a method that calls the method of the same name) lie in between without being a step of their own.
func depth(w *flow.Witness) int {
	n, last := 0, ""
	for ; w != nil; w = w.Sub {
		name := w.Graph.Name[strings.LastIndexByte(w.Graph.Name, '.')+1:]
		if w.Graph.Parent == "" && !w.Graph.RunsClosure() && name != last {
			n++
		}
		last = name
	}
	return n
}

// maxDepth is how far away an end may be for the two to be one unit of work: no hand-labelled window in the corpus has
// an end more than six calls away.
const maxDepth = 6

// order ranks the rules on one line. Where a function can run both in a caller's transaction and without one, what it
// does by itself is said: that is what its reader sees.
var order = []string{"dualwrite/after-commit", "dualwrite/no-tx", "dualwrite/inside-tx", "dualwrite/before-write", "dualwrite/escaped-write"}

// better orders candidates: errors first, then by rule, then the tighter window.
func better(a, b *candidate) int {
	return cmp.Or(
		cmp.Compare(tierRank(a.tier), tierRank(b.tier)),
		cmp.Compare(slices.Index(order, a.rule), slices.Index(order, b.rule)),
		cmp.Compare(depth(a.first)+depth(a.last), depth(b.first)+depth(b.last)),
		cmp.Compare(a.at.Node.Pos.Line, b.at.Node.Pos.Line),
		cmp.Compare(a.at.Node.Pos.Col, b.at.Node.Pos.Col),
		cmp.Compare(a.first.Node.ID, b.first.Node.ID),
	)
}

func tierRank(t check.Tier) int {
	if t == check.Error {
		return 0
	}
	return 1
}

type place struct {
	file string
	line int
}

func placeOf(w *flow.Witness) place {
	return place{check.FileOf(w), w.Node.Pos.Line}
}

// onePerLine keeps the best candidate of a line.
func onePerLine(cands []*candidate) []*candidate {
	slices.SortStableFunc(cands, better)
	seen := map[place]*candidate{}
	var out []*candidate
	for _, c := range cands {
		if best := seen[placeOf(c.at)]; best != nil {
			best.others = append(best.others, c)
			continue
		}
		seen[placeOf(c.at)] = c
		out = append(out, c)
	}
	return out
}

type cause struct {
	graph *effect.Graph
	node  *effect.Node
	early bool
}

// onePerCause keeps one finding for each first end in a function: the tightest of the best; the rest become related
// places. Later ends are what multiplies: a commit followed by five publishes is one flaw.
func onePerCause(cands []*candidate) []*candidate {
	slices.SortStableFunc(cands, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(tierRank(a.tier), tierRank(b.tier)), cmp.Compare(depth(a.first)+depth(a.last), depth(b.first)+depth(b.last)),
			cmp.Compare(check.FileOf(a.at), check.FileOf(b.at)), cmp.Compare(a.at.Node.Pos.Line, b.at.Node.Pos.Line), better(a, b))
	})
	seen := map[cause]*candidate{}
	var out []*candidate
	for _, c := range cands {
		key := cause{c.hit.Graph, c.first.Node, c.at == reported(c.first)}
		if c.hit.Kind == escapedKind {
			key.node = c.last.Node
		}
		if best := seen[key]; best != nil {
			best.others = append(best.others, c)
			continue
		}
		seen[key] = c
		out = append(out, c)
	}
	return out
}
