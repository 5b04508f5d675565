package dualwrite

import (
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
)

// spoken are the ends of windows, by the node in the function that the window lies in, with the windows.
type spoken map[*effect.Node][]*candidate

// spokenFor collects the ends of the windows that are errors. A write that is only a line in a log does not speak for the
// publish after it.
func spokenFor(cands []*candidate) spoken {
	s := spoken{}
	for _, c := range cands {
		if c.tier != check.Error || c.hit.Kind == escapedKind {
			continue
		}
		write, publish := c.first, c.last
		if isPublish(write) {
			write, publish = publish, write
		}
		s[write.Node] = append(s[write.Node], c)
		if claims(write) {
			s[publish.Node] = append(s[publish.Node], c)
		}
	}
	return s
}

// demote makes advice of a cascade: a window with an end in a callee that has a window of its own there, so that it joins
// what one operation writes and announces to the next operation. What each loses is said where it is.
func (s spoken) demote(c *candidate) {
	if c.hit.Kind != escapedKind && (s.holds(c, c.first) || s.holds(c, c.last)) {
		c.tier = check.Advice
	}
}

// holds reports whether an end belongs to a window of a callee. What a function's closures do is no operation apart.
func (s spoken) holds(c *candidate, end *flow.Witness) bool {
	for w := end.Sub; w != nil; w = w.Sub {
		for _, own := range s[w.Node] {
			if own.hit.Graph == w.Graph && declared(w.Graph) != declared(c.hit.Graph) {
				return true
			}
		}
	}
	return false
}

// declared is the declared function that a closure stands in, or the function itself.
func declared(g *effect.Graph) string {
	id, _, _ := strings.Cut(string(g.ID), "$")
	return id
}
