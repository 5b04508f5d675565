package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

// A Dispatcher does one thing or the other: what guards the one is nothing for the other.
type Dispatcher struct {
	db     *sql.DB
	reader *kafka.Reader
}

func (c *Dispatcher) within(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *Dispatcher) Run(ctx context.Context) error {
	for {
		m, err := c.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var d deposit
		if err := json.Unmarshal(m.Value, &d); err != nil {
			return err
		}
		if err := c.handle(ctx, m.Topic, d); err != nil {
			return err
		}
		if err := c.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (c *Dispatcher) handle(ctx context.Context, topic string, d deposit) error {
	if topic == "booked" {
		return c.booked(ctx, d)
	}
	return c.credited(ctx, d)
}

func (c *Dispatcher) booked(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO bookings (id, amount) VALUES ($1, $2)`, d.ID, d.Amount)
		return err
	})
}

func (c *Dispatcher) credited(ctx context.Context, d deposit) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount) // want "increment/unguarded"
		return err
	})
}
