// Package orders holds the use cases of the service, once with the event published directly and once through an outbox.
package orders

import (
	"context"
	"database/sql"

	"example.com/orders/events"
	"example.com/orders/store"
)

// A Publisher gives events to a broker.
type Publisher interface {
	Publish(ctx context.Context, e events.Event) error
}

// Direct publishes events itself. Each of its methods loses or invents an event when the process dies at the wrong
// moment; Outboxed does the same without that.
type Direct struct {
	DB     *sql.DB
	Events Publisher
}

// Place adds an order. A crash after the commit leaves an order that nobody hears of.
func (d *Direct) Place(ctx context.Context, o store.Order) error {
	tx, err := d.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := store.InsertOrder(ctx, tx, o); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return d.Events.Publish(ctx, events.Placed(o.ID, o.Customer, o.Total))
}

// Cancel closes an order. When the commit fails, everybody has heard that the order is cancelled and it is still open.
func (d *Direct) Cancel(ctx context.Context, id string) error {
	return store.WithinTx(ctx, d.DB, func(tx *sql.Tx) error {
		if err := store.CloseOrder(ctx, tx, id, "cancelled"); err != nil {
			return err
		}
		return d.Events.Publish(ctx, events.Cancelled(id))
	})
}

// Ship closes an order and notes its carrier. The shipment is written past the transaction: it stays when the rest is
// rolled back.
func (d *Direct) Ship(ctx context.Context, id, carrier string) error {
	return store.WithinTx(ctx, d.DB, func(tx *sql.Tx) error {
		if err := store.InsertShipment(ctx, d.DB, id, carrier); err != nil {
			return err
		}
		return store.CloseOrder(ctx, tx, id, "shipped")
	})
}
