package recorded

import (
	"context"
	"database/sql"
	"errors"
)

type account struct {
	ID      string
	Balance int64
}

func (a *account) Debit(cents int64) error {
	if cents <= 0 {
		return errors.New("nothing to take")
	}
	a.Balance -= cents
	return nil
}

type books struct{ db *sql.DB }

func (b *books) account(ctx context.Context, id string) (*account, error) {
	a := &account{}
	err := b.db.QueryRowContext(ctx, `SELECT id, balance FROM accounts WHERE id = $1`, id).Scan(&a.ID, &a.Balance)
	return a, err
}

func (b *books) save(ctx context.Context, tx *sql.Tx, a *account) error {
	_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, a.ID, a.Balance)
	return err
}
