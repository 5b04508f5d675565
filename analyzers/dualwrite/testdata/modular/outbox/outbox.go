// Package outbox holds events until a relay publishes them.
package outbox

import (
	"context"
	"database/sql"
)

// Add inserts an event through the transaction.
func Add(ctx context.Context, tx *sql.Tx, body []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox (body) VALUES ($1)`, body)
	return err
}
