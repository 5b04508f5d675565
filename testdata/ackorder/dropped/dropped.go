// Package dropped has consumers that drop an error and confirm all the same, beside those that deal with it.
package dropped

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

var errTwice = errors.New("booked already")

type seats struct {
	db   *sql.DB
	dead *kafka.Writer
}

func (s *seats) book(ctx context.Context, body []byte) error {
	var b struct{ Seat, Guest string }
	if err := json.Unmarshal(body, &b); err != nil {
		return nil
	}
	_, err := s.db.ExecContext(ctx, `UPDATE seats SET guest = $2 WHERE id = $1`, b.Seat, b.Guest)
	return err
}

func (s *seats) logged(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			log.Print(err)
		}
		d.Ack(false) // want "ackorder/swallowed-error"
	}
}

func (s *seats) givenBack(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
	}
}

// meant tells kinds of failures apart.
func (s *seats) meant(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil && !errors.Is(err, errTwice) {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
	}
}

// often gives up after some deliveries.
func (s *seats) often(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			if n, _ := d.Headers["x-delivery-count"].(int64); n < 5 {
				d.Nack(false, true)
				continue
			}
		}
		d.Ack(false)
	}
}

// buried sends what has failed to a dead-letter topic, and stops if that fails.
func (s *seats) buried(ctx context.Context, ds <-chan amqp.Delivery) error {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			if err := s.dead.WriteMessages(ctx, kafka.Message{Value: d.Body}); err != nil {
				return err
			}
		}
		d.Ack(false)
	}
	return nil
}

// halfBuried does not look whether the dead letter has arrived.
func (s *seats) halfBuried(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			if err := s.dead.WriteMessages(ctx, kafka.Message{Value: d.Body}); err != nil {
				log.Print(err)
			}
		}
		d.Ack(false) // want "ackorder/swallowed-error"
	}
}

// recorded keeps a row of what has failed.
func (s *seats) recorded(ctx context.Context, ds <-chan amqp.Delivery) error {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			if _, err := s.db.ExecContext(ctx, `INSERT INTO failed_bookings (body) VALUES ($1)`, d.Body); err != nil {
				return err
			}
		}
		d.Ack(false)
	}
	return nil
}

// stops ends the process.
func (s *seats) stops(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if err := s.book(ctx, d.Body); err != nil {
			log.Fatal(err)
		}
		d.Ack(false)
	}
}

// unconditional acks whatever happens.
func (s *seats) unconditional(ctx context.Context, ds <-chan amqp.Delivery) {
	one := func(d amqp.Delivery) {
		defer d.Ack(false) // want "ackorder/swallowed-error"
		if err := s.book(ctx, d.Body); err != nil {
			log.Print(err)
		}
	}
	for d := range ds {
		one(d)
	}
}

// again tries until it succeeds.
func (s *seats) again(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		for s.book(ctx, d.Body) != nil {
			log.Print("again")
		}
		d.Ack(false)
	}
}

// quiet is a helper that keeps the error to itself.
func (s *seats) quiet(ctx context.Context, body []byte) {
	if err := s.book(ctx, body); err != nil {
		log.Print(err)
	}
}

func (s *seats) throughHelper(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		s.quiet(ctx, d.Body)
		d.Ack(false) // want "ackorder/swallowed-error"
	}
}

// passes goes on after a failure: the next commit passes it.
func (s *seats) passes(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := s.book(ctx, m.Value); err != nil {
			log.Print(err)
			continue
		}
		if err := r.CommitMessages(ctx, m); err != nil { // want "ackorder/swallowed-error"
			return err
		}
	}
}

func (s *seats) stopsAtFailure(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := s.book(ctx, m.Value); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

type poller struct {
	seats *seats
	queue *sqs.Client
	url   string
}

// passesOne leaves a failed message on the queue: each is confirmed by itself.
func (p *poller) passesOne(ctx context.Context) error {
	for {
		out, err := p.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: aws.String(p.url)})
		if err != nil {
			return err
		}
		for _, m := range out.Messages {
			if err := p.seats.book(ctx, []byte(aws.ToString(m.Body))); err != nil {
				log.Print(err)
				continue
			}
			if err := p.remove(ctx, m); err != nil {
				return err
			}
		}
	}
}

func (p *poller) remove(ctx context.Context, m types.Message) error {
	_, err := p.queue.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: aws.String(p.url), ReceiptHandle: m.ReceiptHandle})
	return err
}

func (p *poller) anyway(ctx context.Context) error {
	for {
		out, err := p.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: aws.String(p.url)})
		if err != nil {
			return err
		}
		for _, m := range out.Messages {
			if err := p.seats.book(ctx, []byte(aws.ToString(m.Body))); err != nil {
				log.Print(err)
			}
			if err := p.remove(ctx, m); err != nil { // want "ackorder/swallowed-error"
				return err
			}
		}
	}
}

// collects deletes only what went well.
func (p *poller) collects(ctx context.Context) error {
	for {
		out, err := p.queue.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: aws.String(p.url)})
		if err != nil {
			return err
		}
		var good []types.DeleteMessageBatchRequestEntry
		for _, m := range out.Messages {
			if err := p.seats.book(ctx, []byte(aws.ToString(m.Body))); err != nil {
				log.Print(err)
				continue
			}
			good = append(good, types.DeleteMessageBatchRequestEntry{Id: m.MessageId, ReceiptHandle: m.ReceiptHandle})
		}
		if _, err := p.queue.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: aws.String(p.url), Entries: good}); err != nil {
			return err
		}
	}
}

// counts remembers that something has failed.
func (s *seats) counts(ctx context.Context, ds <-chan amqp.Delivery, bodies func(d amqp.Delivery) [][]byte) {
	for d := range ds {
		failures := 0
		for _, b := range bodies(d) {
			if err := s.book(ctx, b); err != nil {
				log.Print(err)
				failures++
			}
		}
		if failures > 0 {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
	}
}
