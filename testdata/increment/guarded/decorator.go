package guarded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"

	"github.com/jackc/pgx/v5/pgconn"
)

// Seen keeps the messages that were handled.
type Seen interface {
	Add(ctx context.Context, tx *sql.Tx, id string) error
}

type table struct{}

func (table) Add(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, id)
	return err
}

// mapped says in the program's words what the driver says.
type mapped struct{ next Seen }

func (m mapped) Add(ctx context.Context, tx *sql.Tx, id string) error {
	err := m.next.Add(ctx, tx, id)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23505" {
		return errSeen
	}
	if err != nil {
		return fmt.Errorf("inbox: %w", err)
	}
	return nil
}

// logged writes down what it is told.
type logged struct{ next Seen }

func (l logged) Add(ctx context.Context, tx *sql.Tx, id string) error {
	err := l.next.Add(ctx, tx, id)
	if err != nil {
		log.Printf("add %s: %v", id, err)
	}
	return err
}

type Decorated struct {
	db   *sql.DB
	seen Seen
}

func NewDecorated(db *sql.DB) *Decorated { return &Decorated{db, logged{mapped{table{}}}} }

//dmlint:handler
func (d *Decorated) Handle(ctx context.Context, m deposit) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := d.seen.Add(ctx, tx, m.ID); errors.Is(err, errSeen) {
		return nil
	} else if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, m.Account, m.Amount); err != nil {
		return err
	}
	return tx.Commit()
}

// Careless goes on with a message that was seen.
//
//dmlint:handler
func (d *Decorated) Careless(ctx context.Context, m deposit) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := d.seen.Add(ctx, tx, m.ID); err != nil && !errors.Is(err, errSeen) { // want "inboxorder/ignored-conflict"
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, m.Account, m.Amount); err != nil {
		return err
	}
	return tx.Commit()
}
