package consumer

import (
	"context"
	"database/sql"

	amqp "github.com/rabbitmq/amqp091-go"
)

// BookTwice announces the booking, which a redelivery makes up for, and not the line in the register after it.
func (t *Till) BookTwice(ctx context.Context, d amqp.Delivery) error {
	id := string(d.Body)
	if _, err := t.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
		return err
	}
	if err := t.follow(ctx, id); err != nil { // want advice "dualwrite/before-write"
		return err
	}
	_, err := t.db.ExecContext(ctx, `INSERT INTO register (id) VALUES ($1)`, id)
	return err
}

// Enter announces the line in the register, before it is there.
func (t *Till) Enter(ctx context.Context, d amqp.Delivery) error {
	id := string(d.Body)
	if err := t.follow(ctx, id); err != nil { // want "dualwrite/before-write"
		return err
	}
	_, err := t.db.ExecContext(ctx, `INSERT INTO register (id) VALUES ($1)`, id)
	return err
}

// finish commits what its callers have written, for one handler the one thing and for another the other.
func finish(tx *sql.Tx) error { return tx.Commit() }

// Rebook can be done again.
func (t *Till) Rebook(ctx context.Context, d amqp.Delivery) error {
	id := string(d.Body)
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = true`, id); err != nil {
		return err
	}
	if err := finish(tx); err != nil {
		return err
	}
	return t.follow(ctx, id)
}

// Close cannot.
func (t *Till) Close(ctx context.Context, d amqp.Delivery) error {
	id := string(d.Body)
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO closings (id) VALUES ($1)`, id); err != nil {
		return err
	}
	if err := finish(tx); err != nil {
		return err
	}
	return t.follow(ctx, id) // want "dualwrite/after-commit"
}
