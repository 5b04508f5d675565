package guarded

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
)

type reminder struct{ id, account, status, told, text string }

type rowQueries struct{ db rowsDB }

// rowsDB is what a pool and a transaction have in common.
type rowsDB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (q *rowQueries) due(ctx context.Context) ([]reminder, error) {
	rows, err := q.db.QueryContext(ctx, `SELECT id, account FROM reminders WHERE letter_id IS NULL FOR UPDATE SKIP LOCKED LIMIT 50`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []reminder
	for rows.Next() {
		var r reminder
		if err := rows.Scan(&r.id, &r.account); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if err := rows.Close(); err != nil {
		return nil, err
	}
	return out, rows.Err()
}

func (q *rowQueries) seenDue(ctx context.Context) ([]reminder, error) {
	rows, err := q.db.QueryContext(ctx, `SELECT id, account FROM reminders WHERE letter_id IS NULL LIMIT 50`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []reminder
	for rows.Next() {
		var r reminder
		if err := rows.Scan(&r.id, &r.account); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

func (q *rowQueries) waiting(ctx context.Context) (map[string]bool, error) {
	rows, err := q.db.QueryContext(ctx, `SELECT account FROM letters WHERE sent_at IS NULL`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]bool{}
	for rows.Next() {
		var account string
		if err := rows.Scan(&account); err != nil {
			return nil, err
		}
		out[account] = true
	}
	return out, rows.Err()
}

func (q *rowQueries) link(ctx context.Context, id, letter string) error {
	_, err := q.db.ExecContext(ctx, `UPDATE reminders SET letter_id = $2 WHERE id = $1`, id, letter)
	return err
}

func (q *rowQueries) one(ctx context.Context, id string) (r reminder, err error) {
	row := q.db.QueryRowContext(ctx, `SELECT r.id, r.account, a.status, r.told FROM reminders r JOIN accounts a ON a.id = r.account WHERE r.id = $1 FOR UPDATE`, id)
	err = row.Scan(&r.id, &r.account, &r.status, &r.told)
	return r, err
}

func (q *rowQueries) tell(ctx context.Context, id, status string) error {
	_, err := q.db.ExecContext(ctx, `UPDATE reminders SET told = $2 WHERE id = $1`, id, status)
	return err
}

// Taken works off rows that it has taken with a lock, and links them in the same transaction. What else it reads there,
// and by what it leaves some out, is beside the point.
//
//dmlint:handler
func (c *Consumer) Taken(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		q := &rowQueries{db: tx}
		due, err := q.due(ctx)
		if err != nil {
			return err
		}
		waiting, err := q.waiting(ctx)
		if err != nil {
			return err
		}
		for _, r := range due {
			if waiting[r.account] {
				continue
			}
			waiting[r.account] = true
			letter := uuid.NewString()
			if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, account) VALUES ($1, $2)`, letter, r.account); err != nil {
				return err
			}
			if err := q.link(ctx, r.id, letter); err != nil {
				return err
			}
		}
		return nil
	})
}

// Untaken does the same with rows that somebody else may have read as well.
//
//dmlint:handler
func (c *Consumer) Untaken(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		q := &rowQueries{db: tx}
		due, err := q.seenDue(ctx)
		if err != nil {
			return err
		}
		for _, r := range due {
			letter := uuid.NewString()
			if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, account) VALUES ($1, $2)`, letter, r.account); err != nil { // want "increment/unguarded"
				return err
			}
			if err := q.link(ctx, r.id, letter); err != nil {
				return err
			}
		}
		return nil
	})
}

// Told returns where the row says that there is nothing to do, and then asks the row for what to do.
//
//dmlint:handler
func (c *Consumer) Told(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		q := &rowQueries{db: tx}
		r, err := q.one(ctx, d.ID)
		if err != nil {
			return err
		}
		if r.told == r.status {
			return nil
		}
		kind := "other"
		switch r.status {
		case "open":
			kind = "reminder"
		case "closed":
			kind = "farewell"
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, account, kind) VALUES ($1, $2, $3)`, uuid.NewString(), r.account, kind); err != nil {
			return err
		}
		return q.tell(ctx, r.id, r.status)
	})
}

// Retold only asks the row for what to do.
//
//dmlint:handler
func (c *Consumer) Retold(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		q := &rowQueries{db: tx}
		r, err := q.one(ctx, d.ID)
		if err != nil {
			return err
		}
		kind := "other"
		switch r.status {
		case "open":
			kind = "reminder"
		case "closed":
			kind = "farewell"
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, account, kind) VALUES ($1, $2, $3)`, uuid.NewString(), r.account, kind); err != nil { // want "increment/unguarded"
			return err
		}
		return q.tell(ctx, r.id, r.status)
	})
}

func (q *rowQueries) past(ctx context.Context, id string) ([]reminder, error) {
	rows, err := q.db.QueryContext(ctx, `SELECT id, status, text FROM reminders WHERE parent = $1`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []reminder
	for rows.Next() {
		var r reminder
		if err := rows.Scan(&r.id, &r.status, &r.text); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Listed looks at a row of a list that a loop has gathered.
//
//dmlint:handler
func (c *Consumer) Listed(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		q := &rowQueries{db: tx}
		past, err := q.past(ctx, d.ID)
		if err != nil {
			return err
		}
		if past[0].status == "done" {
			return nil
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, account) VALUES ($1, $2)`, uuid.NewString(), d.Account); err != nil {
			return err
		}
		return q.tell(ctx, past[0].id, "done")
	})
}

// Relisted looks at something else of it.
//
//dmlint:handler
func (c *Consumer) Relisted(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		q := &rowQueries{db: tx}
		past, err := q.past(ctx, d.ID)
		if err != nil {
			return err
		}
		if past[0].text == "" {
			return nil
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, account) VALUES ($1, $2)`, uuid.NewString(), d.Account); err != nil { // want "increment/unguarded"
			return err
		}
		return q.tell(ctx, past[0].id, "done")
	})
}
