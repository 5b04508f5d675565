// Package orm polls through builders.
package orm

import (
	"context"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/jmoiron/sqlx"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
	"github.com/uptrace/bun"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type OutboxEvent struct {
	ID      int64
	Payload []byte
	SentAt  *time.Time
}

type relay struct {
	gorm *gorm.DB
	bun  *bun.DB
	sqlx *sqlx.DB
	w    *kafka.Writer
	rdb  *redis.Client
}

func (r *relay) send(ctx context.Context, e OutboxEvent) error {
	return r.w.WriteMessages(ctx, kafka.Message{Value: e.Payload})
}

func (r *relay) gormOpen(ctx context.Context) error {
	var events []OutboxEvent
	if err := r.gorm.WithContext(ctx).Where("sent_at IS NULL").Order("id").Limit(10).Find(&events).Error; err != nil { // want "relay/unlocked"
		return err
	}
	for _, e := range events {
		if err := r.send(ctx, e); err != nil {
			return err
		}
		if err := r.gorm.WithContext(ctx).Model(&OutboxEvent{}).Where("id = ?", e.ID).Update("sent_at", time.Now()).Error; err != nil {
			return err
		}
	}
	return nil
}

func (r *relay) gormHeld(ctx context.Context) error {
	return r.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var events []OutboxEvent
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).Where("sent_at IS NULL").Order("id").Limit(10).Find(&events).Error; err != nil {
			return err
		}
		for _, e := range events {
			if err := r.send(ctx, e); err != nil {
				return err
			}
			if err := tx.Model(&OutboxEvent{}).Where("id = ?", e.ID).Update("sent_at", time.Now()).Error; err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *relay) gormPool(ctx context.Context) error {
	var events []OutboxEvent
	if err := r.gorm.WithContext(ctx).Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).Where("sent_at IS NULL").Find(&events).Error; err != nil { // want "relay/unlocked"
		return err
	}
	for _, e := range events {
		if err := r.send(ctx, e); err != nil {
			return err
		}
		if err := r.gorm.Delete(&e).Error; err != nil {
			return err
		}
	}
	return nil
}

func (r *relay) gormEarly(ctx context.Context) error {
	var events []OutboxEvent
	err := r.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("sent_at IS NULL").Order("id").Limit(10).Find(&events).Error; err != nil {
			return err
		}
		for _, e := range events {
			if err := tx.Model(&OutboxEvent{}).Where("id = ?", e.ID).Update("sent_at", time.Now()).Error; err != nil { // want "relay/mark-first"
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range events {
		if err := r.send(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (r *relay) bunOpen(ctx context.Context) error {
	var events []OutboxEvent
	if err := r.bun.NewSelect().Model(&events).Where("sent_at IS NULL").Limit(10).Scan(ctx); err != nil { // want "relay/unlocked"
		return err
	}
	for _, e := range events {
		if err := r.send(ctx, e); err != nil {
			return err
		}
		if _, err := r.bun.NewUpdate().Model(&e).Set("sent_at = now()").WherePK().Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *relay) bunHeld(ctx context.Context) error {
	return r.bun.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var events []OutboxEvent
		if err := tx.NewSelect().Model(&events).Where("sent_at IS NULL").Limit(10).For("UPDATE SKIP LOCKED").Scan(ctx); err != nil {
			return err
		}
		for _, e := range events {
			if err := r.send(ctx, e); err != nil {
				return err
			}
			if _, err := tx.NewUpdate().Model(&e).Set("sent_at = now()").WherePK().Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *relay) builtOpen(ctx context.Context) error {
	query, args, err := sq.Select("id", "payload").From("outbox_events").Where(sq.Eq{"sent_at": nil}).OrderBy("id").Limit(10).ToSql()
	if err != nil {
		return err
	}
	var events []OutboxEvent
	if err := r.sqlx.SelectContext(ctx, &events, query, args...); err != nil { // want "relay/unlocked"
		return err
	}
	for _, e := range events {
		if err := r.rdb.XAdd(ctx, &redis.XAddArgs{Stream: "events", Values: map[string]any{"payload": e.Payload}}).Err(); err != nil {
			return err
		}
		if _, err := r.sqlx.ExecContext(ctx, `UPDATE outbox_events SET sent_at = now() WHERE id = $1`, e.ID); err != nil {
			return err
		}
	}
	return nil
}

func (r *relay) builtHeld(ctx context.Context) error {
	tx, err := r.sqlx.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	query, args, err := sq.Select("id", "payload").From("outbox_events").Where(sq.Eq{"sent_at": nil}).OrderBy("id").Limit(10).Suffix("FOR UPDATE SKIP LOCKED").ToSql()
	if err != nil {
		return err
	}
	var events []OutboxEvent
	if err := tx.SelectContext(ctx, &events, query, args...); err != nil {
		return err
	}
	for _, e := range events {
		if err := r.rdb.XAdd(ctx, &redis.XAddArgs{Stream: "events", Values: map[string]any{"payload": e.Payload}}).Err(); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE outbox_events SET sent_at = now() WHERE id = $1`, e.ID); err != nil {
			return err
		}
	}
	return tx.Commit()
}
