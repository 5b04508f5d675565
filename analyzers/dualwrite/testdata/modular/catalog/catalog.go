// Package catalog writes through generated code.
package catalog

import (
	"context"

	"example.test/shop/ent"
	"example.test/shop/notify"
)

// Service adds items.
type Service struct {
	client *ent.Client
	notify *notify.Notifier
}

// Add loses the event in a crash.
func (s *Service) Add(ctx context.Context, id string) error {
	item, err := s.client.Item.Create().SetID(id).Save(ctx)
	if err != nil {
		return err
	}
	return s.notify.Placed(ctx, item.ID) // want dualwrite/no-tx
}
