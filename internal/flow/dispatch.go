package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
)

// maxDispatch bounds how many calls lie between a handler and the dispatcher that it hands its message to.
const maxDispatch = 4

// A hand is a function with the parameters through which it is given what a handler has made of its message.
type hand struct {
	g     *graph
	given effect.Bits // parameters
	all   bool        // a handler, or a closure in one: all that it is given
	depth int
}

// findDispatched follows messages from handlers to function values and to the implementations of interfaces of handlers:
// those that a dispatcher looks up by the kind of message.
func (f *handlerFinder) findDispatched() {
	seen := map[*graph]bool{}
	var work []hand
	next := 0
	for next < len(f.handlers) || len(work) > 0 {
		if len(work) == 0 {
			g := f.handlers[next]
			next++
			work = append(work, hand{g: g, all: g.given})
			continue
		}
		h := work[0]
		work = work[1:]
		if !seen[h.g] {
			seen[h.g] = true
			work = append(work, f.dispatch(h)...)
		}
	}
}

// dispatch notes what one function calls with the message and gives the functions that it hands it on to.
func (f *handlerFinder) dispatch(h hand) []hand {
	var on []hand
	for i := range h.g.Closures {
		if t := f.p.byID[h.g.Closures[i].Fn]; t != nil && t.Parent != "" && h.depth < maxDispatch {
			on = append(on, hand{g: t, all: h.all, depth: h.depth + 1})
		}
	}
	h.g.each(func(n *effect.Node) {
		if n.Op != effect.OpCall {
			return
		}
		given, any := f.givenBy(h, n)
		if !any {
			return
		}
		for _, t := range f.chosen(h, n) {
			f.note(t, true, "dispatched from "+h.g.Name, callSite{h.g, n})
		}
		for _, id := range f.p.staticTargets(n) {
			if t := f.p.byID[id]; t != nil && h.depth < maxDispatch {
				on = append(on, hand{g: t, given: given, depth: h.depth + 1})
			}
		}
	})
	return on
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
		return h.all || h.given.Has(o.Index)
	case effect.FreeOrigin:
		return h.g.Parent != "" && (h.all || h.depth > 0)
	case effect.CallOrigin:
		n := h.g.node(o.Node)
		return n != nil && f.isReceive(n)
	}
	return false
}

// chosen lists the functions that a call of a function value or interface method picks for a message. A function that a
// handler's callee was handed is no choice: a runner's closure, a retried step.
func (f *handlerFinder) chosen(h hand, n *effect.Node) []*graph {
	var ts []*graph
	switch {
	case len(n.Fun) > 0:
		var roots effect.Roots
		for _, r := range n.Fun {
			if r.Kind != effect.FuncRoot && (h.all || r.Field != "" || r.Elem || r.Kind == effect.GlobalRoot) {
				roots = append(roots, r)
			}
		}
		ts = f.handed.functions(h.g, roots)
	case !n.Method.IsZero() && picks(n):
		for _, id := range f.p.Targets[n.Method] {
			if t := f.p.byID[id]; t != nil && t != h.g {
				ts = append(ts, t)
			}
		}
	}
	return slices.DeleteFunc(ts, func(t *graph) bool {
		return t.pkg == nil || !t.givesNothing() && t.does&changes == 0
	})
}

// picks reports whether an interface method is called on one of several handlers: both interface and method are called
// so, or one of them where it is taken out of a container.
func picks(n *effect.Node) bool {
	name := n.Method.Iface[strings.LastIndexByte(n.Method.Iface, '.')+1:]
	iface := hasWord(name, strings.HasSuffix, "Handler", "Consumer", "Listener", "Subscriber", "Processor", "Projection", "Projector", "HandlerFunc")
	method := hasWord(n.Method.Name, strings.HasPrefix, "Handle", "Consume", "On", "Process", "Project", "Apply", "Receive")
	if len(n.Args) > 0 && fromElement(n.Args[0]) {
		return iface || method
	}
	return iface && method
}

func fromElement(rs effect.Roots) bool {
	return slices.ContainsFunc(rs, func(r effect.Root) bool { return r.Elem })
}

func hasWord(name string, has func(s, word string) bool, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return has(name, w) || has(name, strings.ToLower(w[:1])+w[1:]) })
}

// ifaceName writes an interface method for people: "events.Handler.Handle".
func ifaceName(m effect.MethodKey) string {
	return m.Iface[strings.LastIndexByte(m.Iface, '/')+1:] + "." + m.Name
}
