// Package reserve publishes only where nothing was committed.
package reserve

import (
	"context"

	"example.test/shop/notify"
	"example.test/shop/stock"
)

// Ask tells that there is stock.
func Ask(ctx context.Context, r *stock.Repo, n *notify.Notifier, id string) error {
	if err := r.Reserve(ctx, id, len(id) > 3); err != nil {
		return err
	}
	return n.Placed(ctx, id)
}
