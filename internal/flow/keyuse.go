package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// A KeyFlaw is a publish whose key keeps nothing in order.
type KeyFlaw struct {
	// At is the step at which the key is decided: the publish, or a call that leads there.
	At *Witness
	// Kind is Unkeyed, MadeKey or ConstKey; Ignored says that a key is set and the writer does not go by it.
	Kind    effect.TraitKind
	Ignored bool
	Fifo    bool
	// Entity is the name of an entity's ID in what is sent, or ""; Topics are what is known of where it goes.
	Entity string
	Topics []string
	// Names are those of the functions from the step on.
	Names []string
}

// KeyFlaws lists the publishes to what keeps messages in order by keys whose key is missing or worthless, each where that is
// decided.
func (p *Program) KeyFlaws() []KeyFlaw {
	k := &keyUses{p: p, callers: map[effect.FuncID][]callSite{}, cells: map[string][]held{}}
	for _, g := range p.graphs {
		g.each(func(n *effect.Node) {
			for _, id := range p.staticTargets(n) {
				k.callers[id] = append(k.callers[id], callSite{g, n})
			}
		})
		for _, c := range g.CellTraits {
			k.cells[c.Cell] = append(k.cells[c.Cell], held{g, c.Traits})
		}
	}
	for _, g := range p.graphs {
		g.each(func(n *effect.Node) {
			if n.Effect != nil && n.Effect.KeyUse != nil {
				k.publish(g, n)
			}
		})
	}
	return k.out
}

// held is what a function puts into a place.
type held struct {
	g      *graph
	traits []effect.Trait
}

type keyUses struct {
	p       *Program
	callers map[effect.FuncID][]callSite
	cells   map[string][]held
	out     []KeyFlaw
}

// maxKeyCalls bounds how far above a publish its key is decided.
const maxKeyCalls = 6

func (k *keyUses) publish(g *graph, n *effect.Node) {
	use := n.Effect.KeyUse
	writer := k.settle(g, use.Writer, 0)
	ignored := all(writer, effect.Unkeyed)
	if slices.Contains(writer, effect.Apart) || use.Dropped && !ignored {
		return
	}
	f := KeyFlaw{Fifo: use.Fifo, Entity: use.Entity, Ignored: ignored}
	k.decide(callSite{g, n}, g, n, use, use.Traits, f, 0)
}

func fromParams(ts []effect.Trait) bool {
	return slices.ContainsFunc(ts, func(t effect.Trait) bool { return t.Kind == effect.FromParam })
}

func all(ts []effect.TraitKind, kind effect.TraitKind) bool {
	return len(ts) > 0 && !slices.ContainsFunc(ts, func(t effect.TraitKind) bool { return t != kind })
}

func (k *keyUses) note(g *graph, n *effect.Node, use *effect.KeyUse, f KeyFlaw) {
	f.At = &Witness{Graph: g.Graph, Pkg: g.pkg, Node: n, Effect: n.Effect}
	if use.Topic != "" {
		f.Topics = append(f.Topics, use.Topic)
	}
	f.Names = append(f.Names, g.Name)
	k.out = append(k.out, f)
}

// decide notes a flaw where all that the key can be is worthless, or asks the callers whose arguments it depends
// on. A writer that does not go by keys is to blame where it publishes.
func (k *keyUses) decide(at callSite, g *graph, n *effect.Node, use *effect.KeyUse, ts []effect.Trait, f KeyFlaw, depth int) {
	if n.Entity != "" && f.Entity == "" {
		f.Entity = n.Entity
	}
	if !fromParams(ts) {
		if use.Dropped {
			f.Kind = effect.Unkeyed
			k.note(g, n, use, f)
			return
		}
		kinds := k.settle(g, ts, 0)
		for _, kind := range []effect.TraitKind{effect.Unkeyed, effect.MadeKey, effect.ConstKey} {
			if all(kinds, kind) {
				f.Kind, f.Ignored = kind, false
				k.note(g, n, use, f)
				return
			}
		}
		if f.Ignored && all(kinds, effect.Keyed) {
			f.Kind = effect.Keyed
			k.note(at.g, at.n, use, f)
		}
		return
	}
	if len(ts) != 1 || depth >= maxKeyCalls {
		return
	}
	f.Names = append(slices.Clone(f.Names), g.Name)
	for _, c := range k.callers[g.ID] {
		if c.g.pkg == nil || c.g == g {
			continue
		}
		if above := k.argument(c.n, ts[0]); above != nil {
			k.decide(at, c.g, c.n, use, above, f, depth+1)
		}
	}
}

// argument is what a call gives for a parameter that is the key, or carries it; nil if that is not known.
func (k *keyUses) argument(n *effect.Node, t effect.Trait) []effect.Trait {
	if !t.Whole {
		for _, a := range n.Traits {
			if a.Arg == t.Index && !a.Writer {
				return a.Traits
			}
		}
		return nil
	}
	for _, s := range n.Said {
		if s.Arg == t.Index && s.Field == "" && s.Text == "" {
			return []effect.Trait{{Kind: effect.Unkeyed}}
		}
	}
	var out []effect.Trait
	for _, part := range partsOf(n, t.Index) {
		switch {
		case part.Field != "":
			return nil
		case part.From.Kind == effect.MadeSource:
			return []effect.Trait{{Kind: effect.MadeKey}}
		case part.From.Kind == effect.ParamSource && part.From.Field == "":
			out = append(out, effect.Trait{Kind: effect.FromParam, Index: part.From.Index, Whole: true})
		case part.From.Kind == effect.ResultSource && part.From.Field == "":
			out = append(out, effect.Trait{Kind: effect.FromCall, Node: part.From.Node, Index: part.From.Index, Whole: true})
		default:
			return nil
		}
	}
	return out
}

// settle says what traits come to in a function, parameters left aside as something that is not known.
func (k *keyUses) settle(g *graph, ts []effect.Trait, depth int) []effect.TraitKind {
	var out []effect.TraitKind
	for _, t := range ts {
		switch {
		case depth > maxKeyCalls:
			out = append(out, effect.Keyed)
		case t.Kind == effect.FromCell:
			out = append(out, k.cell(t, depth)...)
		case t.Kind == effect.FromCall && t.Whole:
			out = append(out, k.keyFrom(g, t))
		case t.Kind == effect.FromCall:
			out = append(out, k.result(g, t, depth)...)
		case t.Kind == effect.FromParam:
			out = append(out, k.param(g, t, depth)...)
		default:
			out = append(out, t.Kind)
		}
	}
	return out
}

// cell is what the functions of the program put into a place.
func (k *keyUses) cell(t effect.Trait, depth int) []effect.TraitKind {
	var out []effect.TraitKind
	for _, h := range k.cells[t.Cell] {
		if h.g.pkg == nil || !h.g.pkg.Harness {
			out = append(out, k.settle(h.g, h.traits, depth+1)...)
		}
	}
	if len(out) == 0 {
		return []effect.TraitKind{effect.Keyed}
	}
	return out
}

// param is what the callers hand in.
func (k *keyUses) param(g *graph, t effect.Trait, depth int) []effect.TraitKind {
	var out []effect.TraitKind
	for _, c := range k.callers[g.ID] {
		for _, a := range c.n.Traits {
			if a.Arg == t.Index && !t.Whole && (c.g.pkg == nil || !c.g.pkg.Harness) {
				out = append(out, k.settle(c.g, a.Traits, depth+1)...)
			}
		}
	}
	if len(out) == 0 {
		return []effect.TraitKind{effect.Keyed}
	}
	return out
}

// result is what the function that is called gives.
func (k *keyUses) result(g *graph, t effect.Trait, depth int) []effect.TraitKind {
	n := g.node(t.Node)
	if n == nil || t.Index != 0 {
		return []effect.TraitKind{effect.Keyed}
	}
	var out []effect.TraitKind
	for _, id := range k.p.staticTargets(n) {
		callee := k.p.byID[id]
		if callee == nil {
			continue
		}
		for _, r := range callee.ResultTraits {
			if r.Kind != effect.FromParam {
				out = append(out, k.settle(callee, []effect.Trait{r}, depth+1)...)
			} else if above := k.argument(n, r); above != nil {
				out = append(out, k.settle(g, above, depth+1)...)
			} else {
				out = append(out, effect.Keyed)
			}
		}
	}
	if len(out) == 0 {
		return []effect.TraitKind{effect.Keyed}
	}
	return out
}

// keyFrom is a key that a function gives.
func (k *keyUses) keyFrom(g *graph, t effect.Trait) effect.TraitKind {
	n := g.node(t.Node)
	if n == nil {
		return effect.Keyed
	}
	for _, id := range k.p.staticTargets(n) {
		callee := k.p.byID[id]
		if callee == nil || t.Index >= len(callee.ResultFrom) {
			return effect.Keyed
		}
		for _, s := range callee.ResultFrom[t.Index] {
			if s.Kind == effect.MadeSource {
				return effect.MadeKey
			}
		}
	}
	return effect.Keyed
}
