// Package limited has its queue limit deliveries.
package limited

import (
	"context"
	"database/sql"

	amqp "github.com/rabbitmq/amqp091-go"
)

type Meter struct {
	db *sql.DB
	ch *amqp.Channel
}

// Declare makes a queue that gives up.
func (s *Meter) Declare() error {
	_, err := s.ch.QueueDeclare("readings", true, false, false, false, amqp.Table{
		"x-queue-type":           "quorum",
		"x-delivery-limit":       int32(10),
		"x-dead-letter-exchange": "readings.dead",
	})
	return err
}

func (s *Meter) Run(ctx context.Context, in <-chan amqp.Delivery) {
	for m := range in {
		if _, err := s.db.ExecContext(ctx, `UPDATE meters SET seen = true WHERE id = $1`, string(m.Body)); err != nil {
			m.Nack(false, true)
			continue
		}
		m.Ack(false)
	}
}
