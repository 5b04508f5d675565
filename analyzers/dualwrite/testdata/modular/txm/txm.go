// Package txm carries transactions in contexts, by a type that nobody else can see.
package txm

import (
	"context"
	"database/sql"
	"errors"
)

// Executor is a database or a transaction.
type Executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Manager runs a unit of work.
type Manager interface {
	Do(ctx context.Context, fn func(ctx context.Context) error) error
}

type key struct{}

type manager struct{ db *sql.DB }

// New makes a manager.
func New(db *sql.DB) Manager { return &manager{db: db} }

// Do runs fn in a transaction.
func (m *manager) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(context.WithValue(ctx, key{}, tx)); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// From gives the transaction of ctx, or the database.
func From(ctx context.Context, db *sql.DB) Executor {
	if tx, ok := ctx.Value(key{}).(*sql.Tx); ok {
		return tx
	}
	return db
}
