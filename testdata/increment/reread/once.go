package reread

import (
	"context"
	"database/sql"

	"github.com/hibiken/asynq"
)

// A Till has the same work done by two tasks, one of which notices a message that comes again.
type Till struct{ db *sql.DB }

func (t *Till) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("once", t.once)
	mux.HandleFunc("looked", t.looked)
	mux.HandleFunc("careless", t.careless)
}

func (t *Till) load(tx *sql.Tx, id string) (*Account, error) {
	a := &Account{ID: id}
	err := tx.QueryRow(`SELECT balance FROM accounts WHERE id = $1 FOR UPDATE`, id).Scan(&a.Balance)
	return a, err
}

func (t *Till) save(tx *sql.Tx, a *Account) error {
	_, err := tx.Exec(`UPDATE accounts SET balance = $2 WHERE id = $1`, a.ID, a.Balance)
	return err
}

func (t *Till) within(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (t *Till) credit(tx *sql.Tx, d deposit) error {
	a, err := t.load(tx, d.Account)
	if err != nil {
		return err
	}
	if err := a.Credit(d.Amount); err != nil {
		return err
	}
	return t.save(tx, a)
}

func (t *Till) once(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return t.within(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO inbox (message_id) VALUES ($1)`, d.ID); err != nil {
			return err
		}
		a, err := t.load(tx, d.Account)
		if err != nil {
			return err
		}
		if err := a.Credit(d.Amount); err != nil {
			return err
		}
		return t.save(tx, a)
	})
}

// looked asks the row that it has locked.
func (t *Till) looked(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return t.within(ctx, func(tx *sql.Tx) error {
		var status string
		if err := tx.QueryRow(`SELECT status FROM deposits WHERE id = $1 FOR UPDATE`, d.ID).Scan(&status); err != nil || status == "booked" {
			return err
		}
		if _, err := tx.Exec(`UPDATE deposits SET status = 'booked' WHERE id = $1`, d.ID); err != nil {
			return err
		}
		return t.credit(tx, d)
	})
}

func (t *Till) careless(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return t.within(ctx, func(tx *sql.Tx) error {
		a, err := t.load(tx, d.Account)
		if err != nil {
			return err
		}
		if err := a.Credit(d.Amount); err != nil { // want "increment/unguarded"
			return err
		}
		return t.save(tx, a)
	})
}
