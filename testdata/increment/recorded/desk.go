// Package recorded has changes that a record of the message follows, in another file and in a transaction of its own.
package recorded

import (
	"context"
	"database/sql"
	"time"
)

// A slip is a row of the inbox; its kind says who works on it.
type slip struct {
	ID, Kind, Account string
	Cents             int64
}

type clerk func(context.Context, *slip) error

// Desk takes slips out of its inbox, hands each to a clerk and marks it once he is done.
type Desk struct {
	db     *sql.DB
	clerks map[string]clerk
}

func NewDesk(db *sql.DB) *Desk {
	c := &counter{db: db, books: &books{db: db}}
	return &Desk{db: db, clerks: map[string]clerk{
		"charge": c.charge, "visit": c.visit, "letter": c.letter, "settle": c.settle, "refund": c.refund, "rename": c.rename,
	}}
}

func (d *Desk) Run(ctx context.Context) {
	for range time.Tick(time.Second) {
		slips, err := d.waiting(ctx)
		if err != nil {
			continue
		}
		for _, s := range slips {
			if err := d.clerks[s.Kind](ctx, s); err != nil {
				continue
			}
			_, _ = d.db.ExecContext(ctx, `UPDATE inbox_slips SET state = 'done' WHERE id = $1`, s.ID) // want "inboxorder/record-outside"
		}
	}
}

func (d *Desk) waiting(ctx context.Context) ([]*slip, error) {
	rows, err := d.db.QueryContext(ctx, `SELECT id, kind, account, cents FROM inbox_slips WHERE state = 'waiting' ORDER BY id LIMIT 20`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var slips []*slip
	for rows.Next() {
		s := &slip{}
		if err := rows.Scan(&s.ID, &s.Kind, &s.Account, &s.Cents); err != nil {
			return nil, err
		}
		slips = append(slips, s)
	}
	return slips, rows.Err()
}
