// Package guarded adds to what is stored, and notices in the same transaction a message that it has seen before, in as
// many ways as there are. Beside each stands what looks like it and holds nothing back.
package guarded

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"github.com/jackc/pgx/v5/pgconn"
)

type deposit struct {
	ID, Account     string
	Amount, Version int64
}

type Consumer struct{ db *sql.DB }

func (c *Consumer) within(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Violation takes the driver's word that the row is there.
//
//dmlint:handler
func (c *Consumer) Violation(ctx context.Context, d deposit) error {
	err := c.within(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.ID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
		return err
	})
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23505" {
		return nil
	}
	return err
}

var errSeen = errors.New("seen before")

type inbox struct{ tx *sql.Tx }

func (i inbox) add(ctx context.Context, id string) error {
	_, err := i.tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, id)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23505" {
		return errSeen
	}
	return err
}

// Sentinel is told by a repository's own error.
//
//dmlint:handler
func (c *Consumer) Sentinel(ctx context.Context, d deposit) error {
	err := c.within(ctx, func(tx *sql.Tx) error {
		if err := (inbox{tx}).add(ctx, d.ID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
		return err
	})
	if errors.Is(err, errSeen) {
		log.Printf("%s was seen before", d.ID)
		return nil
	}
	return err
}

// Returning gets no row where there is one.
//
//dmlint:handler
func (c *Consumer) Returning(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		var id string
		err := tx.QueryRowContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id`, d.ID).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
		return err
	})
}

//dmlint:handler
func (c *Consumer) Ignore(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `INSERT IGNORE INTO inbox (message_id) VALUES (?)`, d.ID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + ? WHERE id = ?`, d.Amount, d.Account)
		return err
	})
}

// Status goes on only for who has changed it.
//
//dmlint:handler
func (c *Consumer) Status(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1 AND status = 'pending'`, d.ID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
		return err
	})
}

// Version is in the same statement.
//
//dmlint:handler
func (c *Consumer) Version(ctx context.Context, d deposit) error {
	_, err := c.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2, version = $3 WHERE id = $1 AND version = $3 - 1`, d.Account, d.Amount, d.Version)
	return err
}

// VersionInPlace counts up whatever the message says.
//
//dmlint:handler
func (c *Consumer) VersionInPlace(ctx context.Context, d deposit) error {
	_, err := c.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2, version = version + 1 WHERE id = $1`, d.Account, d.Amount) // want "increment/unguarded"
	return err
}

// Locked asks the row that it has locked.
//
//dmlint:handler
func (c *Consumer) Locked(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		var status string
		if err := tx.QueryRowContext(ctx, `SELECT status FROM deposits WHERE id = $1 FOR UPDATE`, d.ID).Scan(&status); err != nil {
			return err
		}
		if status == "booked" {
			return nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1`, d.ID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
		return err
	})
}
