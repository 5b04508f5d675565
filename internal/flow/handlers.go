package flow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// A Handler is a function that runs once for each delivered message.
type Handler struct {
	Function, Package string
	File              string
	Pos               effect.Pos
	// Reason says in words why it is one; ReasonFile and ReasonPos where that stands, when it is elsewhere.
	Reason     string
	ReasonFile string
	ReasonPos  effect.Pos
}

// Handlers lists the handlers of the program in the order of the source.
func (p *Program) Handlers() []Handler {
	var all []Handler
	for _, g := range p.graphs {
		if g.handler == "" {
			continue
		}
		h := Handler{Function: g.Name, Package: g.Pkg, File: g.pkg.Files[g.Pos.File], Pos: g.Pos, Reason: g.handler}
		if in := g.handlerAt; in.n != nil && in.n.Pos.IsValid() {
			h.ReasonFile, h.ReasonPos = in.g.pkg.Files[in.n.Pos.File], in.n.Pos
		}
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b Handler) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Function, b.Function))
	})
	return all
}

// findHandlers finds out which functions run once for each delivered message. The first reason that holds is kept: what
// the source or the user says, a registration, a loop over messages, a call by a dispatcher, a message among the parameters.
func (p *Program) findHandlers() {
	f := &handlerFinder{p: p, handed: newHanded(p), gives: map[*graph]bool{}, followed: map[followedKey]bool{}}
	f.findMarked()
	f.findRegistered()
	f.findReceivers()
	f.findDispatched()
	f.findTakers()
	f.findDispatched()
}

type handlerFinder struct {
	p      *Program
	handed *handed
	// gives holds the functions that receive a message for their caller.
	gives map[*graph]bool
	// handlers are those found, in the order in which they were.
	handlers []*graph
	// followed holds the functions through which messages have been followed, next the first handler that is still to be.
	followed map[followedKey]bool
	next     int
}

// note makes g a handler unless it is one already. One that is given its message handles it from its first step on; one
// that receives it does so from then on.
func (f *handlerFinder) note(g *graph, given bool, reason string, at callSite) {
	if g.pkg == nil || g.pkg.Harness || testPackage(g.Pkg) || g.Generated || g.Wrapper || g.handler != "" {
		return
	}
	g.handler, g.handlerAt, g.given = reason, at, given
	f.handlers = append(f.handlers, g)
}

// findMarked takes the source, and what the user says elsewhere, at its word.
func (f *handlerFinder) findMarked() {
	const marked, named = "marked //dmlint:handler", "named in .dmlint.yaml"
	for _, g := range f.p.graphs {
		switch {
		case g.Handler:
			f.note(g, true, marked, callSite{})
		case f.p.Options.Handlers[g.ID]:
			f.note(g, true, named, callSite{})
		}
	}
	for _, pkg := range f.p.Packages {
		for _, m := range pkg.Handlers {
			marked := marked
			if f.p.Options.Handlers[m.Symbol()] {
				marked = named
			}
			for _, id := range f.p.Targets[m] {
				if t := f.p.byID[id]; t != nil {
					f.note(t, true, marked+" as "+ifaceName(m), callSite{})
				}
			}
		}
	}
}

// findRegistered finds what libraries are given to call for each message.
func (f *handlerFinder) findRegistered() {
	for _, g := range f.p.graphs {
		g.each(func(n *effect.Node) {
			if n.Effect == nil || n.Effect.Kind != model.Subscribe {
				return
			}
			for _, t := range f.handed.functions(g, n.Effect.Closure) {
				if n.Effect.Typed && !t.takesMessage() {
					continue
				}
				f.note(t, true, "registered with "+n.Label, callSite{g, n})
			}
		})
	}
}

// findTakers finds the functions that are given a message and do something about it: not those that only look at it, and
// not those that publish it.
func (f *handlerFinder) findTakers() {
	for _, g := range f.p.graphs {
		for i := range g.Params {
			if m := g.Params[i].Message; m != "" && !(g.Method && i == 0) && f.deals(g) && !f.sends(g, i) && !g.stores(i) && !wraps(g, i) && !f.runs(g) {
				f.note(g, true, "takes "+m, callSite{})
			}
		}
	}
}

// sends reports whether a function is there to publish parameter i. One that nobody in the program calls and that is not
// called so may as well answer a message.
func (f *handlerFinder) sends(g *graph, i int) bool {
	bits := f.p.rows.sends[g.ID]
	return bits.Has(i) && (g.callers > 0 || g.calledPublisher())
}

// calledPublisher reports whether a function's name says that it sends, or prepares for sending, what it is given.
func (g *graph) calledPublisher() bool {
	name := g.Name[strings.LastIndexByte(g.Name, '.')+1:]
	return hasWord(name, strings.HasPrefix, "Publish", "Send", "Write", "Produce", "Emit", "Enqueue", "Push", "Put", "Post", "Forward", "Marshal",
		"Encode", "Close")
}

// testPackage reports whether a package stands in a folder of tests.
func testPackage(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(e string) bool { return e == "test" || e == "tests" })
}

// stores reports whether a function puts parameter i into an outbox.
func (g *graph) stores(i int) bool {
	found := false
	g.each(func(n *effect.Node) {
		found = found || n.Effect != nil && n.Effect.Kind == model.Enqueue && g.hasParam(n.Effect.Message, i)
	})
	return found
}

func (g *graph) hasParam(data effect.Origins, i int) bool {
	return slices.ContainsFunc(data, func(o int) bool {
		return o < len(g.Origins) && g.Origins[o] == effect.Origin{Kind: effect.ParamOrigin, Index: i}
	})
}

// deals reports whether a function that is given a message does anything but look at it, for its own sake and not for its
// caller's. Of one that nobody in the program calls, and that is given nothing else, it is taken for granted.
func (f *handlerFinder) deals(g *graph) bool {
	if g.does&changes != 0 {
		return g.callers == 0 || g.givesNothing()
	}
	if g.callers > 0 || g.Parent != "" || !g.givesNothing() || g.does&confirms != 0 {
		return false
	}
	for i, p := range g.Params {
		if !(g.Method && i == 0) && p.Role != effect.ContextType && p.Message == "" {
			return false
		}
	}
	return !g.calledPublisher()
}

// wraps reports whether a function stands around a handler: it hands parameter i on to a function that it has captured, or
// calls one that it is given, with nothing that it has found out.
func wraps(g *graph, i int) bool {
	found := false
	g.each(func(n *effect.Node) {
		for _, r := range n.Fun {
			if r.Field != "" || r.Elem {
				continue
			}
			handed := slices.ContainsFunc(n.ArgData, func(data effect.Origins) bool { return g.hasParam(data, i) })
			idle := !slices.ContainsFunc(n.ArgData, func(data effect.Origins) bool { return len(data) > 0 })
			found = found || r.Kind == effect.FreeRoot && handed || r.Kind == effect.ParamRoot && idle
		}
	})
	return found
}

// runs reports whether callers hand a function the rest of what they do: it prepares the work of a handler.
func (f *handlerFinder) runs(g *graph) bool {
	return slices.ContainsFunc(f.handed.calls[g], func(c callSite) bool {
		for i, roots := range c.n.Args {
			if i >= len(g.Params) || g.Params[i].Role != effect.FuncType {
				continue
			}
			for _, r := range roots {
				if r.Kind == effect.FuncRoot {
					if t := f.p.byID[c.g.Closures[r.Index].Fn]; t != nil && t.Parent == c.g.ID {
						return true
					}
				}
			}
		}
		return false
	})
}

// givesNothing reports whether a function has no results but an error, or whether all went well.
func (g *graph) givesNothing() bool {
	return !slices.ContainsFunc(g.Results, func(k effect.ResultKind) bool { return k != effect.ErrorResult && k != effect.BoolResult })
}
