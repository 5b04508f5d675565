// Package orm holds writes that show no SQL.
package orm

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
	"github.com/uptrace/bun"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
	"xorm.io/xorm"
)

// A Song is what every mapper here maps.
type Song struct {
	ID    string `db:"id"`
	Title string `db:"title"`
}

// A SongOutbox is an event.
type SongOutbox struct {
	ID, Payload string
}

// A Label stores songs with every mapper there is.
type Label struct {
	gorm  *gorm.DB
	bun   *bun.DB
	xorm  *xorm.Engine
	sqlx  *sqlx.DB
	mongo *mongo.Collection
	queue *kafka.Writer
}

func (l *Label) release(ctx context.Context, s Song) error {
	return l.queue.WriteMessages(ctx, kafka.Message{Key: []byte(s.ID), Value: []byte(s.Title)})
}

// GormCreate looks at the field Error.
func (l *Label) GormCreate(ctx context.Context, s Song) error {
	if err := l.gorm.WithContext(ctx).Create(&s).Error; err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/no-tx"
}

// GormChain ends a longer chain.
func (l *Label) GormChain(ctx context.Context, s Song) error {
	res := l.gorm.WithContext(ctx).Model(&Song{}).Where("id = ?", s.ID).Omit("id").Updates(map[string]any{"title": s.Title})
	if res.Error != nil {
		return res.Error
	}
	return l.release(ctx, s) // want "dualwrite/no-tx"
}

// GormRefused publishes where the chain has failed.
func (l *Label) GormRefused(ctx context.Context, s Song) error {
	if err := l.gorm.WithContext(ctx).Create(&s).Error; err != nil {
		return l.release(ctx, s)
	}
	return nil
}

// GormRead reads.
func (l *Label) GormRead(ctx context.Context, s Song) error {
	if err := l.gorm.WithContext(ctx).Where("id = ?", s.ID).First(&s).Error; err != nil {
		return err
	}
	return l.release(ctx, s)
}

// GormBegin holds its transaction in a variable of the pool's type.
func (l *Label) GormBegin(ctx context.Context, s Song) error {
	tx := l.gorm.WithContext(ctx).Begin()
	if err := tx.Save(&s).Error; err != nil {
		tx.Rollback()
		return err
	}
	if err := tx.Commit().Error; err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/after-commit"
}

// GormBeginRecorded saves an event beside it.
func (l *Label) GormBeginRecorded(ctx context.Context, s Song) error {
	tx := l.gorm.WithContext(ctx).Begin()
	defer tx.Rollback()
	if err := tx.Save(&s).Error; err != nil {
		return err
	}
	if err := tx.Create(&SongOutbox{ID: s.ID, Payload: s.Title}).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}

// GormPast saves the event with the pool.
func (l *Label) GormPast(ctx context.Context, s Song) error {
	return l.gorm.Transaction(func(tx *gorm.DB) error {
		if err := tx.Save(&s).Error; err != nil {
			return err
		}
		return l.gorm.Create(&SongOutbox{ID: s.ID, Payload: s.Title}).Error // want "dualwrite/escaped-write"
	})
}

// BunInsert builds an insert.
func (l *Label) BunInsert(ctx context.Context, s Song) error {
	if _, err := l.bun.NewInsert().Model(&s).On("CONFLICT (id) DO UPDATE").Exec(ctx); err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/no-tx"
}

// BunSelect builds a select.
func (l *Label) BunSelect(ctx context.Context, s Song) error {
	if err := l.bun.NewSelect().Model(&s).WherePK().Scan(ctx); err != nil {
		return err
	}
	return l.release(ctx, s)
}

// BunBegin begins and commits.
func (l *Label) BunBegin(ctx context.Context, s Song) error {
	tx, err := l.bun.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NewDelete().Model(&s).WherePK().Exec(ctx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/after-commit"
}

// BunIDB is given either a pool or a transaction; here it is a transaction, and the event goes with it.
func (l *Label) BunIDB(ctx context.Context, s Song) error {
	return l.bun.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := store(ctx, tx, s); err != nil {
			return err
		}
		return record(ctx, tx, s)
	})
}

// BunIDBPast hands the pool over for the event.
func (l *Label) BunIDBPast(ctx context.Context, s Song) error {
	return l.bun.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if err := store(ctx, tx, s); err != nil {
			return err
		}
		return record(ctx, l.bun, s) // want "dualwrite/escaped-write"
	})
}

func store(ctx context.Context, db bun.IDB, s Song) error {
	_, err := db.NewInsert().Model(&s).Exec(ctx)
	return err
}

func record(ctx context.Context, db bun.IDB, s Song) error {
	_, err := db.NewInsert().Model(&SongOutbox{ID: s.ID}).Exec(ctx)
	return err
}

// XormSession makes a session a transaction.
func (l *Label) XormSession(ctx context.Context, s Song) error {
	session := l.xorm.NewSession()
	defer session.Close()
	if err := session.Begin(); err != nil {
		return err
	}
	if _, err := session.Insert(&s); err != nil {
		return err
	}
	if err := l.release(ctx, s); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return session.Commit()
}

// XormSessionLater publishes after it.
func (l *Label) XormSessionLater(ctx context.Context, s Song) error {
	session := l.xorm.NewSession()
	defer session.Close()
	if err := session.Begin(); err != nil {
		return err
	}
	if _, err := session.ID(s.ID).Cols("title").Update(&s); err != nil {
		return err
	}
	if err := session.Commit(); err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/after-commit"
}

// XormSessionRecorded inserts an event into it.
func (l *Label) XormSessionRecorded(ctx context.Context, s Song) error {
	session := l.xorm.NewSession()
	defer session.Close()
	if err := session.Begin(); err != nil {
		return err
	}
	if _, err := session.Insert(&s); err != nil {
		return err
	}
	if _, err := session.Insert(&SongOutbox{ID: s.ID}); err != nil {
		return err
	}
	return session.Commit()
}

// SqlxNamed binds a struct.
func (l *Label) SqlxNamed(ctx context.Context, s Song) error {
	if _, err := l.sqlx.NamedExecContext(ctx, `INSERT INTO songs (id, title) VALUES (:id, :title)`, s); err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/no-tx"
}

// SqlxGet writes through a Get.
func (l *Label) SqlxGet(ctx context.Context, s Song) error {
	if err := l.sqlx.GetContext(ctx, &s, `UPDATE songs SET title = $2 WHERE id = $1 RETURNING id, title`, s.ID, s.Title); err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/no-tx"
}

// SqlxSelect reads through one.
func (l *Label) SqlxSelect(ctx context.Context, s Song) error {
	if err := l.sqlx.GetContext(ctx, &s, `SELECT id, title FROM songs WHERE id = $1`, s.ID); err != nil {
		return err
	}
	return l.release(ctx, s)
}

// MongoUpdate changes a document.
func (l *Label) MongoUpdate(ctx context.Context, s Song) error {
	_, err := l.mongo.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$set": bson.M{"title": s.Title}})
	if err != nil {
		return err
	}
	return l.release(ctx, s) // want "dualwrite/no-tx"
}

// MongoFind reads one.
func (l *Label) MongoFind(ctx context.Context, s Song) error {
	if err := l.mongo.FindOne(ctx, bson.M{"_id": s.ID}).Decode(&s); err != nil {
		return err
	}
	return l.release(ctx, s)
}

// MongoPast inserts its event with the context of outside, which has no session.
func (l *Label) MongoPast(ctx context.Context, s Song) error {
	session, err := l.mongo.Database().Client().StartSession()
	if err != nil {
		return err
	}
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(inside context.Context) (any, error) {
		if _, err := l.mongo.InsertOne(inside, s); err != nil {
			return nil, err
		}
		return l.mongo.Database().Collection("song_outbox").InsertOne(ctx, bson.M{"_id": s.ID}) // todo "dualwrite/escaped-write": a collection used without the session is one
	})
	return err
}
