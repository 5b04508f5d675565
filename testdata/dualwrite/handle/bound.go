// Package handle holds the ways in which a transaction gets to the code that writes: objects bound to it, arguments,
// contexts.
package handle

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// A Visit is an appointment of an animal.
type Visit struct {
	ID, Animal string
}

// conn is what a pool and a transaction have in common.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// visits is a repository that can be bound to a transaction.
type visits struct {
	db conn
}

func (v *visits) WithTx(tx *sql.Tx) *visits { return &visits{db: tx} }

func (v *visits) add(ctx context.Context, x Visit) error {
	_, err := v.db.ExecContext(ctx, `INSERT INTO visits (id, animal) VALUES ($1, $2)`, x.ID, x.Animal)
	return err
}

// letters is an outbox that can be bound in the same way.
type letters struct {
	db conn
}

func (l *letters) WithTx(tx *sql.Tx) *letters { return &letters{db: tx} }

func (l *letters) write(ctx context.Context, x Visit) error {
	_, err := l.db.ExecContext(ctx, `INSERT INTO clinic_outbox (id, payload) VALUES ($1, $2)`, x.ID, x.Animal)
	return err
}

// A Clinic treats animals.
type Clinic struct {
	db      *sql.DB
	visits  *visits
	letters *letters
	queue   *kafka.Writer
}

// NewClinic makes a clinic of one database.
func NewClinic(db *sql.DB, queue *kafka.Writer) *Clinic {
	return &Clinic{db: db, visits: &visits{db: db}, letters: &letters{db: db}, queue: queue}
}

func (c *Clinic) call(ctx context.Context, v Visit) error {
	return c.queue.WriteMessages(ctx, kafka.Message{Key: []byte(v.ID), Value: []byte(v.Animal)})
}

// Admit binds its repository and publishes all the same.
func (c *Clinic) Admit(ctx context.Context, v Visit) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := c.visits.WithTx(tx).add(ctx, v); err != nil {
		return err
	}
	if err := c.call(ctx, v); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return tx.Commit()
}

// AdmitRecorded binds both.
func (c *Clinic) AdmitRecorded(ctx context.Context, v Visit) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := c.visits.WithTx(tx).add(ctx, v); err != nil {
		return err
	}
	if err := c.letters.WithTx(tx).write(ctx, v); err != nil {
		return err
	}
	return tx.Commit()
}

// AdmitHalf forgets to bind the outbox.
func (c *Clinic) AdmitHalf(ctx context.Context, v Visit) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := c.visits.WithTx(tx).add(ctx, v); err != nil {
		return err
	}
	if err := c.letters.write(ctx, v); err != nil { // want "dualwrite/escaped-write"
		return err
	}
	return tx.Commit()
}

// AdmitOtherHalf forgets to bind the repository.
func (c *Clinic) AdmitOtherHalf(ctx context.Context, v Visit) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := c.visits.add(ctx, v); err != nil { // want "dualwrite/escaped-write"
		return err
	}
	if err := c.letters.WithTx(tx).write(ctx, v); err != nil {
		return err
	}
	return tx.Commit()
}

// AdmitUnbound has no transaction to be bound to.
func (c *Clinic) AdmitUnbound(ctx context.Context, v Visit) error {
	if err := c.visits.add(ctx, v); err != nil {
		return err
	}
	return c.call(ctx, v) // want "dualwrite/no-tx"
}
