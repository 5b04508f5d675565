// Package wrapper keeps records for work that it is handed: what the work does is not known, and it is somebody's effect.
package wrapper

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

type Once struct {
	rdb  *redis.Client
	pool *pgxpool.Pool
}

// Claimed is called for each message by something that has no model. Elsewhere it might be a limit.
//
//dmlint:handler
func (o *Once) Claimed(ctx context.Context, id string, payload []byte, work func(context.Context, []byte) error) error {
	fresh, err := o.rdb.SetNX(ctx, id, 1, time.Hour).Result() // want "inboxorder/check-outside"
	if err != nil || !fresh {
		return err
	}
	return work(ctx, payload)
}

func (o *Once) Recorded(ctx context.Context, id string, payload []byte, work func(context.Context, []byte) error) error {
	tag, err := o.pool.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "inboxorder/record-outside"
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return work(ctx, payload)
}

// Together gives the work the transaction of the record.
func (o *Once) Together(ctx context.Context, id string, payload []byte, work func(context.Context, pgx.Tx, []byte) error) error {
	return pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return work(ctx, tx, payload)
	})
}
