package flow

import (
	"slices"
	"sync"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/schema"
)

// A Program is an effect.Program prepared for rules: what fields hold, which functions matter, which tables are
// outboxes.
type Program struct {
	*effect.Program
	Options Options

	graphs   []*graph
	byID     map[effect.FuncID]*graph
	values   *values
	cells    map[string]value // what fields, globals, parameters and free variables may hold, whatever the path
	learning *learning        // while cells are being learned
	bases    *bases
	rows     *rowFlow
	sums     map[*graph][]paramSum
	ran      map[*Rule]*runResult
	judged   map[*Rule]any
	// reachedBy is what whoReaches has found, reaches the same the other way round.
	reachedBy, reaches map[*graph][]*graph
	frames             map[string]*frame
	// calledAt is what CallersOf has found, callsOf the same the other way round.
	calledAt map[effect.FuncID][]Place
	callsOf  map[*effect.Node][]*graph
	// Records are the functions from which a record of a handled message can be reached, as far as a rule wants to know.
	Records map[effect.FuncID]bool
	// resolved are the statements that were read, for all rules.
	resolved map[resolvedKey]*effect.Effect
	// statements are texts that functions hand on, read as what they do.
	statements map[string]*effect.Effect
	// written are the tables that can be written from a function, for those that rules start at.
	written map[effect.FuncID]map[string]bool
	// Outboxes are the tables whose rows are known to be published by a relay.
	Outboxes map[string]bool
}

// Options are the knobs of the engine.
type Options struct {
	// Schema, if set, finds what is known of the tables' keys. It is asked only where a rule wants to know, since that
	// means to read the files of whole modules; it may return nil.
	Schema func() *schema.Schema
	// Handlers are the functions that the user calls handlers elsewhere than in source.
	Handlers map[effect.FuncID]bool
	// Inbox are the tables of which the user says that their rows tell which messages have been handled.
	Inbox []string
	// MaxVisits bounds the number of states that are looked at in one function with one binding.
	MaxVisits int
}

// DefaultOptions are bounds that no function of the measured services reaches.
func DefaultOptions() Options { return Options{MaxVisits: 20000} }

// Prepare learns what the whole program says about its fields, functions and tables.
func Prepare(p *effect.Program, opts Options) *Program {
	fp := &Program{Program: p, Options: opts, byID: map[effect.FuncID]*graph{}, values: newValues(), cells: map[string]value{},
		frames: map[string]*frame{}, resolved: map[resolvedKey]*effect.Effect{}, Outboxes: map[string]bool{}, ran: map[*Rule]*runResult{}, judged: map[*Rule]any{}}
	ids := make([]effect.FuncID, 0, len(p.Graphs))
	for id := range p.Graphs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for i, id := range ids {
		g := newGraph(p.Graphs[id], p.PackageOf[p.Graphs[id]], i)
		g.findRelevant()
		g.each(func(n *effect.Node) { fp.tell(n.Effect) })
		fp.graphs = append(fp.graphs, g)
		fp.byID[id] = g
	}
	fp.bases = newBases()
	fp.unifyBases()
	fp.learnCells()
	fp.countCallers()
	fp.findInteresting() // once to tell brokers from tables,
	fp.findTransports()
	fp.findInteresting() // and again for what is left
	var rows sync.WaitGroup
	rows.Go(fp.findRows)
	fp.findNonNil()
	fp.findSums()
	rows.Wait()
	fp.findHandlers()
	return fp
}

// Schema returns what is known of the program's tables, nil if that is nothing. The first call reads files.
func (p *Program) Schema() *schema.Schema {
	if p.Options.Schema == nil {
		return nil
	}
	return p.Options.Schema()
}

// staticTargets lists the functions that a node can call as far as that does not depend on bindings.
func (p *Program) staticTargets(n *effect.Node) []effect.FuncID {
	switch {
	case n.Callee != "":
		return []effect.FuncID{n.Callee}
	case !n.Method.IsZero():
		return p.Targets[n.Method]
	}
	return nil
}

// countCallers finds the functions that nothing in the program calls: entry points.
func (p *Program) countCallers() {
	for _, g := range p.graphs {
		g.each(func(n *effect.Node) {
			for _, id := range p.staticTargets(n) {
				if t := p.byID[id]; t != nil && t != g {
					t.callers++
				}
			}
		})
		for _, site := range g.Closures {
			if t := p.byID[site.Fn]; t != nil {
				t.addressTaken = true
			}
			for _, id := range p.Targets[site.Method] {
				if t := p.byID[id]; t != nil {
					t.addressTaken = true
				}
			}
		}
	}
}

// findInteresting propagates what functions do from callees to callers, closures included: a closure made in a function
// is assumed to run.
func (p *Program) findInteresting() {
	callers := map[*graph][]*graph{}
	var work []*graph
	for _, g := range p.graphs {
		g.does = 0
		g.each(func(n *effect.Node) {
			g.does |= own(n)
			if len(n.Fun) > 0 || len(n.Calls) > 0 || n.Effect != nil && len(n.Effect.Closure) > 0 {
				g.dynamic = true
			}
		})
		for _, t := range p.reachable(g) {
			callers[t] = append(callers[t], g)
		}
		if g.does != 0 {
			work = append(work, g)
		}
	}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range callers[g] {
			if c.does|g.does != c.does {
				c.does |= g.does
				work = append(work, c)
			}
		}
	}
	for _, g := range p.graphs {
		g.interesting = g.does&^(looks|acts|hands) != 0
	}
}

// reachable lists the functions that a function calls or makes closures of.
func (p *Program) reachable(g *graph) []*graph {
	var out []*graph
	add := func(ids ...effect.FuncID) {
		for _, id := range ids {
			if t := p.byID[id]; t != nil && t != g {
				out = append(out, t)
			}
		}
	}
	g.each(func(n *effect.Node) {
		add(p.staticTargets(n)...)
		p.closuresIn(g, n.Fun, func(t *graph) { out = append(out, t) })
	})
	for _, site := range g.Closures {
		add(site.Fn)
		add(p.Targets[site.Method]...)
	}
	return out
}

// closuresIn calls f for the functions that roots can be, as far as fields, parameters and globals hold them.
func (p *Program) closuresIn(g *graph, roots effect.Roots, f func(t *graph)) {
	if len(roots) == 0 {
		return
	}
	v := p.eval(p.ambient(g), roots)
	for _, a := range p.values.atoms(v) {
		if a.kind != funcAtom {
			continue
		}
		for _, t := range p.closureTargets(&p.values.closures[a.id]) {
			f(t)
		}
	}
}

// closureTargets lists the functions that a function value stands for.
func (p *Program) closureTargets(c *closure) []*graph {
	if !c.method.IsZero() {
		var ts []*graph
		for _, id := range p.Targets[c.method] {
			if t := p.byID[id]; t != nil {
				ts = append(ts, t)
			}
		}
		return ts
	}
	if t := p.byID[c.fn]; t != nil {
		return []*graph{t}
	}
	return nil
}

// findNonNil finds results that are never nil: constructors of errors.
func (p *Program) findNonNil() {
	for changed := true; changed; {
		changed = false
		for _, g := range p.graphs {
			for i := range g.Results {
				if !g.nonNil.Has(i) && p.neverNil(g, i) {
					g.nonNil.Set(i)
					changed = true
				}
			}
		}
	}
}

func (p *Program) neverNil(g *graph, i int) bool {
	returns := 0
	for _, b := range g.Blocks {
		if b.Exit != effect.Return || i >= len(b.Return) {
			continue
		}
		returns++
		o := b.Return[i]
		if (o.Const != effect.NonZero || o.Var != 0) && !p.neverNilVar(g, o) {
			return false
		}
	}
	return returns > 0
}

// neverNilVar reports whether a variable is a result that is never nil, of the only node that assigns it.
func (p *Program) neverNilVar(g *graph, o effect.Operand) bool {
	if o.Var == 0 || o.Not {
		return false
	}
	found := false
	g.each(func(n *effect.Node) {
		for i, v := range n.Out {
			if v != o.Var || n.Op != effect.OpCall {
				continue
			}
			targets := p.staticTargets(n)
			found = len(targets) > 0
			for _, id := range targets {
				if t := p.byID[id]; t == nil || !t.nonNil.Has(i) {
					found = false
				}
			}
		}
	})
	return found
}
