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
	last     func(ctx context.Context, e Event) error
}

func New(db *sql.DB) *Desk {
	d := &Desk{db: db}
	d.byKind = map[string]func(ctx context.Context, e Event) error{"paid": d.paid, "sent": d.sent}
	d.handlers = append(d.handlers, &archive{db})
	d.measure = func(e Event) {}
	d.last = d.lost
	return d
}

func (d *Desk) Run(ctx context.Context, msgs <-chan amqp.Delivery) { // handler: loops over amqp091.Delivery at 43
	for m := range msgs {
		var e Event
		if json.Unmarshal(m.Body, &e) == nil {
			_ = d.dispatch(ctx, e)
			d.retry(ctx, e, d.last)
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

// retry is handed the handler together with the message.
func (d *Desk) retry(ctx context.Context, e Event, h func(ctx context.Context, e Event) error) {
	for range 3 {
		if h(ctx, e) == nil {
			return
		}
	}
}

func (d *Desk) lost(ctx context.Context, e Event) error { return d.save(ctx, e) } // handler: dispatched from dispatched.(*Desk).retry at 65

// within runs what it is given: that is no choice of a handler.
func (d *Desk) within(f func() error) error { return f() }

func (d *Desk) paid(ctx context.Context, e Event) error { return d.save(ctx, e) } // handler: dispatched from dispatched.(*Desk).dispatch$1 at 59

func (d *Desk) sent(ctx context.Context, e Event) error { return d.save(ctx, e) } // handler: dispatched from dispatched.(*Desk).dispatch$1 at 59

func (d *Desk) save(ctx context.Context, e Event) error {
	_, err := d.db.ExecContext(ctx, `INSERT INTO bookings (id, at) VALUES ($1, $2)`, e.ID, d.clock.Now(e))
	return err
}

type archive struct{ db *sql.DB }

func (a *archive) Handle(ctx context.Context, e Event) error { // handler: dispatched from dispatched.(*Desk).dispatch at 55
	_, err := a.db.ExecContext(ctx, `INSERT INTO archive (id) VALUES ($1)`, e.ID)
	return err
}
