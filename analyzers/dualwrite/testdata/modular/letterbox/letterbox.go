// Package letterbox publishes the rows of a table.
package letterbox

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// Relay polls and publishes.
type Relay struct {
	db *sql.DB
	w  *kafka.Writer
}

// New makes a relay.
func New(db *sql.DB, w *kafka.Writer) *Relay { return &Relay{db: db, w: w} }

// Once publishes what waits.
func (r *Relay) Once(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var payload []byte
	row := tx.QueryRowContext(ctx, `SELECT id, payload FROM letters WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if err := row.Scan(&id, &payload); err != nil {
		return err
	}
	if err := r.w.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE letters SET sent_at = now() WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}
