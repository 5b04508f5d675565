package generated

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go"
)

// Seals are stored through generated statements.
type Seals struct {
	db         *sql.DB
	statements *Statements
	conn       *nats.Conn
}

// NewSeals binds the statements to the pool.
func NewSeals(db *sql.DB, conn *nats.Conn) *Seals {
	return &Seals{db: db, statements: New(db), conn: conn}
}

func (s *Seals) inTx(ctx context.Context, fn func(*Statements) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(s.statements.WithTx(tx)); err != nil {
		return err
	}
	return tx.Commit()
}

// Put uses the pool.
func (s *Seals) Put(ctx context.Context, id string) error {
	if err := s.statements.PutSeal(ctx, id); err != nil {
		return err
	}
	return s.conn.Publish("seals", []byte(id)) // want "dualwrite/no-tx"
}

// PutInTx publishes in a transaction.
func (s *Seals) PutInTx(ctx context.Context, id string) error {
	return s.inTx(ctx, func(q *Statements) error {
		if err := q.PutSeal(ctx, id); err != nil {
			return err
		}
		return s.conn.Publish("seals", []byte(id)) // want "dualwrite/inside-tx"
	})
}

// PutRecorded writes both in it.
func (s *Seals) PutRecorded(ctx context.Context, id string) error {
	return s.inTx(ctx, func(q *Statements) error {
		if err := q.PutSeal(ctx, id); err != nil {
			return err
		}
		return q.PutOutbox(ctx, id)
	})
}

// PutPast writes one of them through the pool.
func (s *Seals) PutPast(ctx context.Context, id string) error {
	return s.inTx(ctx, func(q *Statements) error {
		if err := q.PutSeal(ctx, id); err != nil {
			return err
		}
		return s.statements.PutOutbox(ctx, id) // want "dualwrite/escaped-write"
	})
}
