// Package queued marks rows whose message a client may still have in memory.
package queued

import (
	"context"
	"database/sql"

	"cloud.google.com/go/pubsub/v2"
	"github.com/IBM/sarama"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/twmb/franz-go/pkg/kgo"
)

type relay struct {
	db    *sql.DB
	async sarama.AsyncProducer
	js    jetstream.JetStream
	kgo   *kgo.Client
	topic *pubsub.Publisher
}

func next(ctx context.Context, tx *sql.Tx) (id int64, payload []byte, err error) {
	err = tx.QueryRowContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&id, &payload)
	return id, payload, err
}

func mark(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE outbox SET sent_at = now() WHERE id = $1`, id)
	return err
}

func (r *relay) within(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (r *relay) sarama(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		r.async.Input() <- &sarama.ProducerMessage{Topic: "events", Value: sarama.ByteEncoder(payload)}
		return mark(ctx, tx, id) // want "relay/mark-first"
	})
}

func (r *relay) saramaHeard(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		r.async.Input() <- &sarama.ProducerMessage{Topic: "events", Value: sarama.ByteEncoder(payload)}
		select {
		case <-r.async.Successes():
			return mark(ctx, tx, id)
		case err := <-r.async.Errors():
			return err
		}
	})
}

func (r *relay) nats(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := r.js.PublishAsync("events", payload); err != nil {
			return err
		}
		return mark(ctx, tx, id) // want "relay/mark-first"
	})
}

func (r *relay) natsHeard(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		ack, err := r.js.PublishAsync("events", payload)
		if err != nil {
			return err
		}
		select {
		case <-ack.Ok():
			return mark(ctx, tx, id)
		case err := <-ack.Err():
			return err
		}
	})
}

func (r *relay) franz(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		r.kgo.Produce(ctx, &kgo.Record{Topic: "events", Value: payload}, nil)
		return mark(ctx, tx, id) // want "relay/mark-first"
	})
}

func (r *relay) franzFlushed(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		r.produce(ctx, payload)
		if err := r.kgo.Flush(ctx); err != nil {
			return err
		}
		return mark(ctx, tx, id)
	})
}

func (r *relay) produce(ctx context.Context, payload []byte) {
	r.kgo.Produce(ctx, &kgo.Record{Topic: "events", Value: payload}, nil)
}

func (r *relay) google(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		r.topic.Publish(ctx, &pubsub.Message{Data: payload})
		return mark(ctx, tx, id) // want "relay/mark-first"
	})
}

func (r *relay) googleHeard(ctx context.Context) error {
	return r.within(ctx, func(tx *sql.Tx) error {
		id, payload, err := next(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := r.topic.Publish(ctx, &pubsub.Message{Data: payload}).Get(ctx); err != nil {
			return err
		}
		return mark(ctx, tx, id)
	})
}
