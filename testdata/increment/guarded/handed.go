package guarded

import (
	"context"
	stdsql "database/sql"
	"errors"

	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/dtm-labs/client/dtmcli"
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

// A barrier puts a row of its own into the transaction and leaves the function out where the row is there.
func Saga(r *message.Router, sub message.Subscriber, db *stdsql.DB) {
	r.AddConsumerHandler("refunds", "refunds", sub, func(m *message.Message) error {
		barrier, err := dtmcli.BarrierFrom("msg", m.UUID, "01", "action")
		if err != nil {
			return err
		}
		err = barrier.CallWithDB(db, func(tx *stdsql.Tx) error {
			_, err := tx.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Payload))
			return err
		})
		if err != nil {
			return err
		}
		_, err = db.Exec(`UPDATE totals SET refunds = refunds + 1`) // want "increment/unguarded"
		return err
	})
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
		if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, job.Args.Account); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

type Debit struct{ Account string }

func (Debit) Kind() string { return "debit" }

type Bonus struct{ Account string }

func (Bonus) Kind() string { return "bonus" }

// A Splitting worker ends its job in a transaction after that of the change.
type Splitting struct {
	river.WorkerDefaults[Bonus]
	pool *pgxpool.Pool
}

func (w *Splitting) Work(ctx context.Context, job *river.Job[Bonus]) error {
	if err := w.add(ctx, job.Args.Account); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

func (w *Splitting) add(ctx context.Context, account string) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 10 WHERE id = $1`, account) // want "increment/unguarded"
		return err
	})
}

type Refund struct{ Account string }

func (Refund) Kind() string { return "refund" }

// A Stepping worker has two transactions, and ends its job in the second one.
type Stepping struct {
	river.WorkerDefaults[Refund]
	pool *pgxpool.Pool
}

func (w *Stepping) Work(ctx context.Context, job *river.Job[Refund]) error {
	first, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer first.Rollback(ctx)
	if _, err := first.Exec(ctx, `UPDATE accounts SET balance = balance + 5 WHERE id = $1`, job.Args.Account); err != nil { // want "increment/unguarded"
		return err
	}
	if err := first.Commit(ctx); err != nil {
		return err
	}
	second, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer second.Rollback(ctx)
	if _, err := second.Exec(ctx, `UPDATE refunds SET total = total + 5 WHERE account = $1`, job.Args.Account); err != nil {
		return err
	}
	if err := finish(ctx, second, job); err != nil {
		return err
	}
	return second.Commit(ctx)
}

func finish(ctx context.Context, tx pgx.Tx, job *river.Job[Refund]) error {
	_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
	return err
}

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
	river.AddWorker(ws, &Splitting{pool: pool})
	river.AddWorker(ws, &Stepping{pool: pool})
	river.AddWorker(ws, &Returning{pool: pool})
}
