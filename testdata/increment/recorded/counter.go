package recorded

import (
	"context"
	"database/sql"
	"errors"
)

// counter works on slips. That a slip is done is written down by the desk, later.
type counter struct {
	db    *sql.DB
	books *books
}

var errShort = errors.New("short of money")

// charge reads an account, takes from it in Go and writes it back.
func (c *counter) charge(ctx context.Context, s *slip) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := c.take(ctx, tx, s); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *counter) take(ctx context.Context, tx *sql.Tx, s *slip) error {
	acc, err := c.books.account(ctx, s.Account)
	if err != nil {
		return err
	}
	if acc.Balance < s.Cents {
		return errShort
	}
	if err := acc.Debit(s.Cents); err != nil {
		return err
	}
	return c.books.save(ctx, tx, acc) // want "increment/unguarded"
}

// visit counts in the statement.
func (c *counter) visit(ctx context.Context, s *slip) error {
	_, err := c.db.ExecContext(ctx, `UPDATE accounts SET visits = visits + 1 WHERE id = $1`, s.Account) // want "increment/unguarded"
	return err
}

// letter inserts a row: the desk's late record says enough about it.
func (c *counter) letter(ctx context.Context, s *slip) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO letters (id, account) VALUES (gen_random_uuid(), $1)`, s.Account)
	return err
}

// settle counts once for each slip: the row that it inserts in the same transaction is unique.
func (c *counter) settle(ctx context.Context, s *slip) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO settlements (slip_id, message_id) VALUES ($1, $1)`, s.ID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET settled = settled + $2 WHERE id = $1`, s.Account, s.Cents); err != nil {
		return err
	}
	return tx.Commit()
}

// refund asks first, past the transaction: it is the check that is wrong, and said to be.
func (c *counter) refund(ctx context.Context, s *slip) error {
	var done bool
	if err := c.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM refunds WHERE message_id = $1)`, s.ID).Scan(&done); err != nil || done { // want "inboxorder/check-outside"
		return err
	}
	_, err := c.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, s.Account, s.Cents)
	return err
}

// rename does the same again.
func (c *counter) rename(ctx context.Context, s *slip) error {
	_, err := c.db.ExecContext(ctx, `UPDATE accounts SET kind = $2 WHERE id = $1`, s.Account, s.Kind)
	return err
}
