package runner

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/uptrace/bun"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
)

// A Mill has a database of every kind.
type Mill struct {
	pool   *pgxpool.Pool
	gorm   *gorm.DB
	bun    *bun.DB
	mongo  *mongo.Client
	stream nats.JetStreamContext
}

// Grind publishes in pgx's closure.
func (m *Mill) Grind(ctx context.Context, b Batch) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO flour (id, recipe) VALUES ($1, $2)`, b.ID, b.Recipe); err != nil {
			return err
		}
		_, err := m.stream.Publish("flour.ground", []byte(b.ID)) // want "dualwrite/inside-tx"
		return err
	})
}

// GrindRecorded leaves a row in it.
func (m *Mill) GrindRecorded(ctx context.Context, b Batch) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO flour (id, recipe) VALUES ($1, $2)`, b.ID, b.Recipe); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO mill_outbox (id, payload) VALUES ($1, $2)`, b.ID, b.Recipe)
		return err
	})
}

// GrindThen publishes after pgx's runner.
func (m *Mill) GrindThen(ctx context.Context, b Batch) error {
	err := pgx.BeginTxFunc(ctx, m.pool, pgx.TxOptions{}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO flour (id, recipe) VALUES ($1, $2)`, b.ID, b.Recipe)
		return err
	})
	if err != nil {
		return err
	}
	_, err = m.stream.Publish("flour.ground", []byte(b.ID)) // want "dualwrite/after-commit"
	return err
}

// A Sack is a row of gorm's and bun's.
type Sack struct {
	ID     string
	Weight int
}

// A SackOutbox is an event of gorm's and bun's.
type SackOutbox struct {
	ID, Payload string
}

// Fill publishes in gorm's closure.
func (m *Mill) Fill(ctx context.Context, s Sack) error {
	return m.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&s).Error; err != nil {
			return err
		}
		_, err := m.stream.Publish("sacks.filled", []byte(s.ID)) // want "dualwrite/inside-tx"
		return err
	})
}

// FillRecorded creates a row in it.
func (m *Mill) FillRecorded(ctx context.Context, s Sack) error {
	return m.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&s).Error; err != nil {
			return err
		}
		return tx.Create(&SackOutbox{ID: s.ID}).Error
	})
}

// Empty publishes after gorm's runner.
func (m *Mill) Empty(ctx context.Context, s Sack) error {
	err := m.gorm.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return tx.Model(&s).Update("weight", 0).Error
	})
	if err == nil {
		_, err = m.stream.Publish("sacks.emptied", []byte(s.ID)) // want "dualwrite/after-commit"
	}
	return err
}

// Mend publishes in bun's closure.
func (m *Mill) Mend(ctx context.Context, s Sack) error {
	return m.bun.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewUpdate().Model(&s).WherePK().Exec(ctx); err != nil {
			return err
		}
		_, err := m.stream.Publish("sacks.mended", []byte(s.ID)) // want "dualwrite/inside-tx"
		return err
	})
}

// MendRecorded inserts a row in it.
func (m *Mill) MendRecorded(ctx context.Context, s Sack) error {
	return m.bun.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewUpdate().Model(&s).WherePK().Exec(ctx); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&SackOutbox{ID: s.ID}).Exec(ctx)
		return err
	})
}

// Weigh publishes in a session of Mongo's.
func (m *Mill) Weigh(ctx context.Context, s Sack) error {
	session, err := m.mongo.StartSession()
	if err != nil {
		return err
	}
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		sacks := m.mongo.Database("mill").Collection("sacks")
		if _, err := sacks.InsertOne(ctx, bson.M{"_id": s.ID, "weight": s.Weight}); err != nil {
			return nil, err
		}
		return m.stream.Publish("sacks.weighed", []byte(s.ID)) // want "dualwrite/inside-tx"
	})
	return err
}

// WeighRecorded inserts a second document.
func (m *Mill) WeighRecorded(ctx context.Context, s Sack) error {
	session, err := m.mongo.StartSession()
	if err != nil {
		return err
	}
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		db := m.mongo.Database("mill")
		if _, err := db.Collection("sacks").InsertOne(ctx, bson.M{"_id": s.ID, "weight": s.Weight}); err != nil {
			return nil, err
		}
		return db.Collection("sack_outbox").InsertOne(ctx, bson.M{"_id": s.ID})
	})
	return err
}
