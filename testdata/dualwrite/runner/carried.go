package runner

import (
	"context"
	"database/sql"

	amqp "github.com/rabbitmq/amqp091-go"
)

type ovenKey struct{}

// An Oven carries its transaction in the context.
type Oven struct {
	db      *sql.DB
	channel *amqp.Channel
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Heated runs fn with a transaction in its context. An open transaction is not joined.
func (o *Oven) Heated(ctx context.Context, fn func(ctx context.Context) error) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(context.WithValue(ctx, ovenKey{}, tx)); err != nil {
		return err
	}
	return tx.Commit()
}

func (o *Oven) conn(ctx context.Context) execer {
	if tx, ok := ctx.Value(ovenKey{}).(*sql.Tx); ok {
		return tx
	}
	return o.db
}

func (o *Oven) put(ctx context.Context, batch Batch) error {
	_, err := o.conn(ctx).ExecContext(ctx, `INSERT INTO trays (id, loaves) VALUES ($1, $2)`, batch.ID, batch.Loaves)
	return err
}

func (o *Oven) note(ctx context.Context, batch Batch) error {
	_, err := o.conn(ctx).ExecContext(ctx, `INSERT INTO oven_outbox (id, payload) VALUES ($1, $2)`, batch.ID, batch.Recipe)
	return err
}

func (o *Oven) ring(ctx context.Context, batch Batch) error {
	return o.channel.PublishWithContext(ctx, "oven", "rings", false, false, amqp.Publishing{Body: []byte(batch.ID)})
}

// Bake publishes in the closure.
func (o *Oven) Bake(ctx context.Context, batch Batch) error {
	return o.Heated(ctx, func(ctx context.Context) error {
		if err := o.put(ctx, batch); err != nil {
			return err
		}
		return o.ring(ctx, batch) // want "dualwrite/inside-tx"
	})
}

// BakeRecorded leaves a row in it.
func (o *Oven) BakeRecorded(ctx context.Context, batch Batch) error {
	return o.Heated(ctx, func(ctx context.Context) error {
		if err := o.put(ctx, batch); err != nil {
			return err
		}
		return o.note(ctx, batch)
	})
}

// BakePast leaves the row with the context of outside, which carries no transaction.
func (o *Oven) BakePast(ctx context.Context, batch Batch) error {
	return o.Heated(ctx, func(hot context.Context) error {
		if err := o.put(hot, batch); err != nil {
			return err
		}
		return o.note(ctx, batch) // want "dualwrite/escaped-write"
	})
}

// BakeCold has no transaction.
func (o *Oven) BakeCold(ctx context.Context, batch Batch) error {
	if err := o.put(ctx, batch); err != nil {
		return err
	}
	return o.ring(ctx, batch) // want "dualwrite/no-tx"
}

// BakeThenRing publishes after the runner.
func (o *Oven) BakeThenRing(ctx context.Context, batch Batch) error {
	if err := o.Heated(ctx, func(ctx context.Context) error { return o.put(ctx, batch) }); err != nil {
		return err
	}
	return o.ring(ctx, batch) // want "dualwrite/after-commit"
}

// BakeThenRingRecorded has a row to fall back on.
func (o *Oven) BakeThenRingRecorded(ctx context.Context, batch Batch) error {
	err := o.Heated(ctx, func(ctx context.Context) error {
		if err := o.put(ctx, batch); err != nil {
			return err
		}
		return o.note(ctx, batch)
	})
	if err != nil {
		return err
	}
	return o.ring(ctx, batch)
}
