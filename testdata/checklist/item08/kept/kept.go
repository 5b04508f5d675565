// Package kept sends the key of the message along.
package kept

import (
	"bytes"
	"context"
	"database/sql"
	"net/http"

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
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://partner.example/orders", bytes.NewReader(m.Value))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", string(m.Key))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
