// Package letters writes a table that is an outbox, though its name does not tell: the relay beside it does.
package letters

import (
	"context"
	"database/sql"

	"example.test/shop/notify"
	"example.test/shop/runner"
	"example.test/shop/store"
)

// Service places orders.
type Service struct {
	db     *sql.DB
	repo   *store.Repo
	notify *notify.Notifier
}

// New makes the service.
func New(db *sql.DB, repo *store.Repo, n *notify.Notifier) *Service {
	return &Service{db: db, repo: repo, notify: n}
}

// Late inserts the letter after the commit: a crash between the two loses it.
func (s *Service) Late(ctx context.Context, id string) error {
	if err := s.repo.Save(ctx, id); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, `INSERT INTO letters (order_id, payload) VALUES ($1, $2)`, id, "placed") // whole dualwrite/after-commit
	return err
}

// Early inserts the letter with the order; the publish only quickens it.
func (s *Service) Early(ctx context.Context, id string) error {
	err := runner.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if err := s.repo.In(tx).Insert(ctx, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO letters (order_id, payload) VALUES ($1, $2)`, id, "placed")
		return err
	})
	if err != nil {
		return err
	}
	return s.notify.Placed(ctx, id) // vet dualwrite/after-commit
}
