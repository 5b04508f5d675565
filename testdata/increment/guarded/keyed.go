package guarded

import (
	"context"
	"database/sql"
	"log"
)

// A Ledger has rows that are known by the message.
type Ledger struct{ db *sql.DB }

// Keyed undoes the increment where the row that follows is there.
//
//dmlint:handler
func (l *Ledger) Keyed(ctx context.Context, d deposit) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO bookings (id, amount) VALUES ($1, $2)`, d.ID, d.Amount); err != nil {
		return err
	}
	return tx.Commit()
}

// Trailed only adds a line to a trail.
//
//dmlint:handler
func (l *Ledger) Trailed(ctx context.Context, d deposit) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO audit_log (deposit, amount) VALUES ($1, $2)`, d.ID, d.Amount); err != nil {
		return err
	}
	return tx.Commit()
}

// KeyedElsewhere commits before the row could be in the way.
//
//dmlint:handler
func (l *Ledger) KeyedElsewhere(ctx context.Context, d deposit) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = l.db.ExecContext(ctx, `INSERT INTO bookings (id, amount) VALUES ($1, $2)`, d.ID, d.Amount)
	return err
}

// Unlooked does not know whether it has changed the status.
//
//dmlint:handler
func (l *Ledger) Unlooked(ctx context.Context, d deposit) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1 AND status = 'pending'`, d.ID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}

// Unasked only waits for its turn.
//
//dmlint:handler
func (l *Ledger) Unasked(ctx context.Context, d deposit) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var name string
	if err := tx.QueryRowContext(ctx, `SELECT name FROM accounts WHERE id = $1 FOR UPDATE`, d.Account).Scan(&name); err != nil {
		return err
	}
	log.Printf("credit for %s", name)
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}
