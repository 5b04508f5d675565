// Package plain polls with SQL in text.
package plain

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

type relay struct {
	db *sql.DB
	w  *kafka.Writer
}

type row struct {
	id      int64
	payload []byte
}

func scan(rows *sql.Rows) (out []row, err error) {
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.id, &r.payload); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

func (r *relay) send(ctx context.Context, m row) error {
	return r.w.WriteMessages(ctx, kafka.Message{Value: m.payload})
}

// open reads what another replica reads as well.
func (r *relay) open(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM letters WHERE posted_at IS NULL ORDER BY id LIMIT 20`) // want "relay/unlocked"
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `UPDATE letters SET posted_at = now() WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return nil
}

// loose asks for a lock that ends with the statement.
func (r *relay) loose(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM letters WHERE posted_at IS NULL LIMIT 20 FOR UPDATE SKIP LOCKED`) // want "relay/unlocked"
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `DELETE FROM letters WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return nil
}

// held keeps the rows for itself until they are marked.
func (r *relay) held(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM letters WHERE posted_at IS NULL ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE letters SET posted_at = now() WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// dropped lets the lock go before anything is published.
func (r *relay) dropped(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM letters WHERE posted_at IS NULL ORDER BY id LIMIT 20 FOR UPDATE`) // want "relay/unlocked"
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `UPDATE letters SET posted_at = now() WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return nil
}

// leased claims rows for a while and marks them when they are out.
func (r *relay) leased(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `UPDATE letters SET locked_until = now() + interval '1 minute'
		WHERE id IN (SELECT id FROM letters WHERE posted_at IS NULL AND locked_until < now() LIMIT 20 FOR UPDATE SKIP LOCKED)
		RETURNING id, payload`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `UPDATE letters SET posted_at = now() WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return nil
}

// claimed takes each row by a condition on its status and looks whether it got it.
func (r *relay) claimed(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM letters WHERE status = 'new' ORDER BY id LIMIT 20`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		res, err := r.db.ExecContext(ctx, `UPDATE letters SET status = 'sending' WHERE id = $1 AND status = 'new'`, m.id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			continue
		}
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `UPDATE letters SET status = 'sent' WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return nil
}

// token puts its name on rows that nobody has, and reads them by it.
func (r *relay) token(ctx context.Context, me string) error {
	if _, err := r.db.ExecContext(ctx, `UPDATE letters SET taken_by = $1 WHERE posted_at IS NULL AND taken_by IS NULL`, me); err != nil {
		return err
	}
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM letters WHERE taken_by = $1 ORDER BY id`, me)
	if err != nil {
		return err
	}
	return r.post(ctx, rows)
}

// stolen puts its name on rows of others as well.
func (r *relay) stolen(ctx context.Context, me string) error {
	if _, err := r.db.ExecContext(ctx, `UPDATE letters SET taken_by = $1 WHERE posted_at IS NULL`, me); err != nil {
		return err
	}
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM letters WHERE taken_by = $1 ORDER BY id`, me) // want "relay/unlocked"
	if err != nil {
		return err
	}
	return r.post(ctx, rows)
}

func (r *relay) post(ctx context.Context, rows *sql.Rows) error {
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := r.db.ExecContext(ctx, `UPDATE letters SET posted_at = now() WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return nil
}

// early marks and commits before it publishes.
func (r *relay) early(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM mail_outbox WHERE sent = false ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if _, err := tx.ExecContext(ctx, `UPDATE mail_outbox SET sent = true WHERE id = $1`, m.id); err != nil { // want "relay/mark-first"
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// removed takes rows out of the table and then publishes them.
func (r *relay) removed(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED) RETURNING id, payload`) // want "relay/mark-first"
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// removedLast deletes in a transaction that is committed when the events are out.
func (r *relay) removedLast(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED) RETURNING id, payload`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// tidy removes old rows before it goes on with new ones.
func (r *relay) tidy(ctx context.Context) error {
	if _, err := r.db.ExecContext(ctx, `DELETE FROM mail_outbox WHERE sent = true`); err != nil {
		return err
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM mail_outbox WHERE sent = false ORDER BY id LIMIT 20 FOR UPDATE`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE mail_outbox SET sent = true WHERE id = $1`, m.id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// list shows rows and tells what was asked for: nothing is marked that was read.
func (r *relay) list(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM notes ORDER BY id LIMIT 20`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// flying marks rows as being on their way; elsewhere they are marked as sent when the broker has answered.
func (r *relay) flying(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM flight_outbox WHERE status = 'new' ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.become(ctx, tx, m.id, "in_flight"); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// landing says that they are sent, and they are not yet.
func (r *relay) landing(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, payload FROM flight_outbox WHERE status = 'new' ORDER BY id LIMIT 20 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return err
	}
	batch, err := scan(rows)
	if err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.become(ctx, tx, m.id, "sent"); err != nil { // want "relay/mark-first"
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, m := range batch {
		if err := r.send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (r *relay) become(ctx context.Context, tx *sql.Tx, id int64, status string) error {
	_, err := tx.ExecContext(ctx, `UPDATE flight_outbox SET status = $2 WHERE id = $1`, id, status)
	return err
}

// arrived is told by the broker.
func (r *relay) arrived(ctx context.Context, id int64) error {
	_, err := r.db.ExecContext(ctx, `UPDATE flight_outbox SET status = 'sent' WHERE id = $1`, id)
	return err
}
