// Package store keeps orders in PostgreSQL.
package store

import (
	"context"
	"database/sql"
	"errors"
)

// ErrNotOpen means that an order is unknown, cancelled or shipped already.
var ErrNotOpen = errors.New("the order is not open")

// An Order is what a customer has ordered.
type Order struct {
	ID       string
	Customer string
	Total    int64
}

// A DB is a pool of connections or a transaction.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// WithinTx runs f in a transaction and commits it if f succeeds.
func WithinTx(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// InsertOrder adds an open order.
func InsertOrder(ctx context.Context, db DB, o Order) error {
	_, err := db.ExecContext(ctx, `INSERT INTO orders (id, customer, total, status) VALUES ($1, $2, $3, 'open')`,
		o.ID, o.Customer, o.Total)
	return err
}

// CloseOrder gives an open order its last status.
func CloseOrder(ctx context.Context, db DB, id, status string) error {
	res, err := db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1 AND status = 'open'`, id, status)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = ErrNotOpen
	}
	return err
}

// InsertShipment notes who carries an order.
func InsertShipment(ctx context.Context, db DB, id, carrier string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO shipments (order_id, carrier) VALUES ($1, $2)`, id, carrier)
	return err
}
