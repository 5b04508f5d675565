package flow

import (
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// Senders tells where it is decided what a call sends.
type Senders struct {
	p *Program
	// acting are the functions that lead to something which others see.
	acting map[effect.FuncID]bool
}

// Senders looks at the program once for all who ask.
func (p *Program) Senders() *Senders { return &Senders{p, p.Reaching(isSeen)} }

// isSeen reports whether others than the function's own process see an effect, caches left out.
func isSeen(e *effect.Effect) bool {
	switch e.Kind {
	case model.External, model.Publish, model.Enqueue, model.Write, model.SQL:
		return true
	}
	return false
}

// Innermost is the level of a chain with the innermost step in code that somebody has written.
func Innermost(chain *Witness) int {
	levels := chain.Levels()
	level := len(levels) - 1
	for level > 0 && (levels[level].Pkg == nil || levels[level].Graph.Generated || levels[level].Graph.Wrapper) {
		level--
	}
	return level
}

// Picked is the innermost level of a chain at which what its end is given is picked out or put together.
func Picked(chain *Witness) int {
	levels, innermost := chain.Levels(), Innermost(chain)
	for level := innermost; level >= 0; level-- {
		if w := levels[level]; w.Pkg != nil && w.Node.Picks && !w.Graph.Generated {
			return level
		}
	}
	return innermost
}

// Level is the level of a chain at which it is decided what the call at its end sends: the outermost function that picks
// what it hands on, where all that lies below does nothing else than to send what it is given.
func (s *Senders) Level(chain *Witness) int {
	levels, picked := chain.Levels(), Innermost(chain)
	for level := picked; level > 0 && s.handsOn(levels[level]); level-- {
		if above := levels[level-1]; above.Pkg != nil && above.Node.Picks && !above.Graph.Generated {
			picked = level - 1
		}
	}
	return picked
}

// handsOn reports whether a function does nothing but what a step of it does, with what it was given.
func (s *Senders) handsOn(w *Witness) bool {
	g := s.p.byID[w.Graph.ID]
	if g == nil {
		return false
	}
	acting := 0
	g.each(func(n *effect.Node) {
		if s.acts(g, n) {
			acting++
		}
	})
	if acting > 1 {
		return false
	}
	own := false
	for _, data := range w.Node.ArgData {
		for _, o := range data {
			if o >= len(w.Graph.Origins) {
				continue
			}
			switch x := w.Graph.Origins[o]; {
			case x.Kind == effect.ParamOrigin && x.Index < len(g.Params) && g.Params[x.Index].Role == effect.PlainType && !(g.Method && x.Index == 0):
				return true // what is sent came in as one piece
			case x.Kind == effect.CallOrigin && s.p.gives(g, x.Node):
				own = true
			}
		}
	}
	return !own
}

// acts reports whether others see what a step does, or leads to.
func (s *Senders) acts(g *graph, n *effect.Node) bool {
	if n.Effect != nil && isSeen(n.Effect) {
		return true
	}
	found := false
	for _, t := range (&deedWalk{p: s.p}).leadsTo(g, n) {
		found = found || s.acting[t.ID]
	}
	return found
}

// gives reports whether a step brings something in that the function was not given: it reads, or what it calls does.
func (p *Program) gives(g *graph, id int) bool {
	n := g.node(id)
	if n == nil {
		return false
	}
	if own(n)&looks != 0 {
		return true
	}
	for _, t := range p.staticTargets(n) {
		if t := p.byID[t]; t != nil && t.does&looks != 0 {
			return true
		}
	}
	return false
}
