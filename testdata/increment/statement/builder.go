package statement

import (
	"context"

	sq "github.com/Masterminds/squirrel"
	"github.com/nats-io/nats.go"
	"github.com/uptrace/bun"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Squirrel puts its statements together.
type Squirrel struct{ *SQL }

func (s *Squirrel) Expr(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = sq.Update("accounts").Set("balance", sq.Expr("balance + ?", c.Amount)).Where(sq.Eq{"id": c.Account}).RunWith(s.db).Exec() // want "increment/unguarded"
	return err
}

func (s *Squirrel) Assigned(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = sq.Update("accounts").Set("balance", c.Amount).Where(sq.Eq{"id": c.Account}).RunWith(s.db).Exec()
	return err
}

func (s *Squirrel) ExprInbox(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := sq.Insert("inbox").Columns("message_id").Values(c.ID).Suffix("ON CONFLICT DO NOTHING").RunWith(tx).Exec()
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := sq.Update("accounts").Set("balance", sq.Expr("balance + ?", c.Amount)).Where(sq.Eq{"id": c.Account}).RunWith(tx).Exec(); err != nil {
		return err
	}
	return tx.Commit()
}

type Account struct {
	ID      string `gorm:"primaryKey" bun:",pk"`
	Balance int64
}

type Inbox struct {
	MessageID string `gorm:"primaryKey" bun:",pk"`
}

func (Inbox) TableName() string { return "inbox" }

type Gorm struct{ db *gorm.DB }

func (s *Gorm) Expr(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return s.db.Model(&Account{}).Where("id = ?", c.Account).Update("balance", gorm.Expr("balance + ?", c.Amount)).Error // want "increment/unguarded"
}

func (s *Gorm) ExprMap(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return s.db.Transaction(func(tx *gorm.DB) error {
		return tx.Model(&Account{ID: c.Account}).Updates(map[string]any{"balance": gorm.Expr("balance - ?", c.Amount), "open": true}).Error // want "increment/unguarded"
	})
}

func (s *Gorm) Assigned(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return s.db.Model(&Account{}).Where("id = ?", c.Account).Update("balance", c.Amount).Error
}

func (s *Gorm) ExprInbox(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return s.db.Transaction(func(tx *gorm.DB) error {
		res := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&Inbox{MessageID: c.ID})
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return tx.Model(&Account{}).Where("id = ?", c.Account).Update("balance", gorm.Expr("balance + ?", c.Amount)).Error
	})
}

func (s *Gorm) ExprCreate(m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return s.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&Inbox{MessageID: c.ID}).Error; err != nil {
			return err
		}
		return tx.Model(&Account{}).Where("id = ?", c.Account).UpdateColumn("balance", gorm.Expr("balance + ?", c.Amount)).Error
	})
}

type Bun struct{ db *bun.DB }

func (s *Bun) Set(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	_, err = s.db.NewUpdate().Model((*Account)(nil)).Set("balance = balance + ?", c.Amount).Where("id = ?", c.Account).Exec(ctx) // want "increment/unguarded"
	return err
}

func (s *Bun) SetInbox(ctx context.Context, m *nats.Msg) error {
	c, err := read(m)
	if err != nil {
		return err
	}
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewInsert().Model(&Inbox{MessageID: c.ID}).On("CONFLICT DO NOTHING").Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.NewUpdate().Model((*Account)(nil)).Set("balance = balance + ?", c.Amount).Where("id = ?", c.Account).Exec(ctx)
		return err
	})
}
