// Package tables records messages in tables with and without a unique key, which are defined in schema.sql, in text and in
// the tags of models.
package tables

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go"
	"gorm.io/gorm"
)

const (
	_ = `CREATE TABLE processed_loose (message_id text NOT NULL, handled_at timestamptz)`
	_ = `CREATE TABLE processed_strict (message_id text NOT NULL, handled_at timestamptz, CONSTRAINT once UNIQUE (message_id))`
)

type Consumer struct {
	db  *sql.DB
	orm *gorm.DB
}

func (c *Consumer) within(ctx context.Context, m *nats.Msg, record func(tx *sql.Tx, id string) (sql.Result, error)) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := record(tx, m.Header.Get(nats.MsgIdHdr))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Data)); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *Consumer) Loose(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO inbox_loose (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "inboxorder/no-unique"
	})
}

func (c *Consumer) Strict(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO inbox_strict (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	})
}

// Wide has a key that is larger than what is inserted here.
func (c *Consumer) Wide(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO inbox_wide (message_id, consumer) VALUES ($1, 'bank') ON CONFLICT DO NOTHING`, id) // want "inboxorder/no-unique"
	})
}

func (c *Consumer) Paired(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO inbox_paired (message_id, consumer) VALUES ($1, 'bank') ON CONFLICT DO NOTHING`, id)
	})
}

func (c *Consumer) TextLoose(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO processed_loose (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "inboxorder/no-unique"
	})
}

func (c *Consumer) TextStrict(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO processed_strict (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	})
}

// Unknown has a table that nobody here defines.
func (c *Consumer) Unknown(ctx context.Context, m *nats.Msg) error {
	return c.within(ctx, m, func(tx *sql.Tx, id string) (sql.Result, error) {
		return tx.ExecContext(ctx, `INSERT INTO processed_elsewhere (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	})
}

type DedupLoose struct {
	ID        uint `gorm:"primaryKey"`
	MessageID string
}

func (DedupLoose) TableName() string { return "dedup_loose" }

type DedupStrict struct {
	ID        uint   `gorm:"primaryKey"`
	MessageID string `gorm:"uniqueIndex"`
}

func (DedupStrict) TableName() string { return "dedup_strict" }

func Migrate(db *gorm.DB) error { return db.AutoMigrate(&DedupLoose{}, &DedupStrict{}) }

func (c *Consumer) ModelLoose(m *nats.Msg) error {
	return c.orm.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&DedupLoose{MessageID: m.Header.Get(nats.MsgIdHdr)}).Error; err != nil { // want "inboxorder/no-unique"
			return err
		}
		return tx.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = ?`, string(m.Data)).Error
	})
}

func (c *Consumer) ModelStrict(m *nats.Msg) error {
	return c.orm.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&DedupStrict{MessageID: m.Header.Get(nats.MsgIdHdr)}).Error; err != nil {
			return err
		}
		return tx.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = ?`, string(m.Data)).Error
	})
}
