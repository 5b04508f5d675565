package evidence

import (
	"strings"

	"github.com/dmlint/dmlint/internal/dedupe"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// use is what a program does with a table of events or messages.
type use struct {
	outbox, inbox           bool
	written, polled, pruned []flow.Site
}

func (g *gatherer) use(table string) *use {
	if g.tables[table] == nil {
		g.tables[table] = &use{}
	}
	return g.tables[table]
}

// sites looks at every effect by itself.
func (g *gatherer) sites() {
	for _, s := range g.p.Sites() {
		switch e := s.Effect; e.Kind {
		case model.Begin, model.Run:
			g.note(Transaction, "a transaction is begun", "", s)
		case model.Publish:
			g.publish(s)
		case model.Enqueue:
			g.note(Outbox, "an event is put into the outbox of "+e.Symbol, "", s)
		case model.Write, model.Read:
			g.row(s)
		case model.Claim:
			if g.handled[s.Graph.ID] && !strings.HasPrefix(e.Symbol, effect.MapSymbol) && !strings.HasPrefix(e.Symbol, "(*sync.Map)") {
				g.note(Inbox, "a key is claimed for a message", "", s)
			}
		case model.Ack:
			g.note(Ack, "the message is confirmed", "", s)
		case model.Nack:
			g.note(Requeue, "the message is given back", "", s)
		case model.External:
			if g.handled[s.Graph.ID] {
				g.note(External, "something outside the database is changed", "", s)
			}
		}
	}
}

func (g *gatherer) publish(s flow.Site) {
	g.note(Publish, "an event is published", "", s)
	if keyed(s.Effect) {
		g.note(KeyedPublish, "an event is published to a log with keys", "", s)
	}
}

// row looks at a read or a write.
func (g *gatherer) row(s flow.Site) {
	e := s.Effect
	outbox, inbox := e.Table != "" && g.p.IsOutbox(e.Table), e.Table != "" && dedupe.IsStore(e)
	switch {
	case outbox:
		g.use(e.Table).outbox = true
	case inbox:
		g.use(e.Table).inbox = true
	default:
		if e.Kind == model.Write {
			g.state(s)
		}
		return
	}
	u := g.use(e.Table)
	switch {
	case e.Kind == model.Read:
		u.polled = append(u.polled, s)
	case e.Verb == sqltext.Delete:
		u.pruned = append(u.pruned, s)
	case e.Verb == sqltext.Insert || e.Verb == sqltext.Upsert:
		u.written = append(u.written, s)
	case e.Verb == sqltext.Update && e.Polls: // a claim by UPDATE ... RETURNING
		u.polled = append(u.polled, s)
	}
}

// state is a change of something that is neither an outbox nor an inbox.
func (g *gatherer) state(s flow.Site) {
	g.note(Write, "the state of "+named(s.Effect)+" is changed", s.Effect.Table, s)
	if !g.handled[s.Graph.ID] {
		return
	}
	if a := s.Effect.Assign; a != nil && len(a.Columns) > 0 {
		g.note(State, a.Columns[0]+" of "+named(s.Effect)+" is assigned", s.Effect.Table, s)
	}
	if s.Effect.Guarded {
		g.note(Guard, named(s.Effect)+" is changed under a condition", s.Effect.Table, s)
	}
}

func named(e *effect.Effect) string {
	if e.Table == "" || sqltext.HasHole(e.Table) {
		return "a row"
	}
	return e.Table
}
