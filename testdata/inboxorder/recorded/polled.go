package recorded

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// A slip is a row of the inbox; its kind says who works on it.
type slip struct{ ID, Kind, Account string }

type clerk func(context.Context, *slip) error

// Desk takes slips out of its inbox and hands them to clerks, each of whom works in a transaction of his own.
type Desk struct {
	db     *sql.DB
	clerks map[string]clerk
}

func NewDesk(db *sql.DB) *Desk {
	d := &Desk{db: db, clerks: map[string]clerk{}}
	d.clerks["fee"] = d.fee
	return d
}

func (d *Desk) Run(ctx context.Context) {
	for range time.Tick(time.Second) {
		slips, err := d.waiting(ctx)
		if err != nil {
			continue
		}
		for _, s := range slips {
			d.work(ctx, s)
		}
	}
}

func (d *Desk) waiting(ctx context.Context) ([]*slip, error) {
	rows, err := d.db.QueryContext(ctx, `SELECT id, kind, account FROM inbox_slips WHERE state = 'waiting' ORDER BY id LIMIT 20`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var slips []*slip
	for rows.Next() {
		s := &slip{}
		if err := rows.Scan(&s.ID, &s.Kind, &s.Account); err != nil {
			return nil, err
		}
		slips = append(slips, s)
	}
	return slips, rows.Err()
}

func (d *Desk) work(ctx context.Context, s *slip) {
	if err := d.clerks[s.Kind](ctx, s); err != nil {
		return
	}
	_ = d.mark(ctx, s.ID) // want "inboxorder/record-outside"
}

func (d *Desk) mark(ctx context.Context, id string) error {
	_, err := d.db.ExecContext(ctx, `UPDATE inbox_slips SET state = 'done' WHERE id = $1`, id)
	return err
}

type account struct {
	ID      string
	Balance int64
}

// fee charges whoever has enough, notes what has happened, and adds an event to the outbox either way: the last row is
// harmless, and what has been changed before it, on one of two paths, is not.
func (d *Desk) fee(ctx context.Context, s *slip) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var a account
	if err := tx.QueryRowContext(ctx, `SELECT id, balance FROM accounts WHERE id = $1`, s.Account).Scan(&a.ID, &a.Balance); err != nil {
		return err
	}
	outcome := "refused"
	if a.Balance > 5 {
		outcome = "charged"
		a.Balance -= 5
		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, a.ID, a.Balance); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO outbox_events (topic, body) VALUES ('fees', $1)`, fmt.Sprintf("%s: %s", s.Account, outcome)); err != nil {
		return err
	}
	return tx.Commit()
}

// Shelf is a desk whose clerks only set what a slip says: to do it again changes nothing.
type Shelf struct {
	desk   Desk
	clerks map[string]clerk
}

func NewShelf(db *sql.DB) *Shelf {
	s := &Shelf{desk: Desk{db: db}, clerks: map[string]clerk{}}
	s.clerks["close"] = s.close
	return s
}

func (s *Shelf) Run(ctx context.Context) error {
	slips, err := s.desk.waiting(ctx)
	if err != nil {
		return err
	}
	for _, sl := range slips {
		if err := s.clerks[sl.Kind](ctx, sl); err != nil {
			return err
		}
		if err := s.desk.mark(ctx, sl.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shelf) close(ctx context.Context, sl *slip) error {
	_, err := s.desk.db.ExecContext(ctx, `UPDATE accounts SET closed = true WHERE id = $1`, sl.Account)
	return err
}
