package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// Levels lists the steps of a chain, outermost first.
func (w *Witness) Levels() []*Witness {
	var out []*Witness
	for ; w != nil; w = w.Sub {
		out = append(out, w)
	}
	return out
}

// A SentKey is a key that something which is sent was given on the way.
type SentKey struct {
	Name string
	// Made says that it is made on the spot; Natural that it is an ID in what is sent.
	Made, Natural bool
}

// SentKeys lists the keys that the call at the end of a chain is given by the functions on the way, and by those that help
// the ones from a level on to put together what is sent.
func (p *Program) SentKeys(chain *Witness, from int) []SentKey {
	s := newSent(p, chain)
	for level, w := range s.chain {
		if w.Pkg == nil {
			continue
		}
		s.noted(level, from)
		s.named(level, from)
		if level >= from || w.Node.Sent != nil {
			s.helped(level)
		}
	}
	return s.out
}

// sent looks for keys along a chain.
type sent struct {
	keys
	chain []*Witness
	spots []*spot // of the chain's levels
	out   []SentKey
}

func newSent(p *Program, chain *Witness) *sent {
	s := &sent{keys: keys{p: p}, chain: chain.Levels()}
	var at *spot
	for _, w := range s.chain {
		at = s.within(at, w)
		s.spots = append(s.spots, at)
	}
	return s
}

// noted takes the notes of a function on the way that are about what it sends.
func (s *sent) noted(level, from int) {
	w := s.chain[level]
	for _, note := range w.Graph.KeyNotes {
		if note.Natural && (level < from || note.Local == 0 && level != from) || !s.about(level, note.Local) {
			continue
		}
		s.out = append(s.out, SentKey{note.Name, s.madeAny(level, note.From), note.Natural})
	}
}

// about reports whether a thing of a function is what the step there sends. What a closure has captured may be any.
func (s *sent) about(level, local int) bool {
	w := s.chain[level]
	if local == 0 || level+1 < len(s.chain) && s.chain[level+1].Graph.Parent == w.Graph.ID {
		return true
	}
	for _, r := range []*effect.Request{w.Node.Sent, requestIn(w.Node)} {
		if r != nil && r.Local == local {
			return true
		}
	}
	return slices.ContainsFunc(w.Node.ArgData, func(data effect.Origins) bool {
		return slices.ContainsFunc(data, func(o int) bool {
			return o < len(w.Graph.Origins) && w.Graph.Origins[o] == effect.Origin{Kind: effect.LocalOrigin, Index: local - 1}
		})
	})
}

func requestIn(n *effect.Node) *effect.Request {
	if n.Effect == nil {
		return nil
	}
	return n.Effect.Request
}

// named takes an argument as a key whose parameter is called one. An ID of the message is one where it goes to what only
// hands on what it is given.
func (s *sent) named(level, from int) {
	if level+1 >= len(s.chain) || s.chain[level+1].Graph.Parent != "" {
		return
	}
	for i, param := range s.chain[level+1].Graph.Params {
		if effect.NamesKey(param.Name) && (level >= from || effect.CallsKey(param.Name)) {
			made := s.madePiece(s.spots[level], partsOf(s.chain[level].Node, i), "", 0)
			s.out = append(s.out, SentKey{Name: param.Name, Made: made})
		}
	}
}

// helped takes the notes of the functions that a function on the way hands its request to, or has it put together by.
func (s *sent) helped(level int) {
	w := s.chain[level]
	g := s.p.byID[w.Graph.ID]
	if g == nil {
		return
	}
	g.each(func(n *effect.Node) {
		if n == w.Node || n.Effect != nil || n.Sent == nil && !resultOf(w.Graph, s.p.DataOf(w), n) && !s.makesRequest(n) {
			return
		}
		s.notesBelow(level, n, n, 0)
	})
}

func (s *sent) makesRequest(n *effect.Node) bool {
	return slices.ContainsFunc(s.p.staticTargets(n), func(id effect.FuncID) bool {
		t := s.p.byID[id]
		return t != nil && t.ResultRequest != nil
	})
}

// maxHelpers bounds how far below a function its helpers are looked for.
const maxHelpers = 2

func (s *sent) notesBelow(level int, call, n *effect.Node, depth int) {
	for _, id := range s.p.staticTargets(n) {
		t := s.p.byID[id]
		if t == nil {
			continue
		}
		for _, note := range t.KeyNotes {
			made := slices.ContainsFunc(note.From, func(from effect.Source) bool {
				return from.Kind == effect.MadeSource || depth == 0 && from.Kind == effect.ParamSource && s.madePiece(s.spots[level], partsOf(call, from.Index), from.Field, 0)
			})
			s.out = append(s.out, SentKey{note.Name, made, note.Natural})
		}
		if depth < maxHelpers {
			t.each(func(n *effect.Node) {
				if n.Sent != nil {
					s.notesBelow(level, call, n, depth+1)
				}
			})
		}
	}
}

func (s *sent) madeAny(level int, from []effect.Source) bool {
	return slices.ContainsFunc(from, func(src effect.Source) bool {
		return s.made(s.spots[level], src, 0) || src.Kind == effect.ResultSource && s.madeText(level, src, 0)
	})
}

// madeText reports whether a function that gives a text makes it anew each time.
func (s *sent) madeText(level int, src effect.Source, depth int) bool {
	return slices.ContainsFunc(s.callees(s.spots[level], src.Node), func(callee *spot) bool {
		return src.Index < len(callee.g.ResultFrom) && slices.ContainsFunc(callee.g.ResultFrom[src.Index], func(from effect.Source) bool {
			return s.made(callee, from, depth+1)
		})
	})
}

// Requested is the method and the address of the request that is sent at the end of a chain, as far as they are known.
func (p *Program) Requested(chain *Witness) (method, url string) {
	s := newSent(p, chain)
	last := len(s.chain) - 1
	return s.requested(last, requestIn(s.chain[last].Node), 0)
}

func (s *sent) requested(level int, r *effect.Request, depth int) (method, url string) {
	switch {
	case r == nil || depth > maxKeyDepth:
		return "", ""
	case r.From.Kind == effect.ParamSource:
		if level == 0 {
			return "", ""
		}
		return s.requested(level-1, s.chain[level-1].Node.Sent, depth+1)
	case r.From.Kind == effect.ResultSource:
		for _, callee := range s.callees(s.spots[level], r.From.Node) {
			if made := callee.g.ResultRequest; made != nil {
				g := s.p.byID[s.chain[level].Graph.ID]
				told := func(x effect.Said) string {
					if x.Text != "" || x.From.Kind != effect.ParamSource {
						return x.Text
					}
					return s.saidTo(level, g.node(r.From.Node), x.From, depth+1)
				}
				return told(made.Method), told(made.URL)
			}
		}
		return "", ""
	}
	return s.said(level, r.Method, depth), s.said(level, r.URL, depth)
}

// said is a text at a level.
func (s *sent) said(level int, x effect.Said, depth int) string {
	if x.Text != "" || x.From.Kind != effect.ParamSource || level == 0 {
		return x.Text
	}
	return s.saidTo(level-1, s.chain[level-1].Node, x.From, depth+1)
}

// saidTo is the text that a call at a level is given for a parameter, or for a field of it.
func (s *sent) saidTo(level int, n *effect.Node, from effect.Source, depth int) string {
	for _, x := range n.Said {
		if x.Arg == from.Index && x.Field == from.Field {
			return x.Text
		}
	}
	if depth > maxKeyDepth {
		return ""
	}
	for _, part := range partsOf(n, from.Index) {
		if part.Field == "" && part.From.Kind == effect.ParamSource {
			up := part.From
			if from.Field != "" {
				up.Field = from.Field
			}
			return s.said(level, effect.Said{From: up}, depth+1)
		}
	}
	return ""
}
