// Package broken records the message after the change.
package broken

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
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value)); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = c.db.ExecContext(ctx, `INSERT INTO inbox_c (message_id) VALUES ($1)`, string(m.Key))
	return err
}

// Prune forgets messages that cannot come again.
func (c *Consumer) Prune(ctx context.Context) error {
	_, err := c.db.ExecContext(ctx, `DELETE FROM inbox_c WHERE created_at < now() - interval '30 days'`)
	return err
}
