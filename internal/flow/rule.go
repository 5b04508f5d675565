package flow

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// A Rule is an automaton over the effects of a path.
type Rule struct {
	Name string
	// Step sees each event in order and changes the state.
	Step func(s *Step)
	// Starts chooses where the rule begins; nil means at every function that nothing calls, and all that these leave out.
	Starts func(p *Program) []effect.FuncID
	// Reads says that the rule sees reads, key-value stores, failures and tests as well, and that its hits are told apart
	// by the innermost step and by the state's bits.
	Reads bool
	// Acts says that the rule sees external steps, failures, goroutines, hand-offs, waits, what is given back, and the ends of
	// functions as well.
	Acts bool
	// Forked, for a rule with Reads, is given the states' bits with which a call can end for one set of outcomes, and gives
	// the marks about whose answer the caller can tell nothing: the call comes back the same whatever it was.
	Forked func(bits []uint16) []Mark
	// Gathers are the marks of which the steps of all paths are remembered where paths meet, and not only one path's.
	Gathers []Mark
	// Answers say which of the state's bits belong to a mark: they tell nothing where it is not set.
	Answers []Answer
	// Claims reports whether what a step did is enough to say that a later publish announces it, so that the callers'
	// windows which end at the same publish are weaker.
	Claims func(w *Witness) bool
}

// EventKind says what happened.
type EventKind uint8

// The events that rules see.
const (
	Opened     EventKind = iota // a transaction was begun
	Committed                   // the innermost transaction was committed
	RolledBack                  // the innermost transaction was rolled back, or its function ended without a commit
	Wrote                       // rows were changed
	Enqueued                    // an event or job was written through a transaction: an outbox row
	Published                   // an event or job was given to a broker
	Received                    // a message was taken from a broker: a new unit of work
	Acked                       // a message was confirmed
)

// The events that only rules with Reads see.
const (
	Entered    EventKind = iota + Acked + 1 // a function that the rule starts at has begun
	Looked                                  // rows were read, or a key was looked up
	Missed                                  // a read failed, or found nothing
	Refused                                 // a write failed, or met a row that was there
	Claimed                                 // a key was checked and recorded in one step, in a key-value store
	Remembered                              // a key was recorded in a key-value store
	Counted                                 // a key-value store was added to
	Tested                                  // a branch was taken
	Left                                    // a call has come back
	Sifted                                  // a round of a loop ends that keeps or drops an item by what Cond has looked at
	Sorted                                  // a round ends that puts an item into one place or another by it
	Launched                                // a goroutine was started that publishes
	Handed                                  // a function that was handed in is called with data: somebody else's work
	Once                                    // a library begins, or ends (Side), what it does once for each message
)

// The events that only rules with Acts see.
const (
	Acted   EventKind = iota + Handed + 1 // something outside was changed, or a key in a key-value store
	Failed                                // a step that changes something has failed
	Nothing                               // nothing was received
	Nacked                                // a message was given back
	Passed                                // work was handed to whoever receives from a channel
	Waited                                // work that was started elsewhere was waited for
	Kept                                  // what has failed was kept for later, or ends the process
	Spawned                               // a goroutine was started; Side says that the path is the goroutine's
	Decided                               // a branch was taken that tells kinds of failures apart, or counts attempts
	Ended                                 // a function returns; Outcome is that of its errors
)

// Where says how an effect's handle relates to the open transaction.
type Where uint8

// The places of an effect.
const (
	Outside Where = iota // no transaction is open, or the effect is on another database
	Inside               // through the open transaction
	Escaped              // past the open transaction, on the same database
	Likely               // past the open transaction, on what is likely the same database
	Unclear              // a transaction is open and the handle is not known
)

// An Event is one step as a rule sees it.
type Event struct {
	Kind   EventKind
	Where  Where
	Effect *effect.Effect
	// Outbox says that the table written holds events to be published.
	Outbox bool
	// Cond is what a branch has looked at, Side which way it went.
	Cond *effect.Cond
	Side bool
	// Outcome is how a function ends: Zero without an error, NonZero with one.
	Outcome effect.Outcome
	// Forked are the marks that a call which has come back leaves undecided.
	Forked []Mark
}

// Step is a rule's view of one event: what is remembered, and what to do about it.
type Step struct {
	Event
	State *State

	e    *engine
	f    *frame
	sum  *summary
	path *path
	// node is the step, nil at the end of the function; at its witness, once anybody wants it.
	node    *effect.Node
	at      *Witness
	handled bool
}

// witness is this step as something that is remembered: most steps are not.
func (s *Step) witness() *Witness {
	if s.at == nil {
		s.at = &Witness{Graph: s.f.g.Graph, Pkg: s.f.g.pkg, Node: s.node, Effect: s.Effect, Handled: s.handled}
	}
	return s.at
}

// Has reports whether a mark is set.
func (s *Step) Has(m Mark) bool { return s.State.live(m) }

// HasOwn reports whether the function itself, or what it has called, has set a mark.
func (s *Step) HasOwn(m Mark) bool { return s.State.own&bit(m) != 0 && s.State.mute[m] == 0 }

// Set sets a mark; this step is its witness.
func (s *Step) Set(m Mark) {
	if s.State.own&bit(m) == 0 {
		s.path.wit[m] = nil
	}
	s.State.own |= bit(m)
	s.State.told &^= bit(m)
	s.State.mute[m] = 0
	s.path.wit.add(m, s.witness())
}

// Become sets mark to because of what mark from stood for: a commit makes writes durable. The witness keeps both.
func (s *Step) Become(from, to Mark) {
	s.Gather(from)
	s.Set(to)
	s.Clear(from)
}

// Gather makes what set a mark part of this step's witness.
func (s *Step) Gather(m Mark) {
	w := s.witness()
	w.Writes = append(w.Writes, s.path.wit[m]...)
}

// Carry sets mark to by the steps that have set mark from.
func (s *Step) Carry(from, to Mark) {
	own, inherited := s.State.own&bit(from) != 0, s.State.inherited&bit(from) != 0
	s.State.clear(to)
	if own {
		s.State.own |= bit(to)
	}
	if inherited {
		s.State.inherited |= bit(to)
	}
	s.State.mute[to] = s.State.mute[from]
	s.path.wit[to] = s.path.wit[from]
	s.Clear(from)
}

// Handles reports whether the function handles messages.
func (s *Step) Handles() bool { return s.f.g.handler != "" && s.f.g.given }

// Clear forgets a mark.
func (s *Step) Clear(m Mark) {
	s.State.clear(m)
	s.path.wit[m] = nil
}

// Tests reports whether a branch of this function looks at the result of the step that set a mark.
func (s *Step) Tests(m Mark) bool {
	if s.Cond == nil || !s.State.live(m) {
		return false
	}
	g := s.f.g
	return slices.ContainsFunc(s.path.wit[m], func(w *Witness) bool {
		return w.Graph == g.Graph && resultOf(g.Graph, s.Cond.Data, w.Node)
	})
}

// Asked says what the function does with the results of the step: whether conditions look at them, and the words of
// these, and whether it returns them.
func (s *Step) Asked() (looked bool, words []string, returned bool) {
	if s.f.g.pkg == nil {
		return false, nil, true // a library's method behind an interface of the program's own hands on what it reads
	}
	if s.node == nil {
		return false, nil, false
	}
	a := s.f.g.askedAbout(s.node)
	return a.looked, a.words, a.returned
}

// Came reports whether the step that set a mark last is this one: a call that has come back.
func (s *Step) Came(m Mark) bool {
	ws := s.path.wit[m]
	return len(ws) > 0 && ws[len(ws)-1].Node == s.node && ws[len(ws)-1].Graph == s.f.g.Graph
}

// Writes reports whether a table can be written from where the rule has started.
func (s *Step) Writes(table string) bool { return s.e.p.writtenFrom(s.e.start)[table] }

// Depth is how many calls away the step is that set a mark last: see [Witness.Depth].
func (s *Step) Depth(m Mark) int {
	if ws := s.path.wit[m]; len(ws) > 0 {
		return ws[len(ws)-1].Depth()
	}
	return 0
}

// Records reports whether a record of a message can be reached from where the rule has started, as it has said in Starts.
func (s *Step) Records() bool { return s.e.p.Records[s.e.start] }

// Latest gives the innermost effect of the step that set a mark last, or nil.
func (s *Step) Latest(m Mark) *effect.Effect {
	if ws := s.path.wit[m]; len(ws) > 0 {
		return ws[len(ws)-1].Leaf().Effect
	}
	return nil
}

// Report announces a window of the given kind between what set the mark and this step. What the function itself has set
// is reported here; what a caller has set is reported by that caller.
func (s *Step) Report(kind string, m Mark) {
	if s.State.own&bit(m) != 0 && s.State.mute[m] == 0 {
		s.e.announce(s.f, s.path, escalation{kind: kind, mark: m, where: s.Where, bits: s.State.Bits}, s.witness())
	}
	if s.State.inherited&bit(m) != 0 && s.State.mute[m] == 0 {
		s.sum.escalate(escalation{kind: kind, mark: m, later: s.witness(), where: s.Where, bits: s.State.Bits, claimed: s.e.claims(s.path, m)}, s.e.rule.Reads)
	}
}

// claims reports whether the function itself has set a mark by a step that the later end of a window belongs to.
func (e *engine) claims(p *path, m Mark) bool {
	if p.st.own&bit(m) == 0 || p.st.mute[m] != 0 || e.rule.Claims == nil {
		return false
	}
	return slices.ContainsFunc(p.wit[m], e.rule.Claims)
}

// A Hit is a window that a rule found, before it is judged.
type Hit struct {
	Kind         string
	Graph        *effect.Graph
	Pkg          *effect.Package
	First, Later *Witness
	Where        Where
	// Bits are the state's bits at the later end.
	Bits uint16
	// Related says that the two ends share data, or that nobody can tell.
	Related bool
	// Relay says that what is published was read from the rows that are written; not told to rules with Reads.
	Relay bool
	// Claimed says that a nearer window ends at the same step: what is published there announces something else.
	Claimed bool
}
