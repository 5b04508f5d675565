package library

import (
	"context"
	"log"

	"github.com/hibiken/asynq"
)

func (s *stock) due(ctx context.Context) (ids []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id FROM orders WHERE due < now()`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (s *stock) jobs(mux *asynq.ServeMux) {
	mux.HandleFunc("due", s.sweep)
	mux.HandleFunc("all", s.sweepAll)
}

// sweep goes through what is due; what fails is still due the next time.
func (s *stock) sweep(ctx context.Context, _ *asynq.Task) error {
	ids, err := s.due(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.take(context.Background(), []byte(id)); err != nil { // want advice "ackorder/swallowed-error"
			log.Print(err)
		}
	}
	return nil
}

// sweepAll says that something failed.
func (s *stock) sweepAll(ctx context.Context, _ *asynq.Task) error {
	ids, err := s.due(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range ids {
		if err := s.take(context.Background(), []byte(id)); err != nil {
			log.Print(err)
			failed = err
		}
	}
	return failed
}
