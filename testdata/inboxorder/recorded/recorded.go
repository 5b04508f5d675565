// Package recorded records messages elsewhere than in the transaction of their effect, and beside that in it.
package recorded

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	amqp "github.com/rabbitmq/amqp091-go"
)

type Consumer struct{ pool *pgxpool.Pool }

func (c *Consumer) Before(ctx context.Context, d amqp.Delivery) error {
	tag, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.MessageId) // want "inboxorder/record-outside"
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey)
		return err
	})
}

// BeforePublish loses the event.
func (c *Consumer) BeforePublish(ctx context.Context, ch *amqp.Channel, d amqp.Delivery) error {
	tag, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.MessageId) // want "inboxorder/record-outside"
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return ch.PublishWithContext(ctx, "credits", d.RoutingKey, false, false, amqp.Publishing{Body: d.Body})
}

func (c *Consumer) After(ctx context.Context, d amqp.Delivery) error {
	err := pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey)
		return err
	})
	if err != nil {
		return err
	}
	_, err = c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.MessageId) // want "inboxorder/record-outside"
	return err
}

// OwnTx has a transaction for the record and one for the effect.
func (c *Consumer) OwnTx(ctx context.Context, d amqp.Delivery) error {
	first, err := c.record(ctx, d.MessageId) // want "inboxorder/record-outside"
	if err != nil || !first {
		return err
	}
	_, err = c.pool.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey)
	return err
}

func (c *Consumer) record(ctx context.Context, id string) (first bool, err error) {
	err = pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
		first = tag.RowsAffected() == 1
		return err
	})
	return first, err
}

// PastTx inserts the record past the transaction that is open.
func (c *Consumer) PastTx(ctx context.Context, d amqp.Delivery) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.MessageId); err != nil { // want "inboxorder/record-outside"
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey)
		return err
	})
}

func (c *Consumer) Inside(ctx context.Context, d amqp.Delivery) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.MessageId); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey)
		return err
	})
}

// InsideLast is undone by its record where that is there.
func (c *Consumer) InsideLast(ctx context.Context, d amqp.Delivery) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.MessageId)
		return err
	})
}

// AfterUpsert may be repeated as it likes.
func (c *Consumer) AfterUpsert(ctx context.Context, d amqp.Delivery) error {
	if _, err := c.pool.Exec(ctx, `INSERT INTO profiles (account, kind) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET kind = EXCLUDED.kind`, d.RoutingKey, d.Type); err != nil {
		return err
	}
	_, err := c.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.MessageId)
	return err
}
