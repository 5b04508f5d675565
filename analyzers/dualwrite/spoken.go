package dualwrite

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
)

// spoken holds windows by the nodes at their ends, in the function that the window lies in.
type spoken struct {
	at map[*effect.Node][]*flow.Hit
	// joined says of a window whether it is a cascade.
	joined map[*flow.Hit]bool
}

// spokenFor collects the windows whose ends belong together, whether or not anything is to be said of them. A write that
// is only a line in a log does not speak for the publish after it.
func spokenFor(hits []*flow.Hit) *spoken {
	s := &spoken{at: map[*effect.Node][]*flow.Hit{}, joined: map[*flow.Hit]bool{}}
	for _, h := range hits {
		if h.Kind == escapedKind || !h.Related || h.Claimed || twoOfOne(h.First, h.Later) {
			continue
		}
		write, publish := h.First, h.Later
		if isPublish(write) {
			write, publish = publish, write
		}
		s.at[write.Node] = append(s.at[write.Node], h)
		if claims(write) {
			s.at[publish.Node] = append(s.at[publish.Node], h)
		}
	}
	return s
}

// demote makes advice of a cascade: what each of its operations loses is said where it is. In one function a publish that
// announces what is written before it does not announce what is written after it.
func (s *spoken) demote(c *candidate) {
	if s.cascade(c.hit) || c.hit.Kind == beforeKind && s.announces(c.first) {
		c.tier = check.Advice
	}
}

// cascade reports whether a window joins what one operation writes and announces to the next operation: it has an end in
// a callee that has a window of its own there, which is no cascade itself.
func (s *spoken) cascade(h *flow.Hit) bool {
	if h.Kind == escapedKind {
		return false
	}
	joined, known := s.joined[h]
	if !known {
		s.joined[h] = false // where functions call themselves, the outer window is asked about first
		joined = s.holds(h, h.First) || s.holds(h, h.Later)
		s.joined[h] = joined
	}
	return joined
}

// holds reports whether an end belongs to a window of a callee. What a function's closures do is no operation apart.
func (s *spoken) holds(h *flow.Hit, end *flow.Witness) bool {
	for w := end.Sub; w != nil; w = w.Sub {
		for _, own := range s.at[w.Node] {
			if own.Graph == w.Graph && declared(w.Graph) != declared(h.Graph) && !s.cascade(own) {
				return true
			}
		}
	}
	return false
}

// announces reports whether a publish comes after a write of its own in the same function.
func (s *spoken) announces(publish *flow.Witness) bool {
	return slices.ContainsFunc(s.at[publish.Node], func(own *flow.Hit) bool {
		return own.Kind == afterKind && own.Later.Node == publish.Node
	})
}

// declared is the declared function that a closure stands in, or the function itself.
func declared(g *effect.Graph) string {
	id, _, _ := strings.Cut(string(g.ID), "$")
	return id
}
