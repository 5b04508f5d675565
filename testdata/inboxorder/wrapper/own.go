package wrapper

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A stage is part of a process that the program runs by itself. It keeps the ledger in order not to be run again by
// whoever starts the process anew, and has not been sent by anybody.
type stage struct {
	name   string
	ledger Ledger
	pool   *pgxpool.Pool
	wake   chan struct{}
	task   task
}

// A task is what a stage does, with what it does it to.
type task struct {
	run   func(context.Context, []byte) error
	input []byte
}

func (t *task) do(ctx context.Context) error { return t.run(ctx, t.input) }

func (s *stage) loop(ctx context.Context) {
	for range s.wake {
		s.advance(ctx)
	}
}

func (s *stage) advance(ctx context.Context) {
	if err := twice(func() error { return s.once(ctx) }); err == nil {
		_, _ = s.pool.Exec(ctx, `UPDATE stages SET state = 'done' WHERE name = $1`, s.name)
	}
}

func (s *stage) once(ctx context.Context) error {
	fresh, err := s.ledger.Begin(ctx, "stage:"+s.name)
	if err != nil || !fresh {
		return err
	}
	if err := s.task.do(ctx); err != nil {
		return err
	}
	return s.ledger.Finish(ctx, "stage:"+s.name)
}

// A process knows its stages.
type process struct{ stages []*stage }

func newProcess(pool *pgxpool.Pool, ledger Ledger, names []string) *process {
	p := &process{}
	for _, name := range names {
		p.stages = append(p.stages, &stage{name: name, ledger: ledger, pool: pool, wake: make(chan struct{}, 1), task: task{run: func(ctx context.Context, input []byte) error {
			_, err := pool.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, input)
			return err
		}}})
	}
	return p
}

// Run runs all stages side by side.
func (p *process) Run(ctx context.Context) {
	for _, s := range p.stages {
		go s.loop(ctx)
	}
}

// A notice comes in by a hook and handles itself.
type notice struct {
	ID     string
	Amount int64
}

func (n *notice) book(ctx context.Context, pool *pgxpool.Pool) error {
	tag, err := pool.Exec(ctx, `INSERT INTO processed_notices (id) VALUES ($1) ON CONFLICT DO NOTHING`, n.ID) // want "inboxorder/record-outside"
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = pool.Exec(ctx, `UPDATE accounts SET balance = balance + $1`, n.Amount)
	return err
}

type hook struct{ pool *pgxpool.Pool }

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n notice
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		return
	}
	if err := n.book(r.Context(), h.pool); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}
