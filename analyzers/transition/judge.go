package transition

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// events are what changes a column of state: the handlers, and the places where they choose the state.
type events struct {
	handlers map[effect.FuncID]bool
	places   map[*effect.Node]bool
}

// group finds out how many events change each column of state: one that is alone overtakes nothing but itself.
func (j *judging) group(all []*change) {
	j.events, j.results = map[string]*events{}, map[effect.FuncID]bool{}
	for _, c := range all {
		if c.effect.Assign == nil || len(c.effect.Assign.Columns) == 0 || !j.setsState(c) {
			continue
		}
		for _, col := range c.effect.Assign.Columns {
			key := j.table(c) + " " + col
			if j.events[key] == nil {
				j.events[key] = &events{map[effect.FuncID]bool{}, map[*effect.Node]bool{}}
			}
			j.events[key].handlers[c.handler().ID] = true
			j.events[key].places[j.place(c).Node] = true
		}
		if j.ownResult(c) {
			j.results[c.handler().ID] = true
		}
	}
}

// several reports whether more than one kind of event changes the state.
func (j *judging) several(c *change) bool {
	return c.effect.Table != "" && slices.ContainsFunc(c.effect.Assign.Columns, func(col string) bool {
		e := j.events[j.table(c)+" "+col]
		return e != nil && len(e.handlers) > 1 && len(e.places) > 1
	})
}

func (j *judging) table(c *change) string {
	return j.programs.Of(c.write().Graph.Pkg) + " " + c.effect.Table
}

// judge reports a change whose handler does not look at what it takes the place of.
func (j *judging) judge(c *change) {
	a := c.effect.Assign
	if a == nil {
		a = &effect.Assign{}
	}
	if a.Now || len(a.Columns)+len(a.Version) > 0 && j.asksClock(c) {
		j.report(arrivalTime, c, c.write())
		return
	}
	if c.effect.Guarded || slices.ContainsFunc(c.effect.Where, asks) || j.guarded(c) {
		return
	}
	switch {
	case len(a.Columns) > 0 && j.fromMessage(c):
		j.report(blindAssign, c, j.place(c))
	case a.Document && a.Version != "" && !j.madeHere(c, a.Version):
		j.report(blindAssign, c, c.write())
	case j.aged(c) != nil:
		j.report(blindAssign, c, *j.aged(c))
	case len(a.Columns) > 0 && j.setsState(c) && j.several(c) && j.chosen(c) && !j.results[c.handler().ID]:
		j.report(blindAssign, c, j.place(c))
	}
}

// aged finds the function on the way that gives what it has read the version of the message.
func (j *judging) aged(c *change) *flow.Place {
	for i := range c.chain {
		if st := c.chain[i].Graph.States; st != nil && st.Aged {
			return &c.chain[i]
		}
	}
	return nil
}

// asks reports whether a condition on a column asks for a state or a version.
func asks(column string) bool { return effect.NamesState(column) || effect.NamesVersion(column) }

// asksClock reports whether a function on the way compares when the row was changed with the time right now.
func (j *judging) asksClock(c *change) bool {
	return slices.ContainsFunc(c.chain, func(pl flow.Place) bool { return pl.Graph.States != nil && pl.Graph.States.Now })
}

// guarded reports whether somebody on the way asks for the state of what is changed, or for its version.
func (j *judging) guarded(c *change) bool {
	for _, pl := range c.chain {
		if j.asks(pl.Graph, 2) {
			return true
		}
	}
	return false
}

// asks reports whether a function, or what it calls within some calls, asks for the state of anything but a message.
func (j *judging) asks(g *effect.Graph, depth int) bool {
	if depth == 2 {
		if known, ok := j.asked[g]; ok {
			return known
		}
	}
	found := g.States != nil && slices.ContainsFunc(g.States.Asked, func(name string) bool { return !j.isMessage(name) || j.mayBeRow(g, name) }) || reads(g)
	if !found && depth > 0 {
		found = slices.ContainsFunc(j.p.CalledIn(g), func(t *effect.Graph) bool { return j.asks(t, depth-1) })
	}
	if depth == 2 {
		j.asked[g] = found
	}
	return found
}

// mayBeRow reports whether a type that messages are decoded into may be that of a row, too, which the function has read.
func (j *judging) mayBeRow(g *effect.Graph, name string) bool {
	short := sqltext.Snake(name[strings.LastIndexByte(name, '.')+1:])
	if slices.ContainsFunc(messageWords, func(w string) bool { return strings.HasSuffix(short, w) }) {
		return false
	}
	any := func(*effect.Effect) bool { return true }
	return readsRows(g, any) || slices.ContainsFunc(j.p.CalledIn(g), func(t *effect.Graph) bool { return readsRows(t, any) })
}

// reads reports whether a function reads rows of a certain state.
func reads(g *effect.Graph) bool {
	return readsRows(g, func(e *effect.Effect) bool { return slices.ContainsFunc(e.Where, asks) })
}

func readsRows(g *effect.Graph, asked func(e *effect.Effect) bool) bool {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if e := g.Blocks[b].Nodes[i].Effect; e != nil && e.Kind == model.Read && asked(e) {
				return true
			}
		}
	}
	return false
}

// isMessage reports whether a type is that of a message: bytes are decoded into it, or its name says so.
func (j *judging) isMessage(name string) bool {
	short := sqltext.Snake(name[strings.LastIndexByte(name, '.')+1:])
	ends := func(w string) bool { return short == w || strings.HasSuffix(short, "_"+w) }
	switch {
	case name == "" || slices.ContainsFunc(answerWords, ends):
		return false
	case j.messages[name]:
		return true
	}
	return slices.ContainsFunc(messageWords, ends)
}

// answerWords end the names of types that another service answers with: what it says is how things are now.
var answerWords = []string{"response", "resp", "result", "reply", "answer", "res"}

var messageWords = []string{"event", "message", "msg", "payload", "command", "notification", "envelope", "delivery"}

// fromMessage reports whether the state is read from a message on the way.
func (j *judging) fromMessage(c *change) bool {
	return slices.ContainsFunc(c.chain, func(pl flow.Place) bool { return slices.ContainsFunc(pl.Node.StatesFrom, j.isMessage) })
}

// chosen reports whether the handler may choose the state: it is not read from what was found out on the way.
func (j *judging) chosen(c *change) bool {
	found := false
	for _, pl := range c.chain {
		if pl.Node.StateWord || j.assigns(pl.Graph) {
			return true
		}
		found = found || len(pl.Node.StatesFrom) > 0
	}
	return !found
}

// setsState reports whether the change is about the state, and does not only write it along with the rest of a row.
func (j *judging) setsState(c *change) bool {
	if c.effect.Assign.Narrow {
		return true
	}
	return slices.ContainsFunc(c.chain, func(pl flow.Place) bool { return j.assigns(pl.Graph) })
}

// assigns reports whether a function, or one that it calls, assigns a state to something that is no message.
func (j *judging) assigns(g *effect.Graph) bool {
	set := func(g *effect.Graph) bool {
		return g.States != nil && slices.ContainsFunc(g.States.Set, func(name string) bool { return !j.isMessage(name) })
	}
	return set(g) || slices.ContainsFunc(j.p.CalledIn(g), set)
}

// madeHere reports whether a field of what is written is the time right now.
func (j *judging) madeHere(c *change, field string) bool {
	return slices.ContainsFunc(c.chain, func(pl flow.Place) bool {
		return slices.ContainsFunc(pl.Node.Parts, func(part effect.Part) bool {
			return part.From.Kind == effect.MadeSource && sqltext.Snake(part.Field) == sqltext.Snake(field)
		})
	})
}

// ownResult reports whether a handler writes the state because work of its own has failed: it keeps books of that.
func (j *judging) ownResult(c *change) bool {
	for _, pl := range c.chain {
		for _, ctl := range flow.ControlsOf(pl.Graph, pl.Block) {
			if pl.Graph.Blocks[ctl.Block].Cond.Asks.Holds(effect.FailedTrue, ctl.Side) {
				return true
			}
		}
	}
	return false
}

// place is where the state is chosen: the outermost step that is given it as a word or out of a message, or that stands
// where it is assigned; else the write.
func (j *judging) place(c *change) flow.Place {
	for i := len(c.chain) - 1; i > 0; i-- {
		pl := c.chain[i]
		if pl.Graph.Parent != "" && i == 0 {
			break
		}
		if pl.Node.StateWord || slices.ContainsFunc(pl.Node.StatesFrom, j.isMessage) || j.assigns(pl.Graph) {
			return pl
		}
	}
	return c.write()
}

// tableWords are parts of the names of tables whose states are steps of the program's own work.
var tableWords = []string{"outbox", "inbox", "message", "event", "job", "task", "queue", "log", "audit", "histor", "attempt", "session", "lock", "lease",
	"relay", "processed", "idempot", "dedup", "webhook", "notification", "deliver", "email", "import", "export", "upload", "batch", "run", "step", "saga",
	"workflow", "execution", "schedule", "worker", "node", "heartbeat", "offset", "checkpoint", "migration"}

// bookkeeping reports whether a write keeps books of the program's own work.
func bookkeeping(p *flow.Program, e *effect.Effect) bool {
	table := sqltext.Snake(e.Table)
	return e.Inbox || p.Outboxes[e.Table] || slices.ContainsFunc(tableWords, func(w string) bool { return strings.Contains(table, w) })
}

// jobWords are names of libraries whose messages are jobs: each is about work of its own, and none overtakes another.
var jobWords = []string{"asynq", "riverqueue", "river.", "temporal", "cadence", "machinery", "gocraft", "work.Job", "faktory", "gue.", "gue/", "taskq", "neoq", "que.Job"}

func isJob(reason string, messages []string) bool {
	return slices.ContainsFunc(jobWords, func(w string) bool {
		return strings.Contains(reason, w) || slices.ContainsFunc(messages, func(m string) bool { return strings.Contains(m, w) })
	})
}
