package runner

import (
	"context"
	"database/sql"

	amqp "github.com/rabbitmq/amqp091-go"
)

type counterKey struct{}

// A Counter joins the transaction that is in the context.
type Counter struct {
	db      *sql.DB
	channel *amqp.Channel
}

// Within begins a transaction where there is none yet.
func (c *Counter) Within(ctx context.Context, fn func(ctx context.Context, tx *sql.Tx) error) error {
	if tx, ok := ctx.Value(counterKey{}).(*sql.Tx); ok {
		return fn(ctx, tx)
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(context.WithValue(ctx, counterKey{}, tx), tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

func (c *Counter) shout(ctx context.Context, batch Batch) error {
	return c.channel.PublishWithContext(ctx, "counter", "shouts", false, false, amqp.Publishing{Body: []byte(batch.ID)})
}

// Sell is called from outside, too: what it does by itself is said.
func (c *Counter) Sell(ctx context.Context, batch Batch) error {
	err := c.Within(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE shelves SET loaves = loaves - 1 WHERE batch = $1`, batch.ID)
		return err
	})
	if err != nil {
		return err
	}
	return c.shout(ctx, batch) // want "dualwrite/after-commit"
}

// wrap is only called inside a transaction, which its own runner joins.
func (c *Counter) wrap(ctx context.Context, batch Batch) error {
	err := c.Within(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE shelves SET wrapped = true WHERE batch = $1`, batch.ID)
		return err
	})
	if err != nil {
		return err
	}
	return c.shout(ctx, batch) // want "dualwrite/inside-tx"
}

// WrapAll wraps in one transaction.
func (c *Counter) WrapAll(ctx context.Context, batches []Batch) error {
	return c.Within(ctx, func(ctx context.Context, _ *sql.Tx) error {
		for _, batch := range batches {
			if err := c.wrap(ctx, batch); err != nil {
				return err
			}
		}
		return nil
	})
}

// Serve nests runners and leaves its row in the transaction of the outer one.
func (c *Counter) Serve(ctx context.Context, batch Batch) error {
	return c.Within(ctx, func(ctx context.Context, tx *sql.Tx) error {
		err := c.Within(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE shelves SET served = true WHERE batch = $1`, batch.ID)
			return err
		})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO counter_outbox (id, payload) VALUES ($1, $2)`, batch.ID, batch.Recipe)
		return err
	})
}
