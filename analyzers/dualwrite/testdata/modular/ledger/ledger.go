// Package ledger holds a database, and a repository that holds the same one: only who makes both knows.
package ledger

import (
	"context"
	"database/sql"

	"example.test/shop/runner"
	"example.test/shop/store"
)

// Service books.
type Service struct {
	db   *sql.DB
	repo *store.Repo
}

// New makes the service.
func New(db *sql.DB, repo *store.Repo) *Service { return &Service{db: db, repo: repo} }

// Book writes past its transaction.
func (s *Service) Book(ctx context.Context, id string) error {
	return runner.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if err := s.repo.In(tx).Insert(ctx, id); err != nil {
			return err
		}
		return s.repo.Cancel(ctx, id) // whole dualwrite/escaped-write
	})
}
