// Package shrug has relays that pass over the error of a publish, or hand rows to workers.
package shrug

import (
	"context"
	"database/sql"
	"log"
	"time"

	"github.com/segmentio/kafka-go"
)

type row struct {
	id      int64
	payload []byte
}

type relay struct {
	db *sql.DB
	w  *kafka.Writer
}

func (r *relay) take(ctx context.Context, tx *sql.Tx) (out []row, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 20 FOR UPDATE`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m row
		if err := rows.Scan(&m.id, &m.payload); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

func (r *relay) each(ctx context.Context, f func(tx *sql.Tx, m row) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	batch, err := r.take(ctx, tx)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := f(tx, m); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func mark(ctx context.Context, tx *sql.Tx, m row, status string) error {
	_, err := tx.ExecContext(ctx, `UPDATE outbox SET sent_at = now(), status = $2 WHERE id = $1`, m.id, status)
	return err
}

func (r *relay) send(ctx context.Context, m row) error {
	return r.w.WriteMessages(ctx, kafka.Message{Value: m.payload})
}

func (r *relay) logged(ctx context.Context) error {
	return r.each(ctx, func(tx *sql.Tx, m row) error {
		if err := r.send(ctx, m); err != nil {
			log.Printf("row %d: %v", m.id, err)
		}
		return mark(ctx, tx, m, "sent") // want "relay/mark-first"
	})
}

func (r *relay) dropped(ctx context.Context) error {
	return r.each(ctx, func(tx *sql.Tx, m row) error {
		_ = r.send(ctx, m)
		return mark(ctx, tx, m, "sent") // want "relay/mark-first"
	})
}

// skipped leaves the row as it is.
func (r *relay) skipped(ctx context.Context) error {
	return r.each(ctx, func(tx *sql.Tx, m row) error {
		if err := r.send(ctx, m); err != nil {
			log.Printf("row %d: %v", m.id, err)
			return nil
		}
		return mark(ctx, tx, m, "sent")
	})
}

// told writes down how it ended.
func (r *relay) told(ctx context.Context) error {
	return r.each(ctx, func(tx *sql.Tx, m row) error {
		status := "sent"
		if err := r.send(ctx, m); err != nil {
			log.Printf("row %d: %v", m.id, err)
			status = "failed"
		}
		return mark(ctx, tx, m, status)
	})
}

// workers take rows out of a channel while the next round reads them again.
type pool struct {
	relay
	rows chan row
}

func (p *pool) run(ctx context.Context) {
	for range 4 {
		go p.work(ctx)
	}
	for range time.Tick(time.Second) {
		batch, err := p.pending(ctx)
		if err != nil {
			continue
		}
		for _, m := range batch {
			p.rows <- m
		}
	}
}

func (p *pool) pending(ctx context.Context) (out []row, err error) {
	rows, err := p.db.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL`) // want "relay/unlocked"
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m row
		if err := rows.Scan(&m.id, &m.payload); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

func (p *pool) work(ctx context.Context) {
	for m := range p.rows {
		if err := p.send(ctx, m); err != nil {
			continue
		}
		if _, err := p.db.ExecContext(ctx, `UPDATE outbox SET sent_at = now() WHERE id = $1`, m.id); err != nil {
			log.Print(err)
		}
	}
}

// aside marks rows that goroutines are still about.
func (r *relay) aside(ctx context.Context) error {
	return r.each(ctx, func(tx *sql.Tx, m row) error {
		go r.send(ctx, m)
		return mark(ctx, tx, m, "sent") // want "relay/mark-first"
	})
}

// together waits for them.
func (r *relay) together(ctx context.Context) error {
	return r.each(ctx, func(tx *sql.Tx, m row) error {
		done := make(chan error, 1)
		go func() { done <- r.send(ctx, m) }()
		if err := <-done; err != nil {
			return err
		}
		return mark(ctx, tx, m, "sent")
	})
}
