// Package runner runs functions that it is given.
package runner

import (
	"context"
	"database/sql"
	"errors"
)

// InTx runs fn in a transaction.
func InTx(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Twice runs fn until it succeeds.
func Twice(fn func() error) error {
	if err := fn(); err == nil {
		return nil
	}
	return fn()
}
