// Package rabbit gives messages back to RabbitMQ.
package rabbit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/wagslane/go-rabbitmq"
)

type Parcel struct{ ID, Town string }

type Depot struct {
	db *sql.DB
	ch *amqp.Channel
}

func (d *Depot) store(ctx context.Context, body []byte) error {
	var p Parcel
	if err := json.Unmarshal(body, &p); err != nil {
		return err
	}
	_, err := d.db.ExecContext(ctx, `INSERT INTO parcels (id, town) VALUES ($1, $2) ON CONFLICT DO NOTHING`, p.ID, p.Town)
	return err
}

func (d *Depot) try(ctx context.Context, body []byte) bool { return d.store(ctx, body) == nil }

// Always gives back whatever fails.
func (d *Depot) Always(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			m.Nack(false, true) // want "poison/requeue"
			continue
		}
		m.Ack(false)
	}
}

// Answered is the same with a function that only says whether it went well.
func (d *Depot) Answered(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if !d.try(ctx, m.Body) {
			m.Reject(true) // want "poison/requeue"
		} else {
			m.Ack(false)
		}
	}
}

// PartlySorted drops what is known to be hopeless, and the rest comes back for ever.
func (d *Depot) PartlySorted(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		err := d.store(ctx, m.Body)
		switch {
		case err == nil:
			m.Ack(false)
		case errors.Is(err, errUnknownTown):
			m.Nack(false, false)
		default:
			log.Printf("delivered again: %v, redelivered %t", err, m.Redelivered)
			m.Nack(false, true) // want "poison/requeue"
		}
	}
}

var errUnknownTown = errors.New("unknown town")

// ByHelper gives back in a helper that is told whether the message comes back.
func (d *Depot) ByHelper(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			refuse(m, true) // want "poison/requeue"
			continue
		}
		m.Ack(false)
	}
}

// DroppedByHelper asks the same helper to drop it.
func (d *Depot) DroppedByHelper(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			refuse(m, false)
			continue
		}
		m.Ack(false)
	}
}

func refuse(m amqp.Delivery, again bool) {
	if err := m.Nack(false, again); err != nil {
		log.Print(err)
	}
}

// A Letter is what handlers get to see of a message.
type Letter interface {
	Text() []byte
	Done() error
	Again() error
}

type letter struct{ m amqp.Delivery }

func (l letter) Text() []byte { return l.m.Body }
func (l letter) Done() error  { return l.m.Ack(false) }
func (l letter) Again() error { return l.m.Nack(false, true) }

// Read knows the broker by an interface only.
func (d *Depot) Read(ctx context.Context, l Letter) {
	if err := d.store(ctx, l.Text()); err != nil {
		l.Again() // want "poison/requeue"
		return
	}
	l.Done()
}

// Letters wraps what comes in.
func (d *Depot) Letters(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		d.Read(ctx, letter{m})
	}
}

// ByClosure has the function that gives back handed to another one.
func (d *Depot) ByClosure(ctx context.Context, m amqp.Delivery) {
	d.settle(ctx, m.Body, func() { m.Ack(false) }, func() {
		m.Nack(false, true) // want "poison/requeue"
	})
}

func (d *Depot) settle(ctx context.Context, body []byte, good, bad func()) {
	if err := d.store(ctx, body); err != nil {
		bad()
	} else {
		good()
	}
}

// Deferred decides at the end.
func (d *Depot) Deferred(ctx context.Context, m amqp.Delivery) (err error) {
	defer func() {
		if err != nil {
			m.Nack(false, true) // want "poison/requeue"
			return
		}
		m.Ack(false)
	}()
	return d.store(ctx, m.Body)
}

// Once gives back what comes for the first time.
func (d *Depot) Once(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			if m.Redelivered {
				m.Reject(false)
				continue
			}
			m.Reject(true)
			continue
		}
		m.Ack(false)
	}
}

// Onced says the same in the argument.
func (d *Depot) Onced(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			m.Nack(false, !m.Redelivered)
		} else {
			m.Ack(false)
		}
	}
}

// Counted looks at the deaths of a message, in a helper.
func (d *Depot) Counted(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			m.Nack(false, seen(m.Headers) < 5)
			if seen(m.Headers) < 5 {
				m.Nack(false, true)
			}
			continue
		}
		m.Ack(false)
	}
}

func seen(h amqp.Table) int64 {
	deaths, _ := h["x-death"].([]any)
	for _, e := range deaths {
		if t, ok := e.(amqp.Table); ok {
			n, _ := t["count"].(int64)
			return n
		}
	}
	return 0
}

// CountedOutside asks before it hands the message on.
func (d *Depot) CountedOutside(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if n, _ := m.Headers["x-retry-count"].(int32); n > 3 {
			m.Reject(false)
			continue
		}
		d.deliver(ctx, m)
	}
}

func (d *Depot) deliver(ctx context.Context, m amqp.Delivery) {
	if err := d.store(ctx, m.Body); err != nil {
		m.Nack(false, true)
		return
	}
	m.Ack(false)
}

// Meant gives back what another try can mend.
func (d *Depot) Meant(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		err := d.store(ctx, m.Body)
		switch {
		case err == nil:
			m.Ack(false)
		case errors.Is(err, sql.ErrConnDone) || temporary(err):
			m.Nack(false, true)
		default:
			m.Nack(false, false)
		}
	}
}

func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// Judged lets a function say whether it comes back.
func (d *Depot) Judged(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			m.Nack(false, temporary(err))
			continue
		}
		m.Ack(false)
	}
}

// Ending gives back what it has not begun.
func (d *Depot) Ending(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if ctx.Err() != nil {
			m.Nack(false, true)
			continue
		}
		if err := d.store(ctx, m.Body); err != nil {
			m.Nack(false, false)
			continue
		}
		m.Ack(false)
	}
}

// Forwarded only passes on: that fails as long as the broker is away.
func (d *Depot) Forwarded(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		err := d.ch.PublishWithContext(ctx, "towns", m.RoutingKey, false, false, amqp.Publishing{Body: m.Body})
		if err != nil {
			m.Nack(false, true)
			time.Sleep(time.Second)
			continue
		}
		m.Ack(false)
	}
}

// Buried gives back only what could not be buried.
func (d *Depot) Buried(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if err := d.store(ctx, m.Body); err != nil {
			if err := d.ch.PublishWithContext(ctx, "", "parcels.dead", false, false, amqp.Publishing{Body: m.Body}); err != nil {
				m.Nack(false, true)
				continue
			}
		}
		m.Ack(false)
	}
}

// Consume answers with a constant.
func (d *Depot) Consume(c *rabbitmq.Consumer) error {
	return c.Run(func(m rabbitmq.Delivery) rabbitmq.Action {
		if err := d.store(context.Background(), m.Body); err != nil {
			return rabbitmq.NackRequeue // want "poison/requeue"
		}
		return rabbitmq.Ack
	})
}

// ConsumeOnce discards what fails twice.
func (d *Depot) ConsumeOnce(c *rabbitmq.Consumer) error {
	return c.Run(func(m rabbitmq.Delivery) rabbitmq.Action {
		if err := d.store(context.Background(), m.Body); err != nil {
			if m.Redelivered {
				return rabbitmq.NackDiscard
			}
			return rabbitmq.NackRequeue
		}
		return rabbitmq.Ack
	})
}
