// Package reread reads a row, adds to it and writes it back: the second delivery adds to what the first has stored. A
// lock does not help against that.
package reread

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type deposit struct {
	ID, Account string
	Amount      int64
}

// An Account knows how money comes to it.
type Account struct {
	ID      string
	Balance int64
	Frozen  bool
	Entries []string
}

var errFrozen = errors.New("frozen")

func (a *Account) Credit(n int64) error {
	if a.Frozen {
		return errFrozen
	}
	a.Balance += n
	return nil
}

// Adjust only says what the balance is.
func (a *Account) Adjust(n int64) { a.Balance = n }

type Repo struct{ pool *pgxpool.Pool }

func (r *Repo) load(ctx context.Context, tx pgx.Tx, id string) (*Account, error) {
	a := &Account{}
	return a, tx.QueryRow(ctx, `SELECT id, balance, frozen FROM accounts WHERE id = $1 FOR UPDATE`, id).Scan(&a.ID, &a.Balance, &a.Frozen)
}

func (r *Repo) save(ctx context.Context, tx pgx.Tx, a *Account) error {
	_, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2, frozen = $3 WHERE id = $1`, a.ID, a.Balance, a.Frozen)
	return err
}

// Update hands the row to a closure and stores what becomes of it.
func (r *Repo) Update(ctx context.Context, id string, change func(a *Account) error) error {
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		a, err := r.load(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := change(a); err != nil {
			return err
		}
		return r.save(ctx, tx, a)
	})
}

type Worker struct{ repo *Repo }

func (w *Worker) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("direct", w.direct)
	mux.HandleFunc("method", w.method)
	mux.HandleFunc("adjusted", w.adjusted)
	mux.HandleFunc("closure", w.closure)
	mux.HandleFunc("closure-method", w.closureMethod)
	mux.HandleFunc("closure-adjusted", w.closureAdjusted)
	mux.HandleFunc("shown", w.shown)
}

func parse(t *asynq.Task) (d deposit, err error) { return d, json.Unmarshal(t.Payload(), &d) }

func (w *Worker) direct(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.repo.pool, func(tx pgx.Tx) error {
		var balance struct{ Cents int64 }
		if err := tx.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1 FOR UPDATE`, d.Account).Scan(&balance.Cents); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, d.Account, balance.Cents+d.Amount) // want "increment/unguarded"
		return err
	})
}

func (w *Worker) method(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.repo.pool, func(tx pgx.Tx) error {
		a, err := w.repo.load(ctx, tx, d.Account)
		if err != nil {
			return err
		}
		if err := a.Credit(d.Amount); err != nil { // want "increment/unguarded"
			return err
		}
		return w.repo.save(ctx, tx, a)
	})
}

func (w *Worker) adjusted(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.repo.pool, func(tx pgx.Tx) error {
		a, err := w.repo.load(ctx, tx, d.Account)
		if err != nil {
			return err
		}
		a.Adjust(d.Amount)
		return w.repo.save(ctx, tx, a)
	})
}

func (w *Worker) closure(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return w.repo.Update(ctx, d.Account, func(a *Account) error {
		a.Balance += d.Amount // want "increment/unguarded"
		return nil
	})
}

func (w *Worker) closureMethod(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return w.repo.Update(ctx, d.Account, func(a *Account) error {
		return a.Credit(d.Amount) // want "increment/unguarded"
	})
}

func (w *Worker) closureAdjusted(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return w.repo.Update(ctx, d.Account, func(a *Account) error {
		a.Adjust(d.Amount)
		return nil
	})
}

// shown adds for a letter and stores nothing of it.
func (w *Worker) shown(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.repo.pool, func(tx pgx.Tx) error {
		a, err := w.repo.load(ctx, tx, d.Account)
		if err != nil {
			return err
		}
		if a.Balance+d.Amount > 100 {
			_, err = tx.Exec(ctx, `UPDATE customers SET rich = true WHERE id = $1`, d.Account)
		}
		return err
	})
}
