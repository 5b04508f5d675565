// Package parcel does it right: what it posts in the transaction is published by a relay two packages below, which
// nothing here leads to.
package parcel

import (
	"context"
	"database/sql"

	"example.test/shop/notify"
	"example.test/shop/post"
	"example.test/shop/runner"
	"example.test/shop/store"
)

// Send quickens what the relay does in any case.
func Send(ctx context.Context, db *sql.DB, repo *store.Repo, n *notify.Notifier, id string) error {
	err := runner.InTx(ctx, db, func(tx *sql.Tx) error {
		if err := repo.In(tx).Insert(ctx, id); err != nil {
			return err
		}
		return post.Post(ctx, tx, id)
	})
	if err != nil {
		return err
	}
	return n.Placed(ctx, id)
}
