package outbox

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"example.com/orders/store"
)

// A Sender gives encoded events to a broker.
type Sender interface {
	Send(ctx context.Context, topic, key string, payload []byte) error
}

// A Relay publishes the rows of the outbox.
type Relay struct {
	DB     *sql.DB
	Sender Sender
	// Every is how long the relay waits when the outbox is empty.
	Every time.Duration
}

const batch = 100

// Run publishes until the context ends.
func (r *Relay) Run(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := r.flush(ctx)
		if err != nil {
			slog.ErrorContext(ctx, "outbox", "err", err)
		}
		if n < batch {
			select {
			case <-ctx.Done():
			case <-time.After(r.Every):
			}
		}
	}
}

// flush publishes one batch. A crash before the commit publishes it again: consumers have to expect that.
func (r *Relay) flush(ctx context.Context) (n int, err error) {
	err = store.WithinTx(ctx, r.DB, func(tx *sql.Tx) error {
		rows, err := pending(ctx, tx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := r.Sender.Send(ctx, row.topic, row.key, row.payload); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, row.id); err != nil {
				return err
			}
		}
		n = len(rows)
		return nil
	})
	return n, err
}

type row struct {
	id         int64
	topic, key string
	payload    []byte
}

// pending locks the oldest rows that no other relay works on.
func pending(ctx context.Context, tx *sql.Tx) ([]row, error) {
	rs, err := tx.QueryContext(ctx, `SELECT id, topic, key, payload FROM outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`, batch)
	if err != nil {
		return nil, err
	}
	defer rs.Close()
	var rows []row
	for rs.Next() {
		var r row
		if err := rs.Scan(&r.id, &r.topic, &r.key, &r.payload); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, rs.Err()
}
