// Package runner holds functions that run a closure in a transaction: home-made ones and those of libraries.
package runner

import (
	"context"
	"database/sql"
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"
)

// A Batch is what goes into the oven at once.
type Batch struct {
	ID, Recipe string
	Loaves     int
}

// A Bakery bakes.
type Bakery struct {
	db      *sql.DB
	channel *amqp.Channel
}

func (b *Bakery) tell(ctx context.Context, key string, batch Batch) error {
	return b.channel.PublishWithContext(ctx, "bakery", key, false, false, amqp.Publishing{Body: []byte(batch.ID)})
}

// inTx is the runner that every code base has.
func inTx(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback()
			panic(p)
		}
		if err != nil {
			err = errors.Join(err, tx.Rollback())
			return
		}
		err = tx.Commit()
	}()
	return fn(tx)
}

// Knead publishes in the closure.
func (b *Bakery) Knead(ctx context.Context, batch Batch) error {
	return inTx(ctx, b.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO batches (id, recipe) VALUES ($1, $2)`, batch.ID, batch.Recipe); err != nil {
			return err
		}
		return b.tell(ctx, "kneaded", batch) // want "dualwrite/inside-tx"
	})
}

// KneadRecorded leaves a row in the closure.
func (b *Bakery) KneadRecorded(ctx context.Context, batch Batch) error {
	return inTx(ctx, b.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO batches (id, recipe) VALUES ($1, $2)`, batch.ID, batch.Recipe); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO bakery_outbox (id, payload) VALUES ($1, $2)`, batch.ID, batch.Recipe)
		return err
	})
}

// Prove publishes after the runner.
func (b *Bakery) Prove(ctx context.Context, batch Batch) error {
	err := inTx(ctx, b.db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE batches SET state = 'proved' WHERE id = $1`, batch.ID)
		return err
	})
	if err != nil {
		return err
	}
	return b.tell(ctx, "proved", batch) // want "dualwrite/after-commit"
}

// ProveRefused publishes where the runner has rolled back.
func (b *Bakery) ProveRefused(ctx context.Context, batch Batch) error {
	err := inTx(ctx, b.db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE batches SET state = 'proved' WHERE id = $1`, batch.ID)
		return err
	})
	if err != nil {
		return errors.Join(err, b.tell(ctx, "spoiled", batch))
	}
	return nil
}

// Taste runs a closure that only reads.
func (b *Bakery) Taste(ctx context.Context, batch Batch) error {
	err := inTx(ctx, b.db, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT recipe FROM batches WHERE id = $1`, batch.ID).Scan(&batch.Recipe)
	})
	if err != nil {
		return err
	}
	return b.tell(ctx, "tasted", batch)
}

// Shape hands over a closure that it was given: the publish belongs to whoever wrote the closure.
func (b *Bakery) Shape(ctx context.Context, batch Batch) error {
	return b.shaped(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE batches SET state = 'shaped' WHERE id = $1`, batch.ID); err != nil {
			return err
		}
		return b.tell(ctx, "shaped", batch) // want "dualwrite/inside-tx"
	})
}

func (b *Bakery) shaped(ctx context.Context, step func(tx *sql.Tx) error) error {
	return inTx(ctx, b.db, step)
}

// yield runs a closure that has a result.
func yield[R any](ctx context.Context, db *sql.DB, fn func(context.Context, *sql.Tx) (R, error)) (R, error) {
	var zero R
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return zero, err
	}
	r, err := fn(ctx, tx)
	if err != nil {
		return zero, errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return zero, err
	}
	return r, nil
}

// Count publishes what the closure of a generic runner has given.
func (b *Bakery) Count(ctx context.Context, recipe string) error {
	batch, err := yield(ctx, b.db, func(ctx context.Context, tx *sql.Tx) (Batch, error) {
		var batch Batch
		row := tx.QueryRowContext(ctx, `UPDATE batches SET counted = true WHERE recipe = $1 RETURNING id, loaves`, recipe)
		return batch, row.Scan(&batch.ID, &batch.Loaves)
	})
	if err != nil {
		return err
	}
	return b.tell(ctx, "counted", batch) // want "dualwrite/after-commit"
}

// Estimate gets its batch by reading.
func (b *Bakery) Estimate(ctx context.Context, recipe string) error {
	batch, err := yield(ctx, b.db, func(ctx context.Context, tx *sql.Tx) (Batch, error) {
		var batch Batch
		row := tx.QueryRowContext(ctx, `SELECT id, loaves FROM batches WHERE recipe = $1`, recipe)
		return batch, row.Scan(&batch.ID, &batch.Loaves)
	})
	if err != nil {
		return err
	}
	return b.tell(ctx, "estimated", batch)
}
