package guarded

import (
	"context"
	stdsql "database/sql"
	"errors"

	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// Watermill's subscriber hands on the transaction in which it moves its offset.
func Route(r *message.Router, sub message.Subscriber) {
	r.AddConsumerHandler("credits", "credits", sub, credits)
	r.AddConsumerHandler("debits", "debits", sub, (&debits{}).handle)
}

func credits(m *message.Message) error {
	tx, ok := sql.TxFromContext(m.Context())
	if !ok {
		return errors.New("no transaction")
	}
	_, err := tx.ExecContext(m.Context(), `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Payload))
	return err
}

type debits struct{ db *stdsql.DB }

func (d *debits) handle(m *message.Message) error {
	_, err := d.db.ExecContext(m.Context(), `UPDATE accounts SET balance = balance - 1 WHERE id = $1`, string(m.Payload)) // want "increment/unguarded"
	return err
}

type Credit struct{ Account string }

func (Credit) Kind() string { return "credit" }

// A Completing worker ends its job in the transaction of the change.
type Completing struct {
	river.WorkerDefaults[Credit]
	pool *pgxpool.Pool
}

func (w *Completing) Work(ctx context.Context, job *river.Job[Credit]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, job.Args.Account); err != nil { // todo not "increment/unguarded" that the job is completed in the same transaction is not known
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

type Debit struct{ Account string }

func (Debit) Kind() string { return "debit" }

// A Returning worker lets River end the job afterwards.
type Returning struct {
	river.WorkerDefaults[Debit]
	pool *pgxpool.Pool
}

func (w *Returning) Work(ctx context.Context, job *river.Job[Debit]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance - 1 WHERE id = $1`, job.Args.Account) // want "increment/unguarded"
		return err
	})
}

func Workers(ws *river.Workers, pool *pgxpool.Pool) {
	river.AddWorker(ws, &Completing{pool: pool})
	river.AddWorker(ws, &Returning{pool: pool})
}
