// Package ignored records messages, and goes on as if nothing had been said.
package ignored

import (
	"context"
	"log"

	"github.com/nats-io/nats.go/jetstream"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Seen struct {
	MessageID string `gorm:"primaryKey"`
}

func (Seen) TableName() string { return "processed_messages" }

type Account struct {
	ID      string `gorm:"primaryKey"`
	Balance int64
}

type Consumer struct{ db *gorm.DB }

func (c *Consumer) Start(ctx context.Context, from jetstream.Consumer) error {
	for _, handle := range []func(ctx context.Context, id, account string) error{c.thrown, c.looked, c.logged, c.returned, c.raw, c.rawLooked, c.last} {
		if _, err := from.Consume(func(m jetstream.Msg) {
			if err := handle(ctx, m.Headers().Get("Nats-Msg-Id"), string(m.Data())); err != nil {
				_ = m.Nak()
				return
			}
			_ = m.Ack()
		}); err != nil {
			return err
		}
	}
	return nil
}

func add(tx *gorm.DB, account string) error {
	return tx.Model(&Account{}).Where("id = ?", account).Update("balance", gorm.Expr("balance + 1")).Error
}

func (c *Consumer) thrown(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&Seen{MessageID: id}).Error; err != nil { // want "inboxorder/ignored-conflict"
			return err
		}
		return add(tx, account)
	})
}

func (c *Consumer) looked(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&Seen{MessageID: id})
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Model(&Account{}).Where("id = ?", account).Update("balance", gorm.Expr("balance + 1")).Error
	})
}

func (c *Consumer) logged(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&Seen{MessageID: id}).Error; err != nil { // want "inboxorder/ignored-conflict"
			log.Printf("record %s: %v", id, err)
		}
		return tx.Model(&Account{}).Where("id = ?", account).Update("balance", gorm.Expr("balance + 1")).Error
	})
}

func (c *Consumer) returned(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&Seen{MessageID: id}).Error; err != nil {
			return err
		}
		return tx.Model(&Account{}).Where("id = ?", account).Update("balance", gorm.Expr("balance + 1")).Error
	})
}

func (c *Consumer) raw(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`INSERT IGNORE INTO processed_messages (message_id) VALUES (?)`, id).Error; err != nil { // want "inboxorder/ignored-conflict"
			return err
		}
		return tx.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = ?`, account).Error
	})
}

func (c *Consumer) rawLooked(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`INSERT IGNORE INTO processed_messages (message_id) VALUES (?)`, id)
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return nil
		}
		return tx.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = ?`, account).Error
	})
}

// last swallows its conflict when everything is done.
func (c *Consumer) last(ctx context.Context, id, account string) error {
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = ?`, account).Error; err != nil {
			return err
		}
		return tx.Exec(`INSERT INTO processed_messages (message_id) VALUES (?) ON CONFLICT DO NOTHING`, id).Error // want "inboxorder/ignored-conflict"
	})
}
