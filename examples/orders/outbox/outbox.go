// Package outbox keeps events in a table until the broker has them.
package outbox

import (
	"context"
	"database/sql"
	"encoding/json"

	"example.com/orders/events"
)

// Add inserts an event through the transaction that makes it true.
func Add(ctx context.Context, tx *sql.Tx, e events.Event) error {
	payload, err := json.Marshal(e.Payload)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO outbox (topic, key, payload) VALUES ($1, $2, $3)`, e.Topic, e.Key, payload)
	return err
}
