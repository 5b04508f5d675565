// Package querier has relays over one store that runs on the pool or in a transaction.
package querier

import (
	"context"
	"log/slog"

	"dmlint.test/relay/querier/store"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type bus interface {
	Publish(ctx context.Context, topic string, payload []byte) error
}

type kbus struct{ w *kafka.Writer }

func (b *kbus) Publish(ctx context.Context, topic string, payload []byte) error {
	return b.w.WriteMessages(ctx, kafka.Message{Topic: topic, Value: payload})
}

type relay struct {
	pool *pgxpool.Pool
	repo *store.Repo
	bus  bus
}

func newRelay(pool *pgxpool.Pool, w *kafka.Writer) *relay {
	return &relay{pool, store.New(pool), &kbus{w}}
}

// leased claims rows for a while.
func (r *relay) leased(ctx context.Context) error {
	if err := r.repo.Requeue(ctx); err != nil {
		return err
	}
	age, err := r.repo.Oldest(ctx)
	if err != nil {
		return err
	}
	slog.Info("age", "age", age)
	evs, err := r.repo.ClaimBatch(ctx, 10)
	if err != nil {
		return err
	}
	for _, e := range evs {
		if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
			_ = r.repo.Fail(ctx, e.ID, err.Error())
			continue
		}
		if err := r.repo.SetStatus(ctx, e.ID, "sent"); err != nil {
			return err
		}
	}
	return nil
}

// claimed says in a transaction whose the rows are, and publishes after it.
func (r *relay) claimed(ctx context.Context) error {
	var evs []store.Event
	err := r.repo.InTx(ctx, r.pool, func(q *store.Repo) (err error) {
		evs, err = q.Pending(ctx, 10)
		if err != nil {
			return err
		}
		for _, e := range evs {
			if err := q.SetStatus(ctx, e.ID, "processing"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range evs {
		if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
			return err
		}
		if err := r.repo.SetStatus(ctx, e.ID, "sent"); err != nil {
			return err
		}
	}
	return nil
}

// within does all in one transaction.
func (r *relay) within(ctx context.Context) error {
	return r.repo.InTx(ctx, r.pool, func(q *store.Repo) error {
		evs, err := q.Pending(ctx, 10)
		if err != nil {
			return err
		}
		for _, e := range evs {
			if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
				if err := q.Fail(ctx, e.ID, err.Error()); err != nil {
					return err
				}
				continue
			}
			if err := q.SetStatus(ctx, e.ID, "sent"); err != nil {
				return err
			}
		}
		return nil
	})
}

// pooled runs the same query on the pool.
func (r *relay) pooled(ctx context.Context) error {
	evs, err := r.repo.Pending(ctx, 10)
	if err != nil {
		return err
	}
	for _, e := range evs {
		if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
			return err
		}
		if err := r.repo.SetStatus(ctx, e.ID, "sent"); err != nil {
			return err
		}
	}
	return nil
}

// taken marks rows as sent when it takes them.
func (r *relay) taken(ctx context.Context) error {
	evs, err := r.repo.TakeBatch(ctx, 10) // want "relay/mark-first"
	if err != nil {
		return err
	}
	for _, e := range evs {
		if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
			slog.Error("publish", "err", err)
		}
	}
	return nil
}

// reset takes back the mark of what failed, and not of what a crash has cut off.
func (r *relay) reset(ctx context.Context) error {
	evs, err := r.repo.TakeBatch(ctx, 10) // want "relay/mark-first"
	if err != nil {
		return err
	}
	for _, e := range evs {
		if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
			if err := r.repo.Fail(ctx, e.ID, err.Error()); err != nil {
				return err
			}
		}
	}
	return nil
}

// fast sends at once what the relay would send later.
func (r *relay) fast(ctx context.Context, e store.Event) error {
	var id int64
	err := r.repo.InTx(ctx, r.pool, func(q *store.Repo) (err error) {
		id, err = q.Insert(ctx, e)
		return err
	})
	if err != nil {
		return err
	}
	if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
		slog.Error("later", "err", err)
		return nil
	}
	return r.repo.SetStatus(ctx, id, "sent")
}

// shrugged marks what the broker did not take.
func (r *relay) shrugged(ctx context.Context) error {
	return r.repo.InTx(ctx, r.pool, func(q *store.Repo) error {
		evs, err := q.Pending(ctx, 10)
		if err != nil {
			return err
		}
		for _, e := range evs {
			if err := r.bus.Publish(ctx, e.Topic, e.Payload); err != nil {
				slog.Error("publish", "err", err)
			}
			if err := q.SetStatus(ctx, e.ID, "sent"); err != nil { // want "relay/mark-first"
				return err
			}
		}
		return nil
	})
}
