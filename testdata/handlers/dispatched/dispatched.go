// Package dispatched holds what a handler looks up by the kind of message.
package dispatched

import (
	"context"
	"database/sql"
	"encoding/json"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Event struct {
	Kind, ID string
}

type Handler interface {
	Handle(ctx context.Context, e Event) error
}

type Clock interface {
	Now(e Event) string
}

type Desk struct {
	db       *sql.DB
	byKind   map[string]func(ctx context.Context, e Event) error
	handlers []Handler
	clock    Clock
	measure  func(e Event)
}

func New(db *sql.DB) *Desk {
	d := &Desk{db: db}
	d.byKind = map[string]func(ctx context.Context, e Event) error{"paid": d.paid, "sent": d.sent}
	d.handlers = append(d.handlers, &archive{db})
	d.measure = func(e Event) {}
	return d
}

func (d *Desk) Run(ctx context.Context, msgs <-chan amqp.Delivery) { // handler: loops over amqp091.Delivery at 41
	for m := range msgs {
		var e Event
		if json.Unmarshal(m.Body, &e) == nil {
			_ = d.dispatch(ctx, e)
		}
	}
}

func (d *Desk) dispatch(ctx context.Context, e Event) error {
	d.measure(e)
	for _, h := range d.handlers {
		if err := h.Handle(ctx, e); err != nil {
			return err
		}
	}
	return d.within(func() error { return d.byKind[e.Kind](ctx, e) })
}

// within runs what it is given: that is no choice of a handler.
func (d *Desk) within(f func() error) error { return f() }

func (d *Desk) paid(ctx context.Context, e Event) error { return d.save(ctx, e) } // handler: dispatched from dispatched.(*Desk).dispatch$1 at 56

func (d *Desk) sent(ctx context.Context, e Event) error { return d.save(ctx, e) } // handler: dispatched from dispatched.(*Desk).dispatch$1 at 56

func (d *Desk) save(ctx context.Context, e Event) error {
	_, err := d.db.ExecContext(ctx, `INSERT INTO bookings (id, at) VALUES ($1, $2)`, e.ID, d.clock.Now(e))
	return err
}

type archive struct{ db *sql.DB }

func (a *archive) Handle(ctx context.Context, e Event) error { // handler: dispatched from dispatched.(*Desk).dispatch at 52
	_, err := a.db.ExecContext(ctx, `INSERT INTO archive (id) VALUES ($1)`, e.ID)
	return err
}
