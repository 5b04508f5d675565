package flow

type summaryKey struct {
	frame *frame
	st    State
	entry facts
}

// A summary is what running a function from one state does.
type summary struct {
	exits  []exit
	escs   []escalation
	scope  uint8             // the depth of transactions that it was entered with
	wit    witnesses         // those that it was entered with
	forked map[string][]Mark // by outcomes, once it is done
	done   bool
	reused bool // it was asked for while it was being computed
}

type exit struct {
	st       State
	outcomes string // by result
	cells    facts  // of captured variables, by free variable number
	wit      witnesses
}

// maxExits bounds the ways in which a call can end.
const maxExits = 24

func (e *engine) addExit(s *summary, x exit) {
	for i := range s.exits {
		if o := &s.exits[i]; o.st == x.st && o.outcomes == x.outcomes && o.cells == x.cells {
			e.gather(&o.wit, &x.wit)
			return
		}
	}
	if len(s.exits) < maxExits {
		s.exits = append(s.exits, x)
	}
}

// An escalation is a window whose first end lies in a caller.
type escalation struct {
	kind  string
	mark  Mark
	later *Witness
	where Where
	bits  uint16
	// claimed says that a callee has a window of its own with the same later end.
	claimed bool
}

// maxEscalations bounds what a function tells its callers: the first few steps say enough.
const maxEscalations = 12

func (s *summary) escalate(esc escalation, each bool) {
	if each {
		s.escalateEach(esc)
		return
	}
	if len(s.escs) >= maxEscalations {
		return
	}
	for _, o := range s.escs {
		if o.kind == esc.kind && o.mark == esc.mark && o.later.Node == esc.later.Node && (esc.claimed || !o.claimed) {
			return
		}
	}
	s.escs = append(s.escs, esc)
}

// maxEach bounds the same for rules that tell windows apart by their innermost steps.
const maxEach = 96

func (s *summary) escalateEach(esc escalation) {
	if len(s.escs) >= maxEach {
		return
	}
	leaf := esc.later.Stem().Node
	for _, o := range s.escs {
		if o.kind == esc.kind && o.mark == esc.mark && o.bits == esc.bits && o.later.Node == esc.later.Node && o.later.Stem().Node == leaf {
			return
		}
	}
	s.escs = append(s.escs, esc)
}
