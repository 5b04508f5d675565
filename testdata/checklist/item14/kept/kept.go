// Package kept keeps the events of an order in order.
package kept

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type Orders struct {
	db *sql.DB
	w  *kafka.Writer
}

// An Order is what somebody wants.
type Order struct{ ID, Status string }

// Tell publishes what has become of an order.
func (o *Orders) Tell(ctx context.Context, order Order) error {
	body, err := json.Marshal(order)
	if err != nil {
		return err
	}
	return o.w.WriteMessages(ctx, kafka.Message{Key: []byte(order.ID), Value: body})
}
