// Package statement adds to what is stored in one statement, in the words of several libraries: with nothing that notices
// a message that comes again, and beside that with an inbox in the same transaction.
package statement

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/nats-io/nats.go"
)

type credit struct {
	ID, Account string
	Amount      int64
}

func read(m *nats.Msg) (c credit, err error) { return c, json.Unmarshal(m.Data, &c) }

type SQL struct{ db *sql.DB }

func (s *SQL) Text(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount) // want "increment/unguarded"
	return err
}

func (s *SQL) TextInTx(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`UPDATE accounts SET balance = balance - $2 WHERE id = $1`, c.Account, c.Amount); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}

// TextUpsert adds where the row is there.
func (s *SQL) TextUpsert(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(`INSERT INTO totals (account, amount) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET amount = totals.amount + EXCLUDED.amount`, c.Account, c.Amount) // want "increment/unguarded"
	return err
}

// TextAssigned takes the balance from the message: it comes out the same.
func (s *SQL) TextAssigned(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(`UPDATE accounts SET balance = $2 WHERE id = $1`, c.Account, c.Amount)
	return err
}

// TextAttempts counts what may be counted once more.
func (s *SQL) TextAttempts(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(`UPDATE accounts SET attempts = attempts + 1 WHERE id = $1`, c.Account)
	return err
}

func (s *SQL) TextInbox(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.Exec(`INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, c.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.Exec(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount); err != nil {
		return err
	}
	return tx.Commit()
}

type SQLX struct{ db *sqlx.DB }

func (s *SQLX) Named(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = s.db.NamedExec(`UPDATE accounts SET balance = balance + :amount WHERE id = :account`, c) // want "increment/unguarded"
	return err
}

func (s *SQLX) NamedInbox(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	tx, err := s.db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NamedExec(`INSERT INTO inbox (message_id) VALUES (:id)`, c); err != nil {
		return err
	}
	if _, err := tx.NamedExec(`UPDATE accounts SET balance = balance + :amount WHERE id = :account`, c); err != nil {
		return err
	}
	return tx.Commit()
}

type PGX struct{ pool *pgxpool.Pool }

func (s *PGX) Exec(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + @amount WHERE id = @id`, pgx.NamedArgs{"id": c.Account, "amount": c.Amount}) // want "increment/unguarded"
		return err
	})
}

func (s *PGX) ExecInbox(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, c.ID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
		return err
	})
}

// Batched sends both statements at once: the first one fails for both.
func (s *PGX) Batched(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`INSERT INTO inbox (message_id) VALUES ($1)`, c.ID)
		b.Queue(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
		return tx.SendBatch(ctx, b).Close()
	})
}

func (s *PGX) BatchedAlone(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`UPDATE customers SET changed = true WHERE id = $1`, c.Account)
		b.Queue(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
		return tx.SendBatch(ctx, b).Close() // want "increment/unguarded"
	})
}

// Kept has its statements queued before the transaction is begun, in a variable that the closure captures.
func (s *PGX) Kept(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	b.Queue(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return tx.SendBatch(ctx, b).Close() // want "increment/unguarded"
	})
}

// KeptInbox has the same, beside a record of the message.
func (s *PGX) KeptInbox(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	b.Queue(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b.Queue(`INSERT INTO inbox (message_id) VALUES ($1)`, c.ID)
		return tx.SendBatch(ctx, b).Close()
	})
}

// Skipping sends the change with the record, whether the record is there or not.
func (s *PGX) Skipping(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, c.ID)
		b.Queue(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
		return tx.SendBatch(ctx, b).Close() // want "inboxorder/ignored-conflict"
	})
}

// Filled has statements from elsewhere, too: a write, and no more is known of it.
func (s *PGX) Filled(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue(`UPDATE accounts SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount)
		queueInbox(b, c.ID)
		return tx.SendBatch(ctx, b).Close()
	})
}

func queueInbox(b *pgx.Batch, id string) {
	b.Queue(`INSERT INTO inbox (message_id) VALUES ($1)`, id)
}
