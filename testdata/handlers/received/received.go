// Package received holds functions that take messages from a broker or from a channel.
package received

import (
	"context"
	"database/sql"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

type Till struct {
	db     *sql.DB
	reader *kafka.Reader
	writer *kafka.Writer
	jobs   chan amqp.Delivery
	work   chan job
	out    chan kafka.Message
}

type job struct {
	msg   kafka.Message
	tries int
}

func (t *Till) book(ctx context.Context, id string) error {
	_, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1)`, id)
	return err
}

// Connect only gives the channel out.
func (t *Till) Connect(ch *amqp.Channel) (<-chan amqp.Delivery, error) {
	return ch.Consume("orders", "", false, false, false, false, nil)
}

func (t *Till) Loop(ctx context.Context, ch *amqp.Channel) error { // handler: loops over amqp091.Delivery at 42
	msgs, err := t.Connect(ch)
	if err != nil {
		return err
	}
	for m := range msgs {
		if err := t.book(ctx, m.MessageId); err != nil {
			return err
		}
		if err := m.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

func (t *Till) Select(ctx context.Context, msgs <-chan amqp.Delivery) error { // handler: loops over amqp091.Delivery at 58
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-msgs:
			if err := t.book(ctx, m.MessageId); err != nil {
				return err
			}
		}
	}
}

// A ticker brings no messages.
func (t *Till) Tick(ctx context.Context, every *time.Ticker) error {
	for range every.C {
		if err := t.book(ctx, "tick"); err != nil {
			return err
		}
	}
	return nil
}

func (t *Till) Fetch(ctx context.Context) error { // handler: receives with kafka.(*Reader).FetchMessage at 78
	for {
		m, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := t.book(ctx, string(m.Key)); err != nil {
			return err
		}
	}
}

// next receives for its caller.
func (t *Till) next(ctx context.Context) (string, error) {
	m, err := t.reader.ReadMessage(ctx)
	if err != nil {
		return "", err
	}
	return string(m.Key), nil
}

func (t *Till) Next(ctx context.Context) error { // handler: receives with received.(*Till).next at 99
	for {
		id, err := t.next(ctx)
		if err != nil {
			return err
		}
		if err := t.book(ctx, id); err != nil {
			return err
		}
	}
}

// A pool: whoever fills the channel has received the message, and whoever empties it handles it.
func (t *Till) Pool(ctx context.Context, n int) {
	for range n {
		go func() { // handler: loops over amqp091.Delivery at 113
			for m := range t.jobs {
				_ = t.book(ctx, m.MessageId)
			}
		}()
	}
}

func (t *Till) Work(ctx context.Context) { // handler: loops over received.job at 121
	for j := range t.work {
		_ = t.book(ctx, string(j.msg.Key))
	}
}

// The goroutine behind a publisher empties a channel of messages, too.
func (t *Till) Flush(ctx context.Context) {
	for m := range t.out {
		_ = t.writer.WriteMessages(ctx, m)
	}
}

// A handler that answers confirms what it has taken.
func (t *Till) Answer(ctx context.Context, msgs <-chan amqp.Delivery) { // handler: loops over amqp091.Delivery at 135
	for m := range msgs {
		if t.writer.WriteMessages(ctx, kafka.Message{Value: m.Body}) == nil {
			_ = m.Ack(false)
		}
	}
}
