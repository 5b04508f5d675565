package flow

// An Answer is what a rule keeps about a mark in the state's bits.
type Answer struct {
	Mark Mark
	Bits uint16
}

// unanswer clears what is known of marks that a callee does not inherit: nobody could tell, and it would be entered once
// for each of the possibilities.
func (e *engine) unanswer(st *State) {
	for _, a := range e.rule.Answers {
		if !st.live(a.Mark) {
			st.Bits &^= a.Bits
		}
	}
}

// answerAgain puts back what was known of silent marks that a callee has not set itself.
func (e *engine) answerAgain(st, prev *State) {
	for _, a := range e.rule.Answers {
		if prev.mute[a.Mark] != 0 && st.own&bit(a.Mark) == 0 {
			st.Bits = st.Bits&^a.Bits | prev.Bits&a.Bits
		}
	}
}
