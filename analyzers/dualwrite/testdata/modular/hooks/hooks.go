// Package hooks calls a function that another package has put into a field.
package hooks

import (
	"context"

	"example.test/shop/store"
)

// Service places orders.
type Service struct {
	Repo   *store.Repo
	Placed func(ctx context.Context, id string) error
}

// Place loses the event in a crash.
func (s *Service) Place(ctx context.Context, id string) error {
	if err := s.Repo.Save(ctx, id); err != nil {
		return err
	}
	return s.Placed(ctx, id) // whole dualwrite/after-commit
}
