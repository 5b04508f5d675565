package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/schema"
)

type resolvedKey struct {
	eff  *effect.Effect
	text int32
}

// resolve reads the statement of an effect whose SQL text the caller passes.
func (e *engine) resolve(f *frame, eff *effect.Effect) *effect.Effect {
	if len(eff.Text) == 0 {
		return eff
	}
	texts := e.p.values.atoms(e.p.values.only(e.p.eval(f, eff.Text), textAtom))
	if len(texts) != 1 {
		return eff
	}
	id := texts[0].id
	key := resolvedKey{eff, id}
	if r := e.p.resolved[key]; r != nil {
		return r
	}
	r := *eff
	r.Text = nil
	effect.ApplySQL(&r, e.p.values.texts[id])
	e.p.tell(&r)
	e.p.resolved[key] = &r
	return &r
}

// tell adds to an effect what the user says of its table. Singular and plural mean the same one, since an ORM's model
// may tell no more.
func (p *Program) tell(e *effect.Effect) {
	if e != nil && e.Table != "" {
		e.Inbox = slices.ContainsFunc(p.Options.Inbox, func(t string) bool { return schema.SameTable(t, e.Table) })
	}
}

// handsOn reports whether a function can leave a transaction open for its caller: it returns or stores one.
func (e *engine) handsOn(f *frame) bool {
	if f.handsOn == nil {
		hands := false
		for _, roots := range f.g.Returns {
			hands = hands || e.holdsTx(e.p.eval(f, roots), 0)
		}
		for _, st := range f.g.Stores {
			hands = hands || e.holdsTx(e.p.eval(f, st.Value), 0)
		}
		f.handsOn = &hands
	}
	return *f.handsOn
}

// holdsTx reports whether a value is or captures a transaction.
func (e *engine) holdsTx(v value, depth int) bool {
	for _, a := range e.p.values.atoms(v) {
		switch a.kind {
		case txAtom:
			return true
		case funcAtom:
			c := &e.p.values.closures[a.id]
			if e.p.values.sets[c.recv] != nil && depth < 3 && e.holdsTx(c.recv, depth+1) {
				return true
			}
			for _, env := range c.env {
				if depth < 3 && e.holdsTx(env, depth+1) {
					return true
				}
			}
		}
	}
	return false
}
