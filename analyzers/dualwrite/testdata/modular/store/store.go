// Package store keeps orders.
package store

import (
	"context"
	"database/sql"
)

// Repo is the repository of orders.
type Repo struct{ db *sql.DB }

// New makes a repository.
func New(db *sql.DB) *Repo { return &Repo{db: db} }

// WithTx is the repository in a transaction.
type WithTx struct{ tx *sql.Tx }

// In binds the repository to a transaction.
func (r *Repo) In(tx *sql.Tx) *WithTx { return &WithTx{tx: tx} }

// Insert adds an order in the transaction.
func (w *WithTx) Insert(ctx context.Context, id string) error {
	_, err := w.tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, id)
	return err
}

// Save adds an order in a transaction of its own.
func (r *Repo) Save(ctx context.Context, id string) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := r.In(tx).Insert(ctx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Cancel changes an order without a transaction.
func (r *Repo) Cancel(ctx context.Context, id string) error {
	_, err := r.db.ExecContext(ctx, `UPDATE orders SET state = 'cancelled' WHERE id = $1`, id)
	return err
}

// State reads an order.
func (r *Repo) State(ctx context.Context, id string) (state string, err error) {
	err = r.db.QueryRowContext(ctx, `SELECT state FROM orders WHERE id = $1`, id).Scan(&state)
	return state, err
}

// Describe has no effect: no fact mentions it.
func Describe(id, state string) string { return id + " is " + state }
