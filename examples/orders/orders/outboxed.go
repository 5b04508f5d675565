package orders

import (
	"context"
	"database/sql"

	"example.com/orders/events"
	"example.com/orders/outbox"
	"example.com/orders/store"
)

// Outboxed writes each event into the outbox, in the transaction that makes it true; the relay publishes it.
type Outboxed struct {
	DB *sql.DB
}

// Place adds an order.
func (s *Outboxed) Place(ctx context.Context, o store.Order) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := store.InsertOrder(ctx, tx, o); err != nil {
		return err
	}
	if err := outbox.Add(ctx, tx, events.Placed(o.ID, o.Customer, o.Total)); err != nil {
		return err
	}
	return tx.Commit()
}

// Cancel closes an order.
func (s *Outboxed) Cancel(ctx context.Context, id string) error {
	return store.WithinTx(ctx, s.DB, func(tx *sql.Tx) error {
		if err := store.CloseOrder(ctx, tx, id, "cancelled"); err != nil {
			return err
		}
		return outbox.Add(ctx, tx, events.Cancelled(id))
	})
}

// Ship closes an order and notes its carrier.
func (s *Outboxed) Ship(ctx context.Context, id, carrier string) error {
	return store.WithinTx(ctx, s.DB, func(tx *sql.Tx) error {
		if err := store.InsertShipment(ctx, tx, id, carrier); err != nil {
			return err
		}
		if err := store.CloseOrder(ctx, tx, id, "shipped"); err != nil {
			return err
		}
		return outbox.Add(ctx, tx, events.Shipped(id, carrier))
	})
}
