// Package broken relies on the broker.
package broken

import (
	"context"
	"database/sql"

	confluent "github.com/confluentinc/confluent-kafka-go/v2/kafka"
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
	_, err := c.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value))
	return err
}

// Open makes a producer that the broker keeps from storing twice.
func Open() (*confluent.Producer, error) {
	return confluent.NewProducer(&confluent.ConfigMap{"enable.idempotence": true})
}
