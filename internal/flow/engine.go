package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// engine runs one rule.
type engine struct {
	p       *Program
	rule    *Rule
	memo    map[summaryKey]*summary
	visited map[*graph]bool
	hits    []*Hit
	seen    map[hitKey]*Hit
	gaveUp  map[*graph]bool
	depth   int
	deepest int // calls nest no deeper than this
	// asked are the frames about which touch is finding out whether they do anything.
	asked []*frame
	// starting says that the function that is run next is one that the rule starts at.
	starting bool
	start    effect.FuncID
	// at is the step that the rule sees: steps do not nest.
	at Step
}

// A path is a point that the flow has reached.
type path struct {
	block  int
	st     State
	facts  facts
	defers uint64
	open   uint64 // begins of this function whose transaction is open, by node
	wit    witnesses
}

type pathKey struct {
	block        int
	st           State
	facts        facts
	defers, open uint64
}

func (p *path) key() pathKey { return pathKey{p.block, p.st, p.facts, p.defers, p.open} }

// same reports whether two paths are at the same point with the same state.
func (p *path) same(q *path) bool {
	return p.block == q.block && p.st == q.st && p.facts == q.facts && p.defers == q.defers && p.open == q.open
}

func (p *path) clone() *path {
	q := *p
	return &q
}

// runResult is what running a rule gave: checks can share one.
type runResult struct {
	hits   []*Hit
	gaveUp []string
}

// Run runs a rule over the program and gives its hits in a stable order, with the functions that were given up.
func (p *Program) Run(rule *Rule) ([]*Hit, []string) {
	if r := p.ran[rule]; r != nil {
		return r.hits, r.gaveUp
	}
	r := &runResult{}
	p.ran[rule] = r
	r.hits, r.gaveUp = p.run(rule)
	return r.hits, r.gaveUp
}

// Judged gives what judge makes of a rule's hits: checks that share the rule share the work.
func (p *Program) Judged(rule *Rule, judge func() any) any {
	if _, ok := p.judged[rule]; !ok {
		p.judged[rule] = judge()
	}
	return p.judged[rule]
}

func (p *Program) run(rule *Rule) ([]*Hit, []string) {
	e := &engine{p: p, rule: rule, memo: map[summaryKey]*summary{}, visited: map[*graph]bool{}, seen: map[hitKey]*Hit{},
		gaveUp: map[*graph]bool{}, deepest: maxDepth}
	if rule.Starts != nil {
		e.starts(rule.Starts(p))
	} else {
		e.entries(func(g *graph) bool { return g.callers == 0 && !g.addressTaken && g.Parent == "" })
		e.entries(func(g *graph) bool { return g.Parent != "" && !e.visited[g] })
		e.entries(func(g *graph) bool { return !e.visited[g] })
	}
	var names []string
	for _, g := range p.graphs {
		if e.gaveUp[g] {
			names = append(names, g.Name)
		}
	}
	return e.hits, names
}

// entries runs the interesting functions that are chosen as the start of a unit of work.
func (e *engine) entries(choose func(g *graph) bool) {
	for _, g := range e.p.graphs {
		if g.interesting && g.pkg != nil && choose(g) {
			e.run(e.p.ambient(g), State{Handling: g.given || g.takesMessage()}, "", witnesses{})
		}
	}
}

// starts runs the functions that a rule begins at, unless an earlier one has led there.
func (e *engine) starts(ids []effect.FuncID) {
	for _, id := range ids {
		if g := e.p.byID[id]; g != nil && g.pkg != nil && !e.visited[g] {
			e.starting, e.start = true, id
			if e.deepest = maxDepth; g.handler == "" {
				e.deepest = maxAside
			}
			e.run(e.p.ambient(g), State{Handling: g.handler != "" && g.given}, "", witnesses{})
		}
	}
}

// takesMessage reports whether a function is given a message as a broker delivers it: it handles one.
func (g *graph) takesMessage() bool {
	return slices.ContainsFunc(g.Params, func(p effect.Param) bool { return p.Role == effect.MessageType })
}

// maxDepth bounds the nesting of calls; deeper ones are taken to do nothing.
const maxDepth = 64

// maxAside is maxDepth for starts that are no handlers: requests that keep a store of what was handled. What they do is
// near, and far below them lies the whole service.
const maxAside = 12

// run gives the summary of a frame for an entry state.
func (e *engine) run(f *frame, st State, entry facts, wit witnesses) *summary {
	key := summaryKey{f, st, entry}
	if s, ok := e.memo[key]; ok {
		s.reused = true
		return s
	}
	s := &summary{scope: st.Scope, wit: wit}
	e.memo[key] = s
	if e.depth >= e.deepest {
		s.done = true
		return s
	}
	e.depth++
	e.visited[f.g] = true
	for range 4 { // a recursive function is run again until it adds nothing
		before := len(s.exits) + len(s.escs)
		s.reused = false
		e.walk(f, st, entry, wit, s)
		if !s.reused || len(s.exits)+len(s.escs) == before {
			break
		}
	}
	e.depth--
	s.done = true
	return s
}

// closeScopes ends the transactions that a function leaves open and hands to nobody: whoever returns without an error has
// committed, even where a wrapper hides it; an error means a rollback. One that was begun out of sight goes on there.
func (e *engine) closeScopes(f *frame, p *path, s *summary, failed bool) {
	if p.st.Foreign {
		e.step(f, p, s, Event{Kind: RolledBack}, nil)
		p.st.Scope, p.st.Foreign, p.st.Base = 0, false, 0
	}
	for p.st.Scope > s.scope && (failed || !e.handsOn(f)) {
		kind := Committed
		if failed {
			kind = RolledBack
		}
		e.step(f, p, s, Event{Kind: kind}, nil)
		p.st.Scope--
	}
	if p.st.Scope == 0 {
		p.st.Base = 0
	}
}

// exit ends a path at a return.
func (e *engine) exit(f *frame, b *effect.Block, p *path, s *summary) {
	outcomes := make([]byte, len(b.Return))
	failed := false
	for i, o := range b.Return {
		r := p.facts.operand(o)
		outcomes[i] = byte(r)
		if i < len(f.g.Results) && f.g.Results[i] == effect.ErrorResult && r == effect.NonZero {
			failed = true
		}
	}
	e.closeScopes(f, p, s, failed)
	if e.rule.Acts {
		e.ends(f, outcomes, p, s)
	}
	x := exit{st: p.st, outcomes: string(outcomes), wit: p.wit}
	for m := range Mark(MaxMarks) {
		if x.st.told&bit(m) != 0 { // announced: callers have nothing to add
			x.st.own &^= bit(m)
		}
	}
	x.st.told = 0
	x.st.mute = [MaxMarks]uint8{}
	for i, v := range f.g.FreeVars {
		if v.Var != 0 {
			x.cells = x.cells.set(effect.Var(i+1), p.facts.get(v.Var))
		}
	}
	e.addExit(s, x)
}
