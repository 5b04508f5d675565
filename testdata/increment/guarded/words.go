package guarded

import (
	"context"
	"database/sql"
)

// A Desk asks something of a row, under a lock, before it changes the row.
type Desk struct{ db *sql.DB }

// Discounted asks for a discount: the word has a count in it, and means none.
//
//dmlint:handler
func (s *Desk) Discounted(ctx context.Context, d deposit) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var discount int
	if err := tx.QueryRowContext(ctx, `SELECT discount FROM accounts WHERE id = $1 FOR UPDATE`, d.Account).Scan(&discount); err != nil {
		return err
	}
	if discount > 100 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}

// Counted asks how many deposits there are.
//
//dmlint:handler
func (s *Desk) Counted(ctx context.Context, d deposit) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var depositCount int64
	if err := tx.QueryRowContext(ctx, `SELECT deposits FROM accounts WHERE id = $1 FOR UPDATE`, d.Account).Scan(&depositCount); err != nil {
		return err
	}
	if depositCount >= d.Amount {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	return tx.Commit()
}
