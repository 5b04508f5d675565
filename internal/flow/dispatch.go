package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
)

// maxDispatch bounds how many calls lie between a handler and the dispatcher that it hands its message to.
const maxDispatch = 4

// A hand is a function with what it is given of a handler's message.
type hand struct {
	g     *graph
	given effect.Bits // parameters
	funcs effect.Bits // parameters that are handlers which its caller has picked
	all   bool        // a handler, or a closure in one, to which all that it is given is of the message
	own   bool        // a handler or a closure in one, not something that it calls
	depth int
}

// followedKey tells apart a function that is a handler and one that a handler calls: of the first more is taken for a
// choice.
type followedKey struct {
	g   *graph
	own bool
}

// findDispatched follows messages from handlers to function values and to the implementations of interfaces of handlers:
// those that a dispatcher looks up by the kind of message.
func (f *handlerFinder) findDispatched() {
	var work []hand
	for ; f.next < len(f.handlers); f.next++ {
		g := f.handlers[f.next]
		work = append(work, hand{g: g, all: g.given, own: true})
		for len(work) > 0 {
			h := work[0]
			work = work[1:]
			if key := (followedKey{h.g, h.own}); !f.followed[key] {
				f.followed[key] = true
				work = append(work, f.dispatch(h)...)
			}
		}
	}
}

// dispatch notes what one function calls with the message and gives the functions that it hands it on to.
func (f *handlerFinder) dispatch(h hand) []hand {
	var on []hand
	h.g.each(func(n *effect.Node) {
		if n.Op != effect.OpCall {
			return
		}
		given, any := f.givenBy(h, n)
		if !any {
			return
		}
		for _, t := range f.chosen(h, n) {
			if middleware(t) {
				on = append(on, hand{g: t, all: true, own: true, depth: h.depth})
				continue
			}
			f.note(t, true, "dispatched from "+h.g.Name, callSite{h.g, n})
		}
		for _, id := range f.p.staticTargets(n) {
			if t := f.p.byID[id]; t != nil && h.depth < maxDispatch {
				on = append(on, hand{g: t, given: given, funcs: h.passed(n), depth: h.depth + 1})
			}
		}
	})
	for i := range h.g.Closures { // last: what is dispatched to is no part of this function, even where it stands in it
		if t := f.p.byID[h.g.Closures[i].Fn]; t != nil && t.Parent == h.g.ID && t.handler == "" {
			on = append(on, hand{g: t, all: h.all, own: h.own, depth: h.depth})
		}
	}
	return on
}

// middleware reports whether a closure hands what it is given to a function that it has captured.
func middleware(g *graph) bool {
	for i := range g.Params {
		if g.Parent != "" && wraps(g, i) {
			return true
		}
	}
	return false
}

// givenBy tells which arguments of a call come from the message.
func (f *handlerFinder) givenBy(h hand, n *effect.Node) (given effect.Bits, any bool) {
	for i, data := range n.ArgData {
		if i < len(n.ArgFacts) && n.ArgFacts[i] != (effect.Operand{}) {
			continue // an error
		}
		for _, o := range data {
			if o < len(h.g.Origins) && f.fromMessage(h, h.g.Origins[o]) {
				given.Set(i)
				any = true
			}
		}
	}
	return given, any
}

func (f *handlerFinder) fromMessage(h hand, o effect.Origin) bool {
	switch o.Kind {
	case effect.ParamOrigin:
		return h.all || h.given.Has(o.Index) || h.g.Params[o.Index].Message != ""
	case effect.FreeOrigin:
		return h.g.Parent != ""
	case effect.CallOrigin:
		n := h.g.node(o.Node)
		return n != nil && f.isReceive(n)
	}
	return false
}

// chosen lists the functions that a call of a function value or interface method picks for a message.
func (f *handlerFinder) chosen(h hand, n *effect.Node) []*graph {
	var ts []*graph
	named := true
	switch {
	case len(n.Fun) > 0:
		var roots effect.Roots
		for _, r := range n.Fun {
			if h.picks(r) {
				roots = append(roots, r)
				named = named && (r.Field == "" || handlerWord(r.Field))
			}
		}
		ts = f.handed.functions(h.g, roots)
	case !n.Method.IsZero() && picksMethod(n) && (h.own || elementOf(n) || len(f.p.Targets[n.Method]) > 1):
		for _, id := range f.p.Targets[n.Method] {
			if t := f.p.byID[id]; t != nil && t != h.g {
				ts = append(ts, t)
			}
		}
	}
	return slices.DeleteFunc(ts, func(t *graph) bool {
		return t.pkg == nil || t.does&changes == 0 && !(named && t.givesNothing() && t.steps() > 0)
	})
}

// picks reports whether a call of what r is picks a handler. What a handler's callee was handed is not picked: a runner's
// closure, a step that is retried. Nor is a field of one of its services, unless it is called so.
func (h hand) picks(r effect.Root) bool {
	switch {
	case r.Kind == effect.FuncRoot:
		return false
	case h.own || r.Elem || r.Kind == effect.GlobalRoot, r.Kind == effect.ParamRoot && r.Field == "" && h.funcs.Has(r.Index):
		return true
	}
	return r.Field != "" && handlerWord(r.Field)
}

// passed tells in which arguments of a call the caller hands on a handler that it has picked.
func (h hand) passed(n *effect.Node) effect.Bits {
	var funcs effect.Bits
	for i, roots := range n.Args {
		if slices.ContainsFunc(roots, func(r effect.Root) bool { return r.Role == effect.FuncType && h.picks(r) }) {
			funcs.Set(i)
		}
	}
	return funcs
}

// handlerWord reports whether the last part of a name calls what it names a handler.
func handlerWord(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return slices.ContainsFunc([]string{"handle", "process", "consume", "callback", "listener", "subscri", "receive", "dispatch", "worker"},
		func(w string) bool { return strings.Contains(name, w) }) || name == "fn" || name == "cb" || name == "f"
}

// picksMethod reports whether an interface method is called on one of several handlers: both interface and method are
// called so, or one of them where it is taken out of a container. (Where a handler's callee does so, there have to be several.)
func picksMethod(n *effect.Node) bool {
	name := n.Method.Iface[strings.LastIndexByte(n.Method.Iface, '.')+1:]
	iface := hasWord(name, strings.HasSuffix, "Handler", "Consumer", "Listener", "Subscriber", "Processor", "Projection", "Projector", "HandlerFunc")
	method := hasWord(n.Method.Name, strings.HasPrefix, "Handle", "Consume", "On", "Process", "Project", "Apply", "Receive")
	if elementOf(n) {
		return iface || method
	}
	return iface && method
}

// elementOf reports whether a method is called on an object that was taken out of a container.
func elementOf(n *effect.Node) bool {
	return len(n.Args) > 0 && slices.ContainsFunc(n.Args[0], func(r effect.Root) bool { return r.Elem })
}

// steps counts the calls and effects of a function.
func (g *graph) steps() int {
	steps := 0
	g.each(func(n *effect.Node) {
		if n.Op == effect.OpCall || n.Op == effect.OpEffect && own(n) != hands {
			steps++
		}
	})
	return steps
}

func hasWord(name string, has func(s, word string) bool, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return has(name, w) || has(name, strings.ToLower(w[:1])+w[1:]) })
}

// ifaceName writes an interface method for people: "events.Handler.Handle".
func ifaceName(m effect.MethodKey) string {
	return m.Iface[strings.LastIndexByte(m.Iface, '/')+1:] + "." + m.Name
}
