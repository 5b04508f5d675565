package guarded

import (
	"context"
	"database/sql"
	"log"

	"github.com/google/uuid"
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

// Renamed records every delivery under a name of its own.
//
//dmlint:handler
func (l *Ledger) Renamed(ctx context.Context, d deposit) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO processed (id, account) VALUES ($1, $2)`, uuid.New(), d.Account); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}

// Peeked is told, and does not listen.
//
//dmlint:handler
func (l *Ledger) Peeked(ctx context.Context, d deposit) error {
	_ = l.known(ctx, d.ID)
	_, err := l.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount) // want "increment/unguarded"
	return err
}

func (l *Ledger) known(ctx context.Context, id string) bool {
	var status string
	return l.db.QueryRowContext(ctx, `SELECT status FROM deposits WHERE id = $1`, id).Scan(&status) == nil
}

// StatusFirst has its status changed before, by itself: no record of messages, and no second increment either.
//
//dmlint:handler
func (l *Ledger) StatusFirst(ctx context.Context, d deposit) error {
	res, err := l.db.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1 AND status = 'pending'`, d.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = l.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
	return err
}
