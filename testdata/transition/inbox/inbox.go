// Package inbox handles what was put into a table as it came.
package inbox

import (
	"context"
	"database/sql"
	"encoding/json"
)

type Settled struct{ Invoice, Status string }

type Worker struct {
	db       *sql.DB
	handlers map[string]func(ctx context.Context, body []byte) error
}

func (w *Worker) Register() {
	w.handlers = map[string]func(ctx context.Context, body []byte) error{"settled": w.settled}
}

func (w *Worker) settled(ctx context.Context, body []byte) error {
	var s Settled
	if err := json.Unmarshal(body, &s); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `UPDATE invoices SET status = $2 WHERE id = $1`, s.Invoice, s.Status) // want advice "transition/blind-assign"
	return err
}

func (w *Worker) Poll(ctx context.Context) error {
	rows, err := w.db.QueryContext(ctx, `SELECT kind, body FROM inbox WHERE handled_at IS NULL ORDER BY id LIMIT 10`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var body []byte
		if err := rows.Scan(&kind, &body); err != nil {
			return err
		}
		if err := w.handlers[kind](ctx, body); err != nil {
			return err
		}
	}
	return rows.Err()
}
