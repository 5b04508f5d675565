// Package orders commits in one package and publishes in another.
package orders

import (
	"context"

	"example.test/shop/notify"
	"example.test/shop/store"
)

// Service places orders.
type Service struct {
	repo   *store.Repo
	notify *notify.Notifier
}

// New makes the service.
func New(repo *store.Repo, n *notify.Notifier) *Service { return &Service{repo: repo, notify: n} }

// Place loses the event in a crash.
func (s *Service) Place(ctx context.Context, id string) error {
	if err := s.repo.Save(ctx, id); err != nil {
		return err
	}
	return s.notify.Placed(ctx, id) // want dualwrite/after-commit
}

// Cancel does so, too: the sender's only implementation is two packages below.
func (s *Service) Cancel(ctx context.Context, id string) error {
	if err := s.repo.Cancel(ctx, id); err != nil {
		return err
	}
	return s.notify.Cancelled(ctx, id) // want dualwrite/no-tx
}

// Remind changes nothing.
func (s *Service) Remind(ctx context.Context, id string) error {
	if _, err := s.repo.State(ctx, id); err != nil {
		return err
	}
	return s.notify.Placed(ctx, id)
}
