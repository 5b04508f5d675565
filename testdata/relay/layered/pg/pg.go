// Package pg keeps events in a table.
package pg

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"

	"dmlint.test/relay/layered"
)

const next = `SELECT id, body FROM announcements WHERE done_at IS NULL ORDER BY created_at LIMIT $1`

type Store struct{ Pool *pgxpool.Pool }

func (s *Store) Next(ctx context.Context, n int) ([]layered.Event, error) {
	rows, err := s.Pool.Query(ctx, next, n) // want "relay/unlocked"
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []layered.Event
	for rows.Next() {
		var e layered.Event
		if err := rows.Scan(&e.ID, &e.Body); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, rows.Err()
}

func (s *Store) Done(ctx context.Context, ids []string) error {
	_, err := s.Pool.Exec(ctx, `UPDATE announcements SET done_at = now() WHERE id = ANY($1)`, ids)
	return err
}

type Bus struct{ Ch *amqp.Channel }

func (b *Bus) Emit(ctx context.Context, e layered.Event) error {
	return b.Ch.PublishWithContext(ctx, "events", "", false, false, amqp.Publishing{Body: e.Body})
}

func New(pool *pgxpool.Pool, ch *amqp.Channel) *layered.Relay {
	return &layered.Relay{Store: &Store{pool}, Bus: &Bus{ch}}
}
