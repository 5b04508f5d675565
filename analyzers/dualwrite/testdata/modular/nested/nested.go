// Package nested works in its caller's transaction where there is one: whether the publish comes too early or too late
// depends on the callers.
package nested

import (
	"context"
	"database/sql"

	"example.test/shop/notify"
	"example.test/shop/txm"
)

// Service pays.
type Service struct {
	db     *sql.DB
	notify *notify.Notifier
}

// New makes the service.
func New(db *sql.DB, n *notify.Notifier) *Service { return &Service{db: db, notify: n} }

// Pay is only called inside transactions.
func (s *Service) Pay(ctx context.Context, id string) error {
	_, err := txm.From(ctx, s.db).ExecContext(ctx, `INSERT INTO payments (id) VALUES ($1)`, id)
	if err != nil {
		return err
	}
	return s.notify.Placed(ctx, id) // whole dualwrite/inside-tx // vet dualwrite/no-tx
}
