package reread

import (
	"context"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A Settler settles what is due, and counts how that went.
type Settler struct{ pool *pgxpool.Pool }

type outcome struct{ Settled, Errors int }

func (s *Settler) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("settle", s.settleAll)
	mux.HandleFunc("tally", s.tally)
}

func (s *Settler) settle(ctx context.Context, id string, out *outcome) {
	var state string
	if err := s.pool.QueryRow(ctx, `SELECT state FROM bills WHERE id = $1`, id).Scan(&state); err != nil {
		out.Errors++
		return
	}
	if _, err := s.pool.Exec(ctx, `UPDATE bills SET state = $2 WHERE id = $1`, id, state+"-settled"); err != nil {
		out.Errors++
		return
	}
	out.Settled++
}

// settleAll counts for its own log: no row holds these sums.
func (s *Settler) settleAll(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	out := &outcome{}
	for _, id := range []string{d.ID, d.Account} {
		if id == "" {
			out.Errors++
			continue
		}
		s.settle(ctx, id, out)
	}
	return nil
}

func (s *Settler) read(ctx context.Context, tx pgx.Tx, out *outcome) error {
	return tx.QueryRow(ctx, `SELECT settled, errors FROM tallies WHERE id = 1`).Scan(&out.Settled, &out.Errors)
}

// tally counts in a row, which the call before has filled in.
func (s *Settler) tally(ctx context.Context, t *asynq.Task) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		out := &outcome{}
		if err := s.read(ctx, tx, out); err != nil {
			return err
		}
		out.Settled++ // want "increment/unguarded"
		_, err := tx.Exec(ctx, `UPDATE tallies SET settled = $1 WHERE id = 1`, out.Settled)
		return err
	})
}
