// Package broken asks first and records in the end.
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
	var seen bool
	if err := c.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM inbox_e WHERE message_id = $1)`, string(m.Key)).Scan(&seen); err != nil {
		return err
	}
	if seen {
		return nil
	}
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
	_, err = c.db.ExecContext(ctx, `INSERT INTO inbox_e (message_id) VALUES ($1)`, string(m.Key))
	return err
}

// Prune forgets messages that cannot come again.
func (c *Consumer) Prune(ctx context.Context) error {
	_, err := c.db.ExecContext(ctx, `DELETE FROM inbox_e WHERE created_at < now() - interval '30 days'`)
	return err
}
