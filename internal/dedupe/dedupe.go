// Package dedupe finds out what the handlers of a program do about a message that they have seen before.
//
// One automaton walks every handler: it remembers which check or record of the message is in force, in the open
// transaction or outside it, and how the code has looked at the answer. [Judge] then says of each change that doubles
// when it is made again whether something holds the second delivery back, and what is wrong with what tries to. The
// checks increment and inboxorder each take their part of these verdicts, so that one window is one finding.
package dedupe

import (
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// Rule is the automaton. Both checks list it; a program runs it once.
var Rule = &flow.Rule{Name: "dedupe", Step: step, Starts: starts, Reads: true, Forked: forked, Gathers: []flow.Mark{changed},
	Answers: []flow.Answer{{Mark: inner, Bits: 7<<innerShift | 3<<firstShift}, {Mark: outer, Bits: 7<<outerShift | keyBit}}}

// The kinds of hits.
const (
	doesKind  = "does"  // the handler of a message changes something
	innerKind = "inner" // a change after a check or record in the same transaction
	outerKind = "outer" // a change after a check or record elsewhere
	lateKind  = "late"  // a record after a change, not in the change's transaction
	tailKind  = "tail"  // a record that nobody looks at after a change
	againKind = "again" // a record after a check of the same kind elsewhere
)

// The marks.
const (
	unit    flow.Mark = iota // a message is being handled
	inner                    // a check or record through the open transaction
	outer                    // a check or record elsewhere
	changed                  // something was changed that doubles when it is done again
)

// A side says what is known of the answer of the check or record in force. Three of the state's bits hold the inner one's,
// three the outer one's.
type side uint8

// The sides.
const (
	absent   side = iota // nothing is in force
	untested             // it succeeded and nobody has looked at what it found
	yes                  // the branch on which the condition holds
	no                   // the other one
	failed               // it failed, or found nothing
	failedYes
	failedNo
	sifted // a loop has kept what it allows, and dropped the rest
)

const (
	innerShift = 0
	outerShift = 3
	// openBit says that the open transaction has changes, durableBit that there are some outside it.
	openBit    = 1 << 6
	durableBit = 1 << 7
	// keyBit says that the outer check or record is in a key-value store. An interface can stand for one in a store of keys
	// and one in a table: they are judged differently, so that their paths must not meet.
	keyBit = 1 << 8
	// firstShift is where two bits hold the side on which the first branch on the inner one's answer has left, once a later
	// branch has left on the other: whoever has returned for the first answer may ask the row for many other things.
	firstShift = 9
	// onceBit says that a library lets nothing happen here a second time for the same message.
	onceBit = 1 << 11
)

// noteStore notes where the outer check or record is, whenever it may be another one.
func noteStore(s *flow.Step) {
	s.State.Bits &^= keyBit
	if e := s.Latest(outer); e != nil && isKey(e.Kind) {
		s.State.Bits |= keyBit
	}
}

func step(s *flow.Step) {
	switch s.Kind {
	case flow.Entered, flow.Received:
		begin(s)
	case flow.Opened:
		if s.State.Scope == 1 {
			drop(s, inner, innerShift)
		}
	case flow.Committed:
		ended(s, true)
	case flow.RolledBack:
		ended(s, false)
	case flow.Looked, flow.Missed:
		looked(s)
	case flow.Wrote:
		wrote(s)
	case flow.Refused:
		if isRecord(s.Effect) {
			enforce(s, failed)
		}
	case flow.Claimed:
		if looked, _, returned := s.Asked(); looked || returned {
			recorded(s)
		}
	case flow.Remembered:
		remembered(s)
	case flow.Acked:
		if s.Where == flow.Inside && s.Has(unit) { // it shares the fate of the changes of its transaction
			s.Report(doesKind, unit)
		}
	case flow.Counted, flow.Published, flow.Enqueued, flow.Handed:
		does(s)
	case flow.Once:
		s.State.Bits &^= onceBit
		if !s.Side {
			s.State.Bits |= onceBit
		}
	case flow.Left:
		left(s, inner, innerShift)
		left(s, outer, outerShift)
	case flow.Tested:
		tested(s, inner, innerShift)
		tested(s, outer, outerShift)
	case flow.Sifted, flow.Sorted:
		sifts(s, inner, innerShift)
		sifts(s, outer, outerShift)
	}
}

// begin is a new message: what was done for the last one is past.
func begin(s *flow.Step) {
	for _, m := range []flow.Mark{inner, outer, changed} {
		s.Clear(m)
	}
	s.State.Bits = 0
	if s.Kind == flow.Received || s.Handles() {
		s.Set(unit)
	}
}

func drop(s *flow.Step, m flow.Mark, shift int) {
	s.Clear(m)
	put(s, shift, absent)
	noteStore(s)
}

// ended makes what was checked or recorded in a transaction something that lies behind.
func ended(s *flow.Step, committed bool) {
	if s.State.Scope > 1 {
		return
	}
	if s.State.Bits&openBit != 0 && committed {
		s.State.Bits |= durableBit
	}
	s.State.Bits &^= openBit
	if at := get(s.State.Bits, innerShift); committed && at != absent && s.Has(inner) && !(s.Has(outer) && strength(s.Latest(outer)) > strength(s.Latest(inner))) {
		s.Clear(outer)
		s.Carry(inner, outer)
		put(s, outerShift, at)
	}
	drop(s, inner, innerShift) // and notes the store
}

// looked is a check, if what is read can tell whether the message was seen before.
func looked(s *flow.Step) {
	e := s.Effect
	taken := s.Where == flow.Inside && takes(e)
	if e.Polls && Polls(e) {
		begin(s)
		s.Set(unit)
		if taken {
			enforce(s, untested)
		}
		return
	}
	if !taken && (e.Polls && !IsStore(e) || !worthAsking(s, e)) {
		return
	}
	v := untested
	if s.Kind == flow.Missed {
		v = failed
	}
	enforce(s, v)
}

// takes reports whether a read in a transaction takes rows of a queue that nobody else gets while the transaction is open.
func takes(e *effect.Effect) bool { return e != nil && e.Polls && e.Locks }

// worthAsking reports whether somebody may ask a check whether the message was seen before.
func worthAsking(s *flow.Step, e *effect.Effect) bool {
	if strength(e) == strong && e.Kind == model.Read {
		return true
	}
	if strength(e) == weak && (!s.Has(unit) || e.Table == "" || !s.Writes(e.Table)) {
		return false
	}
	return asked(s, e)
}

// asked reports whether the function looks at the answer of a check in a way that can mean the message, or returns it.
func asked(s *flow.Step, e *effect.Effect) bool {
	looked, words, returned := s.Asked()
	if s.Where == flow.Inside && (slices.Contains(words, effect.NoneWord) || slices.Contains(words, effect.SomeWord)) {
		return true
	}
	return returned || looked && (strength(e) > weak || e.Exists || tellsState(words))
}

func isKey(k model.Effect) bool { return k == model.Lookup || k == model.Claim || k == model.Remember }

// place is where a check or record counts: in the open transaction or outside it.
func place(s *flow.Step) (flow.Mark, int) {
	if s.Where == flow.Inside {
		return inner, innerShift
	}
	return outer, outerShift
}

func wrote(s *flow.Step) {
	if isRecord(s.Effect) && !s.Outbox {
		recorded(s)
	} else {
		does(s)
	}
}

// recorded is a record of the message: too late if something was changed before it that does not share its fate.
func recorded(s *flow.Step) {
	if s.State.Bits&onceBit != 0 {
		return
	}
	durable := s.State.Bits&durableBit != 0
	if s.Kind != flow.Claimed && s.Has(changed) && !noRecord(s) && (durable || s.Where != flow.Inside) {
		s.Report(lateKind, changed)
	}
	if e := s.Effect; s.Has(changed) && isInsert(e) && e.Conflict && !e.Checked {
		s.Report(tailKind, changed)
	}
	if s.Has(outer) && s.Where != flow.Inside {
		s.Report(againKind, outer)
	}
	if s.Has(unit) {
		s.Report(doesKind, unit)
	}
	if s.Has(outer) {
		s.Report(outerKind, outer)
	}
	if s.Kind == flow.Remembered {
		return // the two are one: what was looked up and not found is put there
	}
	enforce(s, untested)
}

// remembered is a key that is put where it was looked up before; anything else fills a cache.
func remembered(s *flow.Step) {
	switch {
	case underKey(s):
		recorded(s)
	case s.Has(outer) && asksKey(s.Latest(outer)) && s.Has(unit): // looked up, put there, and then asked
		s.Report(doesKind, unit)
		s.Report(outerKind, outer)
	}
}

// stays reports whether what is in force is more likely to be about the message than what the step does: it is stronger,
// or it was looked at, and the step only touches some key.
func stays(s *flow.Step, m flow.Mark, shift int) bool {
	old := s.Latest(m)
	if old == nil || !s.Has(m) {
		return false
	}
	if m == inner && takes(old) && s.Effect.Kind == model.Read && !takes(s.Effect) {
		return strength(old) >= strength(s.Effect)
	}
	at := get(s.State.Bits, shift)
	decided := at != absent && at != untested && at != failed
	if e := s.Effect; decided && (isKey(e.Kind) && IsStore(old) || e.Kind == model.Read && m == inner && strength(e) == strength(old)) {
		return true
	}
	return strength(old) > strength(s.Effect)
}

// enforce makes a check or record what is in force.
func enforce(s *flow.Step, v side) {
	m, shift := place(s)
	if stays(s, m, shift) {
		return
	}
	s.Clear(m)
	s.Set(m)
	put(s, shift, v)
	noteStore(s)
}

// does is a change: what is in force when it is made decides whether a second delivery makes it again.
func does(s *flow.Step) {
	if s.State.Bits&onceBit != 0 {
		return
	}
	if s.Has(unit) && s.Kind != flow.Published && s.Kind != flow.Enqueued {
		s.Report(doesKind, unit)
	}
	if s.Has(inner) {
		s.Report(innerKind, inner)
	}
	if s.Has(outer) {
		s.Report(outerKind, outer)
	}
	if s.Kind == flow.Handed {
		if underKey(s) {
			s.State.Bits |= durableBit
			s.Set(changed)
		}
		return
	}
	if !doubles(s.Effect) && !mayStoreSum(s.Effect) || !s.Records() && !underKey(s) {
		return
	}
	if s.Where == flow.Inside && s.State.Scope > 0 {
		s.State.Bits |= openBit
	} else {
		s.State.Bits |= durableBit
	}
	s.Set(changed)
}

// underKey reports whether a key that was looked up and not found has led here.
func underKey(s *flow.Step) bool {
	at := get(s.State.Bits, outerShift)
	return s.Has(outer) && asksKey(s.Latest(outer)) && at != absent && at != untested
}

// mayStoreSum reports whether a write may put back what was read and added to: the judge finds out.
func mayStoreSum(e *effect.Effect) bool {
	return e != nil && e.Kind == model.Write && e.Verb == sqltext.Update && !e.Guarded
}

// doubles reports whether doing it twice can differ from doing it once, as far as the step itself tells.
func doubles(e *effect.Effect) bool {
	if e == nil {
		return false
	}
	switch e.Kind {
	case model.Count, model.Publish, model.Enqueue:
		return true
	case model.Write:
		return e.Increment && !e.Guarded || e.Verb == sqltext.Insert && !e.Conflict
	}
	return false
}
