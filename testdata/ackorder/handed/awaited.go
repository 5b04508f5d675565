package handed

import (
	"context"
	"log"

	amqp "github.com/rabbitmq/amqp091-go"
)

// awaits has the work done elsewhere and waits for how it went, though not for ever.
func (p *pool) awaits(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		stored := make(chan error, 1)
		go func() { stored <- p.store(ctx, d.Body) }()
		select {
		case err := <-stored:
			if err != nil {
				log.Print(err)
				return
			}
			if err := d.Ack(false); err != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// awaitsEnd waits for the end alone.
func (p *pool) awaitsEnd(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := p.store(ctx, d.Body); err != nil {
				log.Fatal(err)
			}
		}()
		select {
		case <-ctx.Done():
			return
		case <-done:
		}
		if err := d.Ack(false); err != nil {
			return
		}
	}
}

// givesUp confirms also where it has not waited long enough.
func (p *pool) givesUp(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		stored := make(chan error, 1)
		go func() { stored <- p.store(ctx, d.Body) }()
		select {
		case err := <-stored:
			if err != nil {
				return
			}
		case <-ctx.Done():
		}
		if err := d.Ack(false); err != nil { // want "ackorder/ack-first"
			return
		}
	}
}

// The kinds of confirmations that a consumer can be told.
const (
	ackManual = iota
	ackAuto
)

type told struct{ ackType int }

// asTold confirms first where it was told so.
func (p *pool) asTold(ctx context.Context, o told, ds <-chan amqp.Delivery) {
	for d := range ds {
		if o.ackType == ackAuto {
			if err := d.Ack(false); err != nil {
				return
			}
		}
		if err := p.store(ctx, d.Body); err != nil {
			return
		}
		if o.ackType == ackManual {
			if err := d.Ack(false); err != nil {
				return
			}
		}
	}
}
