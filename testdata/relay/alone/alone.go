// Package alone has relays that one process at a time runs.
package alone

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type relay struct {
	db  *sql.DB
	w   *kafka.Writer
	rs  *redsync.Redsync
	rdb *redis.Client
}

// plain has no lock of its own: it depends on who calls it.
func (r *relay) plain(ctx context.Context) error {
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

func (r *relay) mutex(ctx context.Context) error {
	m := r.rs.NewMutex("relay")
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	return r.plain(ctx)
}

type other struct{ relay }

func (r *other) plain(ctx context.Context) error {
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
		if _, err := r.db.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return rows.Err()
}

// key is a lock in Redis, taken by a helper.
func (r *other) key(ctx context.Context) {
	for range time.Tick(time.Second) {
		if !r.mine(ctx) {
			continue
		}
		_ = r.plain(ctx)
	}
}

func (r *other) mine(ctx context.Context) bool {
	ok, err := r.rdb.SetNX(ctx, "relay", 1, time.Second).Result()
	return err == nil && ok
}

type session struct{ relay }

// advisory is a lock of the session.
func (r *session) advisory(ctx context.Context) error {
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var got bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock(42)`).Scan(&got); err != nil || !got {
		return err
	}
	return r.drain(ctx)
}

func (r *session) drain(ctx context.Context) error {
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
		if _, err := r.db.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return rows.Err()
}

type brief struct{ relay }

// named takes a lock that ends with the statement, since there is no transaction.
func (r *brief) named(ctx context.Context) error {
	if _, err := r.db.ExecContext(ctx, `SELECT pg_advisory_xact_lock(42)`); err != nil {
		return err
	}
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 20`) // want "relay/unlocked"
	if err != nil {
		return err
	}
	defer rows.Close()
	return r.empty(ctx, rows)
}

// throughout takes it in the transaction that marks.
func (r *brief) throughout(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(42)`); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 20`)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := r.empty(ctx, rows); err != nil {
		return err
	}
	return tx.Commit()
}

// single locks each row by its number.
func (r *brief) single(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL AND pg_try_advisory_lock(id) LIMIT 20`)
	if err != nil {
		return err
	}
	defer rows.Close()
	return r.empty(ctx, rows)
}

func (r *brief) empty(ctx context.Context, rows *sql.Rows) error {
	for rows.Next() {
		var id int64
		var payload []byte
		if err := rows.Scan(&id, &payload); err != nil {
			return err
		}
		if err := r.w.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return rows.Err()
}
