// Package consumer holds handlers of messages. Where the message is confirmed last, a crash brings it back, and what was
// not published is published then, unless the write stands in the way of its own repetition.
package consumer

import (
	"context"
	"database/sql"

	"github.com/hibiken/asynq"
	"github.com/nats-io/nats.go"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

// A Till books what it is told.
type Till struct {
	db     *sql.DB
	reader *kafka.Reader
	writer *kafka.Writer
	tasks  *asynq.Client
	nats   *nats.Conn
}

func (t *Till) follow(ctx context.Context, id string) error {
	return t.writer.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: []byte("booked " + id)})
}

// Insert fails the second time, before it gets to the publish.
func (t *Till) Insert(ctx context.Context) error {
	for {
		msg, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		id := string(msg.Key)
		if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1)`, id); err != nil {
			return err
		}
		if err := t.follow(ctx, id); err != nil { // want "dualwrite/no-tx"
			return err
		}
		if err := t.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// Upsert does not.
func (t *Till) Upsert(ctx context.Context) error {
	for {
		msg, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		id := string(msg.Key)
		if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
			return err
		}
		if err := t.follow(ctx, id); err != nil {
			return err
		}
		if err := t.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// Update can be repeated, though nobody has said that it is meant to be.
func (t *Till) Update(ctx context.Context) error {
	for {
		msg, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		id := string(msg.Key)
		if _, err := t.db.ExecContext(ctx, `UPDATE bookings SET paid = true WHERE id = $1`, id); err != nil {
			return err
		}
		if err := t.follow(ctx, id); err != nil { // want advice "dualwrite/no-tx"
			return err
		}
		if err := t.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// UpsertAfterAck confirms first: nothing brings the message back.
func (t *Till) UpsertAfterAck(ctx context.Context) error {
	for {
		msg, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := t.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
		id := string(msg.Key)
		if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
			return err
		}
		if err := t.follow(ctx, id); err != nil { // want "dualwrite/no-tx"
			return err
		}
	}
}

// Serve handles deliveries of RabbitMQ in a helper.
func (t *Till) Serve(ctx context.Context, deliveries <-chan amqp.Delivery) error {
	for d := range deliveries {
		if err := t.serve(ctx, d); err != nil {
			_ = d.Nack(false, false)
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

func (t *Till) serve(ctx context.Context, d amqp.Delivery) error {
	id := string(d.Body)
	if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT DO NOTHING`, id); err != nil {
		return err
	}
	return t.follow(ctx, id)
}

// ProcessTask is confirmed by its nil result.
func (t *Till) ProcessTask(ctx context.Context, task *asynq.Task) error {
	id := string(task.Payload())
	if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
		return err
	}
	return t.follow(ctx, id)
}

// ProcessNote is registered as a function.
func (t *Till) ProcessNote(ctx context.Context, task *asynq.Task) error {
	id := string(task.Payload())
	if _, err := t.db.ExecContext(ctx, `INSERT INTO notes (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
		return err
	}
	return t.follow(ctx, id)
}

// ProcessRefund is one whose write fails the second time.
func (t *Till) ProcessRefund(ctx context.Context, task *asynq.Task) error {
	id := string(task.Payload())
	if _, err := t.db.ExecContext(ctx, `INSERT INTO refunds (id) VALUES ($1)`, id); err != nil {
		return err
	}
	return t.follow(ctx, id) // want "dualwrite/no-tx"
}

// Register names the handlers.
func (t *Till) Register(mux *asynq.ServeMux) error {
	mux.Handle("book", t)
	mux.HandleFunc("note", t.ProcessNote)
	mux.HandleFunc("refund", t.ProcessRefund)
	_, err := t.nats.Subscribe("bookings", t.onBooking)
	return err
}

// onBooking is confirmed by nobody: core NATS does not bring anything back.
func (t *Till) onBooking(msg *nats.Msg) {
	id := string(msg.Data)
	_, err := t.db.Exec(`INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id)
	if err != nil {
		return
	}
	_ = t.nats.Publish("booked", []byte("booked "+id)) // todo "dualwrite/no-tx": core NATS redelivers nothing
}

// onStream is confirmed at its end: JetStream brings it back until then.
func (t *Till) onStream(msg *nats.Msg) {
	id := string(msg.Data)
	_, err := t.db.Exec(`INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id)
	if err != nil {
		return
	}
	if err := t.nats.Publish("booked", []byte("booked "+id)); err != nil {
		return
	}
	_ = msg.Ack()
}

// Stream names it.
func (t *Till) Stream(js nats.JetStreamContext) error {
	_, err := js.Subscribe("bookings", t.onStream, nats.ManualAck())
	return err
}

// Retry passes the message on as it was received, after it has noted the attempt.
func (t *Till) Retry(ctx context.Context) error {
	msg, err := t.reader.FetchMessage(ctx)
	if err != nil {
		return err
	}
	if _, err := t.db.ExecContext(ctx, `INSERT INTO failures (id) VALUES ($1)`, string(msg.Key)); err != nil {
		return err
	}
	if err := t.writer.WriteMessages(ctx, kafka.Message{Topic: "dead", Key: msg.Key, Value: msg.Value}); err != nil { // todo not "dualwrite/no-tx": the message as it was received announces nothing
		return err
	}
	return t.reader.CommitMessages(ctx, msg)
}

// Deliveries comes by its messages through a channel that somebody else has opened.
func (t *Till) Deliveries(ctx context.Context, msgs <-chan amqp.Delivery) error {
	for msg := range msgs {
		if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, msg.MessageId); err != nil {
			return err
		}
		if err := t.follow(ctx, msg.MessageId); err != nil {
			return err
		}
	}
	return nil
}

// Strings are no messages: nothing brings them back.
func (t *Till) Strings(ctx context.Context, ids <-chan string) error {
	for id := range ids {
		if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
			return err
		}
		if err := t.follow(ctx, id); err != nil { // want "dualwrite/no-tx"
			return err
		}
	}
	return nil
}
