// Package broken confirms a message before its effect.
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
		if err := c.r.CommitMessages(ctx, m); err != nil {
			return err
		}
		if err := c.handle(ctx, m); err != nil {
			return err
		}
	}
}

func (c *Consumer) handle(ctx context.Context, m kafka.Message) error {
	_, err := c.db.ExecContext(ctx, `UPDATE addresses SET street = $2 WHERE id = $1`, string(m.Key), string(m.Value))
	return err
}
