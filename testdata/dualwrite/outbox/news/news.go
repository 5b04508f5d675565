// Package news takes events out of their tables and publishes them.
package news

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// A Courier publishes what is in grid_news.
type Courier struct {
	db    *sql.DB
	queue *kafka.Writer
}

type item struct {
	id   int64
	body []byte
}

// Deliver publishes a batch under locks and marks it in the same transaction.
func (c *Courier) Deliver(ctx context.Context) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	items, err := pending(ctx, tx)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := c.queue.WriteMessages(ctx, kafka.Message{Value: it.body}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE grid_news SET delivered = true WHERE id = $1`, it.id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func pending(ctx context.Context, tx *sql.Tx) ([]item, error) {
	rows, err := tx.QueryContext(ctx, `
		SELECT id, body FROM grid_news
		WHERE NOT delivered ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var items []item
	for rows.Next() {
		var it item
		if err := rows.Scan(&it.id, &it.body); err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, rows.Err()
}

// Sweep takes rows one by one, without a transaction, and deletes what it has published.
func (c *Courier) Sweep(ctx context.Context) error {
	rows, err := c.db.QueryContext(ctx, `SELECT id, payload FROM grid_outbox ORDER BY id LIMIT 10`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it item
		if err := rows.Scan(&it.id, &it.body); err != nil {
			return err
		}
		if err := c.queue.WriteMessages(ctx, kafka.Message{Value: it.body}); err != nil {
			return err
		}
		if _, err := c.db.ExecContext(ctx, `DELETE FROM grid_outbox WHERE id = $1`, it.id); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Claim marks rows as taken and gets them in one statement.
func (c *Courier) Claim(ctx context.Context) error {
	rows, err := c.db.QueryContext(ctx, `
		UPDATE grid_outbox SET taken_at = now()
		WHERE id IN (SELECT id FROM grid_outbox WHERE taken_at IS NULL ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED)
		RETURNING id, payload`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var it item
		if err := rows.Scan(&it.id, &it.body); err != nil {
			return err
		}
		if err := c.queue.WriteMessages(ctx, kafka.Message{Value: it.body}); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Bill polls rows like a relay but changes something else, which it announces.
func (c *Courier) Bill(ctx context.Context) error {
	rows, err := c.db.QueryContext(ctx, `SELECT id, household FROM meters WHERE billed_at IS NULL ORDER BY id LIMIT 10`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var household string
		if err := rows.Scan(&id, &household); err != nil {
			return err
		}
		if _, err := c.db.ExecContext(ctx, `INSERT INTO bills (meter, household) VALUES ($1, $2)`, id, household); err != nil {
			return err
		}
		if err := c.queue.WriteMessages(ctx, kafka.Message{Value: []byte(household)}); err != nil { // want "dualwrite/no-tx"
			return err
		}
	}
	return rows.Err()
}
