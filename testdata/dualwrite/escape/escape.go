// Package escape holds writes that go past the open transaction.
package escape

import (
	"context"
	"database/sql"
)

// A Ticket is a seat that somebody has paid for.
type Ticket struct {
	ID, Seat string
	Cents    int
}

// An Office sells tickets. Its books are a database of their own.
type Office struct {
	db    *sql.DB
	books *sql.DB
}

// NewOffice makes an office of two databases.
func NewOffice(db, books *sql.DB) *Office { return &Office{db: db, books: books} }

func atomically(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// Sell writes one of two rows on the pool.
func (o *Office) Sell(ctx context.Context, t Ticket) error {
	return atomically(ctx, o.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET sold = true WHERE id = $1`, t.Seat); err != nil {
			return err
		}
		_, err := o.db.ExecContext(ctx, `INSERT INTO tickets (id, seat) VALUES ($1, $2)`, t.ID, t.Seat) // want "dualwrite/escaped-write"
		return err
	})
}

// SellWhole writes both in the transaction.
func (o *Office) SellWhole(ctx context.Context, t Ticket) error {
	return atomically(ctx, o.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET sold = true WHERE id = $1`, t.Seat); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO tickets (id, seat) VALUES ($1, $2)`, t.ID, t.Seat)
		return err
	})
}

// Refund does so between begin and commit.
func (o *Office) Refund(ctx context.Context, t Ticket) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE seats SET sold = false WHERE id = $1`, t.Seat); err != nil {
		return err
	}
	if _, err := o.db.ExecContext(ctx, `DELETE FROM tickets WHERE id = $1`, t.ID); err != nil { // want "dualwrite/escaped-write"
		return err
	}
	return tx.Commit()
}

// RefundOrdered writes on the pool before the transaction and after it.
func (o *Office) RefundOrdered(ctx context.Context, t Ticket) error {
	if _, err := o.db.ExecContext(ctx, `INSERT INTO refunds (ticket) VALUES ($1)`, t.ID); err != nil {
		return err
	}
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE seats SET sold = false WHERE id = $1`, t.Seat); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = o.db.ExecContext(ctx, `UPDATE refunds SET done = true WHERE ticket = $1`, t.ID)
	return err
}

// Book writes to the other database, which no transaction of the first could cover.
func (o *Office) Book(ctx context.Context, t Ticket) error {
	return atomically(ctx, o.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE tickets SET booked = true WHERE id = $1`, t.ID); err != nil {
			return err
		}
		_, err := o.books.ExecContext(ctx, `INSERT INTO entries (ticket, cents) VALUES ($1, $2)`, t.ID, t.Cents)
		return err
	})
}

// Check reads on the pool.
func (o *Office) Check(ctx context.Context, t Ticket) error {
	return atomically(ctx, o.db, func(tx *sql.Tx) error {
		if err := o.db.QueryRowContext(ctx, `SELECT seat FROM tickets WHERE id = $1`, t.ID).Scan(&t.Seat); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE seats SET checked = true WHERE id = $1`, t.Seat)
		return err
	})
}

// Look notes on the pool when somebody was last here, which stays as well when the transaction does not.
func (o *Office) Look(ctx context.Context, t Ticket) error {
	return atomically(ctx, o.db, func(tx *sql.Tx) error {
		if _, err := o.db.ExecContext(ctx, `UPDATE visitors SET last_seen_at = now() WHERE ticket = $1`, t.ID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE seats SET looked_at = looked_at + 1 WHERE id = $1`, t.Seat)
		return err
	})
}

// Waive inserts through a query, which is a write all the same.
func (o *Office) Waive(ctx context.Context, t Ticket) (id string, err error) {
	err = atomically(ctx, o.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE tickets SET cents = 0 WHERE id = $1`, t.ID); err != nil {
			return err
		}
		row := o.db.QueryRowContext(ctx, `INSERT INTO waivers (ticket) VALUES ($1) RETURNING id`, t.ID) // want "dualwrite/escaped-write"
		return row.Scan(&id)
	})
	return id, err
}

// Close balances the books through the same runner, which makes one database of two as little as the constructor does.
func (o *Office) Close(ctx context.Context, day string) error {
	return atomically(ctx, o.books, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE entries SET closed = true WHERE day = $1`, day)
		return err
	})
}
