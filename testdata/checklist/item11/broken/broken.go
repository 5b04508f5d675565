// Package broken keeps every event for ever.
package broken

import (
	"context"
	"database/sql"
	"time"

	"github.com/segmentio/kafka-go"
)

type Relay struct {
	db *sql.DB
	w  *kafka.Writer
}

// Run publishes what waits, again and again.
func (r *Relay) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.round(ctx); err != nil {
			time.Sleep(time.Second)
		}
	}
}

func (r *Relay) round(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var key, payload []byte
	row := tx.QueryRowContext(ctx, `SELECT id, key, payload FROM outbox_h WHERE sent = false ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if err := row.Scan(&id, &key, &payload); err != nil {
		return err
	}
	if err := r.w.WriteMessages(ctx, kafka.Message{Key: key, Value: payload}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE outbox_h SET sent = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Add puts an event into the transaction that makes it true.
func Add(ctx context.Context, tx *sql.Tx, key string, payload []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox_h (key, payload) VALUES ($1, $2)`, key, payload)
	return err
}
