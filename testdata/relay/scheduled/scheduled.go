// Package scheduled leaves it to a scheduler that one process runs the relay.
package scheduled

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-co-op/gocron/v2"
	"github.com/segmentio/kafka-go"
)

type relay struct {
	db *sql.DB
	w  *kafka.Writer
}

func start(r *relay, l gocron.Locker) error {
	s, err := scheduler(l)
	if err != nil {
		return err
	}
	if _, err := s.NewJob(gocron.DurationJob(time.Second), gocron.NewTask(r.round, context.Background())); err != nil {
		return err
	}
	s.Start()
	return nil
}

func scheduler(l gocron.Locker) (gocron.Scheduler, error) {
	return gocron.NewScheduler(gocron.WithDistributedLocker(l))
}

func (r *relay) round(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 20`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var payload []byte
		if err := rows.Scan(&id, &payload); err != nil {
			return err
		}
		if err := r.w.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `UPDATE outbox SET sent_at = now() WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return rows.Err()
}
