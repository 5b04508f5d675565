// Package post stands between the mailroom and those who post.
package post

import (
	"context"
	"database/sql"

	"example.test/shop/mailroom"
)

// Post drops an event.
func Post(ctx context.Context, tx *sql.Tx, id string) error {
	return mailroom.Drop(ctx, tx, []byte(id))
}
