// Package promo hands its functions to another package.
package promo

import (
	"context"
	"database/sql"

	"example.test/shop/notify"
	"example.test/shop/runner"
	"example.test/shop/store"
)

// Service opens promotions.
type Service struct {
	db     *sql.DB
	repo   *store.Repo
	notify *notify.Notifier
}

// Open announces what may be rolled back.
func (s *Service) Open(ctx context.Context, id string) error {
	return runner.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if err := s.repo.In(tx).Insert(ctx, id); err != nil {
			return err
		}
		return s.notify.Placed(ctx, id) // want dualwrite/inside-tx
	})
}

// Reopen announces after the transaction that the runner has committed.
func (s *Service) Reopen(ctx context.Context, id string) error {
	err := runner.InTx(ctx, s.db, func(tx *sql.Tx) error { return s.repo.In(tx).Insert(ctx, id) })
	if err != nil {
		return err
	}
	return runner.Twice(func() error { return s.notify.Placed(ctx, id) }) // want dualwrite/after-commit
}

// Close tells of nothing that was not committed.
func (s *Service) Close(ctx context.Context, id string) error {
	err := runner.InTx(ctx, s.db, func(tx *sql.Tx) error { return s.repo.In(tx).Insert(ctx, id) })
	if err == nil {
		return nil
	}
	return s.notify.Placed(ctx, id)
}
