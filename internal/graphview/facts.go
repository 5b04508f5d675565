package graphview

import (
	"maps"

	"github.com/dmlint/dmlint/internal/effect"
)

// facts are the outcomes that a walk has proved.
type facts map[effect.Var]effect.Outcome

func (f facts) set(v effect.Var, o effect.Outcome) {
	switch {
	case v == 0:
	case o == effect.Unknown:
		delete(f, v)
	default:
		f[v] = o
	}
}

func (f facts) operand(o effect.Operand) effect.Outcome {
	if o.Var == 0 {
		return o.Const
	}
	r := f[o.Var]
	switch {
	case o.Not && r == effect.Zero:
		return effect.NonZero
	case o.Not && r == effect.NonZero:
		return effect.Zero
	}
	return r
}

// move applies assignments at once: all are read before any is made.
func (f facts) move(moves []effect.Move) {
	read := make([]effect.Outcome, len(moves))
	for i, m := range moves {
		read[i] = f.operand(m.From)
		if m.Or == (effect.Operand{}) || read[i] == effect.NonZero {
			continue
		}
		if or := f.operand(m.Or); or != effect.Zero {
			read[i] = or
		}
	}
	for i, m := range moves {
		f.set(m.To, read[i])
	}
}

// assume adds what a branch proves; false means that the branch cannot be taken.
func (f facts) assume(c effect.Cond, branch bool) bool {
	for _, t := range c.Tests {
		want, known := t.False, effect.Zero
		if branch {
			want = t.True
		}
		if t.Var != 0 {
			known = f[t.Var]
		}
		if want != effect.Unknown && known != effect.Unknown && known != want {
			return false
		}
		if want != effect.Unknown {
			f.set(t.Var, want)
		}
	}
	return true
}

// restrict forgets what nobody looks at any more, so that walks meet again.
func (f facts) restrict(live effect.Bits) {
	maps.DeleteFunc(f, func(v effect.Var, _ effect.Outcome) bool { return !live.Has(int(v)) })
}
