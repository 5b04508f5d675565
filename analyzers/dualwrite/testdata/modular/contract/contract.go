// Package contract works in transactions that its context carries.
package contract

import (
	"context"
	"database/sql"

	"example.test/shop/notify"
	"example.test/shop/txm"
)

type runs interface {
	Do(ctx context.Context, fn func(ctx context.Context) error) error
}

// Service signs contracts.
type Service struct {
	db     *sql.DB
	tx     runs
	notify *notify.Notifier
}

// New makes the service: what runs its transactions is an unexported type behind two interfaces.
func New(db *sql.DB, tx txm.Manager, n *notify.Notifier) *Service {
	return &Service{db: db, tx: tx, notify: n}
}

func (s *Service) insert(ctx context.Context, id string) error {
	_, err := txm.From(ctx, s.db).ExecContext(ctx, `INSERT INTO contracts (id) VALUES ($1)`, id)
	return err
}

// Sign publishes too early.
func (s *Service) Sign(ctx context.Context, id string) error {
	return s.tx.Do(ctx, func(ctx context.Context) error {
		if err := s.insert(ctx, id); err != nil {
			return err
		}
		return s.notify.Placed(ctx, id) // want dualwrite/inside-tx
	})
}
