// Package mailroom holds an outbox, though its name does not tell, and the relay that publishes its rows.
package mailroom

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Drop inserts an event through the transaction.
func Drop(ctx context.Context, tx *sql.Tx, payload []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO parcels (payload) VALUES ($1)`, payload)
	return err
}

// Relay publishes what waits.
func Relay(ctx context.Context, db *sql.DB, w *kafka.Writer) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var payload []byte
	row := tx.QueryRowContext(ctx, `SELECT id, payload FROM parcels WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if err := row.Scan(&id, &payload); err != nil {
		return err
	}
	if err := w.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE parcels SET sent_at = now() WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}
