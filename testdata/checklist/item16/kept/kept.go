// Package kept tries a limited number of times.
package kept

import (
	"context"
	"database/sql"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Consume handles what comes in.
func Consume(ctx context.Context, ch *amqp.Channel, db *sql.DB) error {
	if _, err := ch.QueueDeclare("orders", true, false, false, false, amqp.Table{"x-dead-letter-exchange": "dead", "x-delivery-limit": 5}); err != nil {
		return err
	}
	ds, err := ch.Consume("orders", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range ds {
		if _, err := db.ExecContext(ctx, `UPDATE addresses SET street = $2 WHERE id = $1`, d.MessageId, string(d.Body)); err != nil {
			if err := d.Nack(false, true); err != nil {
				return err
			}
			continue
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}
