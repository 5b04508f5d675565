// Package checkout imports neither the store nor the notifier.
package checkout

import (
	"context"

	"example.test/shop/container"
)

// Pay loses the event in a crash.
func Pay(ctx context.Context, d *container.Deps, id string) error {
	if err := d.Orders.Save(ctx, id); err != nil {
		return err
	}
	return d.Announce().Placed(ctx, id) // want dualwrite/after-commit
}
