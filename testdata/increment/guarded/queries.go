package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/hibiken/asynq"
)

// DBTX is what a pool and a transaction have in common, as sqlc writes it.
type DBTX interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

type Queries struct{ db DBTX }

func (q *Queries) Status(ctx context.Context, id string) (status string, err error) {
	err = q.db.QueryRowContext(ctx, `SELECT status FROM top_ups WHERE id = $1 FOR UPDATE`, id).Scan(&status)
	return status, err
}

func (q *Queries) Finish(ctx context.Context, id string) error {
	_, err := q.db.ExecContext(ctx, `UPDATE top_ups SET status = 'done' WHERE id = $1`, id)
	return err
}

func (q *Queries) Add(ctx context.Context, id string) error {
	_, err := q.db.ExecContext(ctx, `UPDATE wallets SET balance = balance + 1 WHERE id = $1`, id) // want "increment/unguarded"
	return err
}

// AddAsked is for asked alone.
func (q *Queries) AddAsked(ctx context.Context, id string) error {
	_, err := q.db.ExecContext(ctx, `UPDATE wallets SET balance = balance + 1 WHERE id = $1`, id)
	return err
}

type TopUps struct{ db *sql.DB }

func (t *TopUps) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("top-up", t.asked)
	mux.HandleFunc("top-up-blindly", t.blindly)
}

// asked looks at the row that it has locked, through statements behind an interface.
func (t *TopUps) asked(ctx context.Context, task *asynq.Task) error {
	var id string
	if err := json.Unmarshal(task.Payload(), &id); err != nil {
		return err
	}
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	q := &Queries{db: tx}
	status, err := q.Status(ctx, id)
	if err != nil || status == "done" {
		return err
	}
	if err := q.Finish(ctx, id); err != nil {
		return err
	}
	if err := q.AddAsked(ctx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// blindly is what makes Add a finding.
func (t *TopUps) blindly(ctx context.Context, task *asynq.Task) error {
	q := &Queries{db: t.db}
	return q.Add(ctx, string(task.Payload()))
}
