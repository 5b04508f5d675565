// Package billing does it right: the event is in the transaction, the publish only quickens it.
package billing

import (
	"context"
	"database/sql"

	"example.test/shop/notify"
	"example.test/shop/outbox"
	"example.test/shop/runner"
	"example.test/shop/store"
)

// Bill announces through the outbox.
func Bill(ctx context.Context, db *sql.DB, repo *store.Repo, n *notify.Notifier, id string) error {
	err := runner.InTx(ctx, db, func(tx *sql.Tx) error {
		if err := repo.In(tx).Insert(ctx, id); err != nil {
			return err
		}
		return outbox.Add(ctx, tx, []byte(id))
	})
	if err != nil {
		return err
	}
	return n.Placed(ctx, id)
}
