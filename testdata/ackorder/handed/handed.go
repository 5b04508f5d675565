// Package handed has consumers that hand their work to others.
package handed

import (
	"context"
	"database/sql"
	"log"
	"sync"

	"github.com/ThreeDotsLabs/watermill/message"
	amqp "github.com/rabbitmq/amqp091-go"
)

type job struct{ body []byte }

// answered is a job that tells how it went.
type answered struct {
	body []byte
	done chan error
}

// line is only ever logged.
type line struct{ text string }

type pool struct {
	db      *sql.DB
	jobs    chan job
	asked   chan answered
	lines   chan line
	results chan int
}

func (p *pool) run(ctx context.Context) {
	for j := range p.jobs {
		if err := p.store(ctx, j.body); err != nil {
			log.Print(err)
		}
	}
}

func (p *pool) answer(ctx context.Context) {
	for a := range p.asked {
		a.done <- p.store(ctx, a.body)
	}
}

func (p *pool) print() {
	for l := range p.lines {
		log.Print(l.text)
	}
}

func (p *pool) store(ctx context.Context, body []byte) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO readings (body) VALUES ($1)`, body)
	return err
}

func (p *pool) push(j job) { p.jobs <- j }

func (p *pool) handsOn(ds <-chan amqp.Delivery) {
	for d := range ds {
		p.push(job{d.Body})
		d.Ack(false) // want "ackorder/ack-first"
	}
}

func (p *pool) ackThenHand(ds <-chan amqp.Delivery) {
	for d := range ds {
		d.Ack(false) // want "ackorder/ack-first"
		p.push(job{d.Body})
	}
}

func (p *pool) waits(ds <-chan amqp.Delivery) {
	for d := range ds {
		a := answered{d.Body, make(chan error)}
		p.asked <- a
		if err := <-a.done; err != nil {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
	}
}

func (p *pool) prints(ds <-chan amqp.Delivery) {
	for d := range ds {
		p.lines <- line{string(d.Body)}
		d.Ack(false)
	}
}

func (p *pool) starts(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		go p.store(ctx, d.Body)
		d.Ack(false) // want "ackorder/ack-first"
	}
}

func (p *pool) acksAndStarts(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		d.Ack(false)
		go p.store(ctx, d.Body) // want "ackorder/ack-first"
	}
}

// tells has done its work when it acks; what it still does is less.
func (p *pool) tells(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := p.store(ctx, d.Body); err != nil {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
		if _, err := p.db.ExecContext(ctx, `UPDATE devices SET seen = now()`, d.Body); err != nil { // want advice "ackorder/ack-first"
			log.Print(err)
		}
	}
}

func (p *pool) acksThere(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		go func() {
			if err := p.store(ctx, d.Body); err != nil {
				d.Nack(false, false)
				return
			}
			d.Ack(false)
		}()
	}
}

func (p *pool) joins(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.store(ctx, d.Body)
		}()
		wg.Wait()
		d.Ack(false)
	}
}

type options struct{ AtLeastOnce bool }

// chosen may do it either way.
func (p *pool) chosen(ctx context.Context, o options, ds <-chan amqp.Delivery) {
	for d := range ds {
		if o.AtLeastOnce {
			if err := p.store(ctx, d.Body); err != nil {
				continue
			}
		} else {
			go p.store(ctx, d.Body)
		}
		d.Ack(false)
	}
}

func (p *pool) routes(r *message.Router, sub message.Subscriber) {
	r.AddNoPublisherHandler("readings", "readings", sub, func(m *message.Message) error {
		p.push(job{m.Payload}) // want "ackorder/ack-first"
		return nil
	})
	r.AddNoPublisherHandler("asked", "readings", sub, func(m *message.Message) error {
		a := answered{m.Payload, make(chan error)}
		p.asked <- a
		return <-a.done
	})
}
