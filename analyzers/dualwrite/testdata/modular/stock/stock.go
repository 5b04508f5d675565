// Package stock commits only where it fails.
package stock

import (
	"context"
	"database/sql"

	"example.test/shop/failure"
)

// Repo keeps the stock.
type Repo struct{ db *sql.DB }

// Reserve notes a full warehouse; else it changes nothing.
func (r *Repo) Reserve(ctx context.Context, id string, full bool) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE stock SET asked = true WHERE id = $1`, id); err != nil {
		return err
	}
	if full {
		if err := tx.Commit(); err != nil {
			return err
		}
		return failure.Full(id)
	}
	return nil
}
