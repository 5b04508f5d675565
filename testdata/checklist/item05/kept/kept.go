// Package kept records the message with the change.
package kept

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

type Consumer struct {
	db *sql.DB
	r  *kafka.Reader
}

// Run handles what comes in.
func (c *Consumer) Run(ctx context.Context) error {
	for {
		m, err := c.r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := c.handle(ctx, m); err != nil {
			return err
		}
		if err := c.r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (c *Consumer) handle(ctx context.Context, m kafka.Message) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO inbox_a (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Key))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value)); err != nil {
		return err
	}
	return tx.Commit()
}

// Prune forgets messages that cannot come again.
func (c *Consumer) Prune(ctx context.Context) error {
	_, err := c.db.ExecContext(ctx, `DELETE FROM inbox_a WHERE created_at < now() - interval '30 days'`)
	return err
}
