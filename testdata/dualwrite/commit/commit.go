// Package commit holds the ways in which a function ends a transaction that it has begun itself.
package commit

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// A Loan is a title that a member has taken home.
type Loan struct {
	ID, Member, Title string
}

// A Desk lends titles.
type Desk struct {
	db    *sql.DB
	queue *kafka.Writer
}

func (l Loan) message() kafka.Message {
	return kafka.Message{Topic: "loans", Key: []byte(l.ID), Value: []byte(l.Title)}
}

// Lend commits in the condition of an if.
func (d *Desk) Lend(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO loans (id, member, title) VALUES ($1, $2, $3)`, l.ID, l.Member, l.Title); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("lend %s: %w", l.ID, err)
	}
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
}

// LendRecorded puts the event beside the loan.
func (d *Desk) LendRecorded(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO loans (id, member, title) VALUES ($1, $2, $3)`, l.ID, l.Member, l.Title); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO loan_outbox (id, topic, payload) VALUES ($1, 'loans', $2)`, l.ID, l.Title); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("lend %s: %w", l.ID, err)
	}
	return nil
}

// Prolong goes on where the commit has not failed.
func (d *Desk) Prolong(ctx context.Context, l Loan, days int) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, `UPDATE loans SET days = days + $2 WHERE id = $1`, l.ID, days); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err = tx.Commit(); err == nil {
		err = d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
	}
	return err
}

// ProlongRefused publishes where the commit has failed.
func (d *Desk) ProlongRefused(ctx context.Context, l Loan, days int) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, `UPDATE loans SET days = days + $2 WHERE id = $1`, l.ID, days); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err = tx.Commit(); err != nil {
		err = d.queue.WriteMessages(ctx, l.message())
	}
	return err
}

// GiveBack switches on how the commit has ended.
func (d *Desk) GiveBack(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `DELETE FROM loans WHERE id = $1`, l.ID); err != nil {
		return err
	}
	switch err := tx.Commit(); {
	case err != nil:
		return d.queue.WriteMessages(ctx, kafka.Message{Topic: "failures", Key: []byte(l.ID)})
	default:
		return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
	}
}

// Reserve publishes too early.
func (d *Desk) Reserve(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO reservations (id, member) VALUES ($1, $2)`, l.ID, l.Member); err != nil {
		return err
	}
	if err := d.queue.WriteMessages(ctx, l.message()); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return tx.Commit()
}

// ReserveAnnounced publishes even before it writes.
func (d *Desk) ReserveAnnounced(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := d.queue.WriteMessages(ctx, l.message()); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO reservations (id, member) VALUES ($1, $2)`, l.ID, l.Member); err != nil {
		return err
	}
	return tx.Commit()
}

// ReserveForeseen publishes before there is a transaction.
func (d *Desk) ReserveForeseen(ctx context.Context, l Loan) error {
	if err := d.queue.WriteMessages(ctx, l.message()); err != nil { // want "dualwrite/before-write"
		return err
	}
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO reservations (id, member) VALUES ($1, $2)`, l.ID, l.Member); err != nil {
		return err
	}
	return tx.Commit()
}

// Remind only reads in its transaction.
func (d *Desk) Remind(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, `SELECT title FROM loans WHERE id = $1`, l.ID).Scan(&l.Title); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message())
}

// Rehearse takes everything back before it publishes.
func (d *Desk) Rehearse(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO loans (id, member, title) VALUES ($1, $2, $3)`, l.ID, l.Member, l.Title); err != nil {
		return err
	}
	if err := tx.Rollback(); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message())
}

// Forget does not look at how the commit has ended.
func (d *Desk) Forget(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE loans SET member = NULL WHERE id = $1`, l.ID); err != nil {
		_ = tx.Rollback()
		return err
	}
	_ = tx.Commit()
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
}

// Prepare makes a table: nothing that anyone would be told.
func (d *Desk) Prepare(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS loans (id text PRIMARY KEY, member text, title text, days int)`); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message())
}

// Twice tells two topics of one commit: one flaw, at the first of them.
func (d *Desk) Twice(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE loans SET title = $2 WHERE id = $1`, l.ID, l.Title); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if err := d.queue.WriteMessages(ctx, l.message()); err != nil { // want "dualwrite/after-commit"
		return err
	}
	return d.queue.WriteMessages(ctx, kafka.Message{Topic: "catalogue", Key: []byte(l.ID)})
}
