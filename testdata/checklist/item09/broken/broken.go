// Package broken assigns whatever status comes in.
package broken

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

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

// An Event says what an order has become.
type Event struct {
	ID, Status string
	At         time.Time
}

func (c *Consumer) handle(ctx context.Context, m kafka.Message) error {
	var e Event
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := c.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, e.ID, e.Status)
	return err
}
