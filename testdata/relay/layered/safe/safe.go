// Package safe runs each round in a transaction that travels in the context.
package safe

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
)

type key struct{}

type event struct {
	id   string
	data []byte
}

type db interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

type manager struct{ pool *pgxpool.Pool }

func (m *manager) within(ctx context.Context, f func(ctx context.Context) error) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := f(context.WithValue(ctx, key{}, tx)); err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	return tx.Commit(ctx)
}

type relay struct {
	tx *manager
	js nats.JetStreamContext
}

func (r *relay) round(ctx context.Context) error {
	return r.tx.within(ctx, func(ctx context.Context) error {
		tx := ctx.Value(key{}).(pgx.Tx)
		events, err := pending(ctx, tx)
		if err != nil {
			return err
		}
		for _, e := range events {
			if _, err := r.js.Publish("events", e.data); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `UPDATE bulletins SET sent_at = now() WHERE id = $1`, e.id); err != nil {
				return err
			}
		}
		return nil
	})
}

func pending(ctx context.Context, q db) ([]event, error) {
	rows, err := q.Query(ctx, `SELECT id, data FROM bulletins WHERE sent_at IS NULL LIMIT 5 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e event, err error) {
		return e, row.Scan(&e.id, &e.data)
	})
}

// past reads through the pool in the midst of the transaction.
type past struct {
	relay
	pool *pgxpool.Pool
}

func (r *past) round(ctx context.Context) error {
	return r.tx.within(ctx, func(ctx context.Context) error {
		tx := ctx.Value(key{}).(pgx.Tx)
		rows, err := r.pool.Query(ctx, `SELECT id, data FROM bulletins WHERE sent_at IS NULL LIMIT 5 FOR UPDATE SKIP LOCKED`) // want "relay/unlocked"
		if err != nil {
			return err
		}
		for rows.Next() {
			var e event
			if err := rows.Scan(&e.id, &e.data); err != nil {
				return err
			}
			if _, err := r.js.Publish("events", e.data); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `UPDATE bulletins SET sent_at = now() WHERE id = $1`, e.id); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
