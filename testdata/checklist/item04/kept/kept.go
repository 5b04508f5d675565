// Package kept measures what waits in the outbox.
package kept

import (
	"context"
	"database/sql"
	"time"

	"github.com/prometheus/client_golang/prometheus"
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
	row := tx.QueryRowContext(ctx, `SELECT id, key, payload FROM outbox_e WHERE sent = false ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if err := row.Scan(&id, &key, &payload); err != nil {
		return err
	}
	if err := r.w.WriteMessages(ctx, kafka.Message{Key: key, Value: payload}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE outbox_e SET sent = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Add puts an event into the transaction that makes it true.
func Add(ctx context.Context, tx *sql.Tx, key string, payload []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox_e (key, payload) VALUES ($1, $2)`, key, payload)
	return err
}

// Prune deletes what was sent long ago.
func (r *Relay) Prune(ctx context.Context) error {
	_, err := r.db.ExecContext(ctx, `DELETE FROM outbox_e WHERE sent AND created_at < now() - interval '30 days'`)
	return err
}

var waiting = prometheus.NewGauge(prometheus.GaugeOpts{Name: "outbox_unsent_events"})

func init() { prometheus.MustRegister(waiting) }
