// Package writer publishes through writers that say nothing of what becomes of a message.
package writer

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

type relay struct {
	db *sql.DB
	w  *kafka.Writer
}

func newRelay(db *sql.DB) *relay {
	return &relay{db: db, w: &kafka.Writer{Addr: kafka.TCP("localhost:9092"), Topic: "events", Async: true}}
}

func (r *relay) round(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var payload []byte
	row := tx.QueryRowContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if err := row.Scan(&id, &payload); err != nil {
		return err
	}
	if err := r.w.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE outbox SET sent_at = now() WHERE id = $1`, id); err != nil { // want "relay/mark-first"
		return err
	}
	return tx.Commit()
}

type other struct {
	db *sql.DB
	w  *kafka.Writer
}

func newOther(db *sql.DB) *other {
	return &other{db: db, w: &kafka.Writer{Addr: kafka.TCP("localhost:9092"), Topic: "events", RequiredAcks: kafka.RequireAll}}
}

func (r *other) round(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	var payload []byte
	row := tx.QueryRowContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if err := row.Scan(&id, &payload); err != nil {
		return err
	}
	if err := r.w.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE outbox SET sent_at = now() WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}
