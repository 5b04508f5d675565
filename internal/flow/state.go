package flow

import "github.com/dmlint/dmlint/internal/effect"

// A Mark is one thing that a rule remembers: that a transaction is dirty, that something was committed, that something
// was published. A rule has at most MaxMarks of them.
type Mark uint8

// MaxMarks is the number of marks that a state has room for.
const MaxMarks = 4

// A State is all that a rule knows at one point of a path. It is comparable, so that paths meet again; what set a mark
// is kept beside it.
type State struct {
	// Scope is 0 outside a transaction, 1 inside one, 2 inside a second, independent one.
	Scope uint8
	// Foreign says that the transaction was begun by a caller that is not in sight.
	Foreign bool
	// Handling says that a message has been received and not yet confirmed: a crash brings it back.
	Handling bool
	// Base is the class of the database that the transaction was begun on.
	Base int32
	// Bits belong to the rule.
	Bits uint16
	// Own are the marks that the function itself has set, Inherited those that its callers had set; Told are own marks
	// about which something has been reported.
	own, inherited, told uint8
	// mute holds, by mark, the loop whose earlier round set it: it is silent until the loop is left.
	mute [MaxMarks]uint8
}

func bit(m Mark) uint8 { return 1 << m }

// live reports whether a mark is set and not silent.
func (s *State) live(m Mark) bool { return (s.own|s.inherited)&bit(m) != 0 && s.mute[m] == 0 }

func (s *State) clear(m Mark) {
	s.own &^= bit(m)
	s.inherited &^= bit(m)
	s.told &^= bit(m)
	s.mute[m] = 0
}

// goRound silences what earlier rounds of a loop did; leave makes it heard again.
func (s *State) goRound(loop int) {
	for m := range s.mute {
		if s.mute[m] == 0 && (s.own|s.inherited)&(1<<m) != 0 {
			s.mute[m] = uint8(min(loop, 255))
		}
	}
}

func (s *State) leave(loops []int) {
	for m := range s.mute {
		for _, l := range loops {
			if s.mute[m] == uint8(min(l, 255)) {
				s.mute[m] = 0
			}
		}
	}
}

// enter is the state in which a callee begins: what is set now was set by a caller. A closure that came in as a
// parameter is entered as it is, since it belongs to whoever handed it over.
func (s State) enter(keep bool) State {
	for m := range s.mute {
		if s.mute[m] != 0 {
			s.own &^= 1 << m
			s.inherited &^= 1 << m
			s.mute[m] = 0
		}
	}
	s.told = 0
	if !keep {
		s.inherited |= s.own
		s.own = 0
	}
	return s
}

// A Witness is the step that set a mark: a node of a function and, below a call, the step in the callee.
type Witness struct {
	Graph *effect.Graph
	Pkg   *effect.Package
	Node  *effect.Node
	Sub   *Witness
	// Writes are the writes that a commit made durable.
	Writes []*Witness
	// Effect is what the innermost step does.
	Effect *effect.Effect
	// Handled says that the step happened while a message was being handled that a crash brings back.
	Handled bool
	// Dropped says that the step's function returned without an error although the step had failed, for rules that say so.
	Dropped bool
}

// Leaf is the innermost step.
func (w *Witness) Leaf() *Witness {
	for w.Sub != nil {
		w = w.Sub
	}
	return w
}

// Depth is how many calls of the program lie between a step and what it does in the end. Closures, and functions that run
// a closure which they are given, lie in between without being a step of their own.
func (w *Witness) Depth() int {
	n := 0
	for ; w != nil && w.Pkg != nil; w = w.Sub {
		if w.Graph.Parent == "" && !w.Graph.RunsClosure() {
			n++
		}
	}
	return n
}

// Stem is the innermost step that stands in the program's own code: a method of a library that is called through an
// interface is a step of many functions.
func (w *Witness) Stem() *Witness {
	stem := w
	for ; w != nil; w = w.Sub {
		if w.Pkg != nil {
			stem = w
		}
	}
	return stem
}

// sameStep reports whether two witnesses are one step, and lead to one step.
func (w *Witness) sameStep(o *Witness) bool {
	return w.Graph == o.Graph && w.Node == o.Node && w.Stem().Node == o.Stem().Node
}

// maxWitnesses bounds how many steps that set the same mark are kept: the latest ones.
const maxWitnesses = 6

type witnesses [MaxMarks][]*Witness

func (ws *witnesses) add(m Mark, w *Witness) {
	old := ws[m]
	if len(old) >= maxWitnesses {
		old = old[1:]
	}
	ws[m] = append(old[:len(old):len(old)], w)
}

// facts are the outcomes that a path has proved: three bytes for each variable, in order.
type facts string

func (f facts) find(v effect.Var) (i int, found bool) {
	for i = 0; i < len(f); i += 3 {
		if u := effect.Var(f[i])<<8 | effect.Var(f[i+1]); u >= v {
			return i, u == v
		}
	}
	return len(f), false
}

func (f facts) get(v effect.Var) effect.Outcome {
	if i, ok := f.find(v); ok {
		return effect.Outcome(f[i+2])
	}
	return effect.Unknown
}

func (f facts) set(v effect.Var, o effect.Outcome) facts {
	if v == 0 {
		return f
	}
	i, ok := f.find(v)
	switch {
	case ok && o == effect.Unknown:
		return f[:i] + f[i+3:]
	case ok && effect.Outcome(f[i+2]) == o, o == effect.Unknown:
		return f
	case ok:
		return f[:i+2] + facts([]byte{byte(o)}) + f[i+3:]
	}
	return f[:i] + facts([]byte{byte(v >> 8), byte(v), byte(o)}) + f[i:]
}

// restrict forgets the variables that nobody looks at any more.
func (f facts) restrict(live effect.Bits) facts {
	keep := true
	for i := 0; i < len(f); i += 3 {
		if !live.Has(int(f[i])<<8 | int(f[i+1])) {
			keep = false
			break
		}
	}
	if keep {
		return f
	}
	out := make([]byte, 0, len(f))
	for i := 0; i < len(f); i += 3 {
		if live.Has(int(f[i])<<8 | int(f[i+1])) {
			out = append(out, f[i:i+3]...)
		}
	}
	return facts(out)
}

func (f facts) operand(o effect.Operand) effect.Outcome {
	if o.Var == 0 {
		return o.Const
	}
	r := f.get(o.Var)
	if r == effect.Unknown {
		return o.Const
	}
	if o.Not {
		switch r {
		case effect.Zero:
			return effect.NonZero
		case effect.NonZero:
			return effect.Zero
		}
	}
	return r
}

// move applies assignments at once: all are read before any is made.
func (f facts) move(moves []effect.Move) facts {
	outs := make([]effect.Outcome, len(moves))
	for i, m := range moves {
		outs[i] = f.operand(m.From)
		if m.Or != (effect.Operand{}) {
			outs[i] = either(outs[i], f.operand(m.Or))
		}
	}
	for i, m := range moves {
		f = f.set(m.To, outs[i])
	}
	return f
}

func either(a, b effect.Outcome) effect.Outcome {
	switch {
	case a == effect.NonZero || b == effect.NonZero:
		return effect.NonZero
	case a == effect.Zero && b == effect.Zero:
		return effect.Zero
	}
	return effect.Unknown
}
