package flow

import "github.com/dmlint/dmlint/internal/effect"

// inert reports whether nothing that happens in a frame can concern the rule, whatever the state: how it ends is then the
// same for every state, and leaves it alone. That is more exact than what the function may do, since the function values
// are known that the frame is given.
func (e *engine) inert(f *frame) bool {
	t := &f.touches[e.side()]
	if !t.known {
		e.touch(f, 0)
	}
	return !t.any
}

// concerns is what a rule can see of what functions do.
func (r *Rule) concerns() doing {
	seen := publishes | writes | transacts | notifies | confirms
	if r.Reads {
		seen |= looks
	}
	if r.Acts {
		seen |= acts | hands
	}
	return seen
}

// touched says whether a frame does anything that concerns the rules of one side. While that is being found out, order is
// its place among those about which it is.
type touched struct {
	any, known bool
	order      int
}

// maxTouchDepth bounds how many calls deep frames are asked: function values that wrap each other without end make new
// frames without end.
const maxTouchDepth = maxDepth

// touch finds out whether a frame does anything, and gives the first of those still being asked that it depends on: frames
// that call each other in a circle have the same answer.
func (e *engine) touch(f *frame, depth int) (first int) {
	side := e.side()
	t := &f.touches[side]
	e.asked = append(e.asked, f)
	at := len(e.asked)
	t.order, first = at, at
	concerns, anything := e.rule.concerns(), depth > maxTouchDepth
	f.g.each(func(n *effect.Node) {
		anything = anything || own(n)&concerns != 0
		if anything || n.Op != effect.OpCall {
			return
		}
		for _, c := range e.plan(f, n).calls {
			if anything || !e.useful(c.callee) {
				continue
			}
			u := &c.callee.touches[side]
			if !u.known && u.order == 0 {
				first = min(first, e.touch(c.callee, depth+1))
			} else if !u.known {
				first = min(first, u.order)
			}
			anything = anything || u.any
		}
	})
	if anything || first == at { // those after this one depend on it, or on one that depends on it
		for _, g := range e.asked[at-1:] {
			g.touches[side] = touched{any: anything, known: true}
		}
		e.asked = e.asked[:at-1]
	}
	return first
}
