// Package store keeps events in a table, through whatever it is given: the pool, or a transaction.
package store

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

type Event struct {
	ID      int64
	Topic   string
	Payload []byte
}

type Repo struct{ Q Querier }

func New(pool *pgxpool.Pool) *Repo { return &Repo{Q: pool} }

func (r *Repo) WithTx(tx pgx.Tx) *Repo { return &Repo{Q: tx} }

func (r *Repo) InTx(ctx context.Context, pool *pgxpool.Pool, f func(r *Repo) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return f(r.WithTx(tx)) })
}

func (r *Repo) ClaimBatch(ctx context.Context, n int) ([]Event, error) {
	rows, err := r.Q.Query(ctx, `WITH c AS (SELECT id FROM outbox_events WHERE status = 'pending' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
	UPDATE outbox_events o SET status = 'processing', locked_at = now() FROM c WHERE o.id = c.id RETURNING o.id, o.topic, o.payload`, n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Event])
}

func (r *Repo) TakeBatch(ctx context.Context, n int) ([]Event, error) {
	rows, err := r.Q.Query(ctx, `UPDATE outbox_events SET status = 'sent', sent_at = now() WHERE id IN (SELECT id FROM outbox_events WHERE status = 'pending' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id, topic, payload`, n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Event])
}

func (r *Repo) Pending(ctx context.Context, n int) ([]Event, error) {
	rows, err := r.Q.Query(ctx, `SELECT id, topic, payload FROM outbox_events WHERE status = 'pending' ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`, n) // want "relay/unlocked"
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Event])
}

func (r *Repo) Oldest(ctx context.Context) (age float64, err error) {
	err = r.Q.QueryRow(ctx, `SELECT extract(epoch from now() - min(created_at)) FROM outbox_events WHERE status = 'pending'`).Scan(&age)
	return
}

func (r *Repo) SetStatus(ctx context.Context, id int64, status string) error {
	_, err := r.Q.Exec(ctx, `UPDATE outbox_events SET status = $2, updated_at = now() WHERE id = $1`, id, status)
	return err
}

func (r *Repo) Requeue(ctx context.Context) error {
	_, err := r.Q.Exec(ctx, `UPDATE outbox_events SET status = 'pending' WHERE status = 'processing' AND locked_at < now() - interval '5 minutes'`)
	return err
}

func (r *Repo) Fail(ctx context.Context, id int64, msg string) error {
	_, err := r.Q.Exec(ctx, `UPDATE outbox_events SET status = 'pending', attempts = attempts + 1, last_error = $2 WHERE id = $1`, id, msg)
	return err
}

func (r *Repo) Insert(ctx context.Context, e Event) (id int64, err error) {
	err = r.Q.QueryRow(ctx, `INSERT INTO outbox_events (topic, payload) VALUES ($1, $2) RETURNING id`, e.Topic, e.Payload).Scan(&id)
	return
}
