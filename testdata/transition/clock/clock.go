// Package clock asks the time.
package clock

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/segmentio/kafka-go"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
)

type Signal struct {
	Train, State string
	At           time.Time
}

type Track struct {
	db     *sql.DB
	orm    *gorm.DB
	trains *mongo.Collection
}

type Train struct {
	ID        string
	State     string
	ChangedAt time.Time
}

func decode(m kafka.Message) (s Signal, err error) {
	err = json.Unmarshal(m.Value, &s)
	return s, err
}

//dmlint:handler
func (t *Track) Now(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	_, err = t.db.ExecContext(ctx, `UPDATE trains SET state = $2, changed_at = $3 WHERE id = $1 AND changed_at < $3`, s.Train, s.State, time.Now().UTC()) // want advice "transition/arrival-time"
	return err
}

//dmlint:handler
func (t *Track) NowInSQL(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	_, err = t.db.ExecContext(ctx, `UPDATE trains SET state = $2, updated_at = now() WHERE id = $1 AND updated_at < now()`, s.Train, s.State) // want advice "transition/arrival-time"
	return err
}

//dmlint:handler
func (t *Track) NowInORM(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	now := time.Now()
	return t.orm.Model(&Train{}).Where("id = ? AND changed_at < ?", s.Train, now).Updates(map[string]any{"state": s.State, "changed_at": now}).Error // want advice "transition/arrival-time"
}

//dmlint:handler
func (t *Track) NowInDocument(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	now := time.Now()
	_, err = t.trains.UpdateOne(ctx, bson.M{"_id": s.Train, "changed_at": bson.M{"$lt": now}}, bson.M{"$set": bson.M{"state": s.State, "changed_at": now}}) // want advice "transition/arrival-time"
	return err
}

//dmlint:handler
func (t *Track) NowInGo(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	var row Train
	if err := t.db.QueryRowContext(ctx, `SELECT id, changed_at FROM trains WHERE id = $1`, s.Train).Scan(&row.ID, &row.ChangedAt); err != nil {
		return err
	}
	if row.ChangedAt.Before(time.Now()) {
		_, err = t.db.ExecContext(ctx, `UPDATE trains SET state = $2 WHERE id = $1`, s.Train, s.State) // want advice "transition/arrival-time"
	}
	return err
}

//dmlint:handler
func (t *Track) EventTime(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	_, err = t.db.ExecContext(ctx, `UPDATE trains SET state = $2, changed_at = $3, updated_at = now() WHERE id = $1 AND changed_at < $3`, s.Train, s.State, s.At)
	return err
}

//dmlint:handler
func (t *Track) EventTimeInGo(ctx context.Context, m kafka.Message) error {
	s, err := decode(m)
	if err != nil {
		return err
	}
	var row Train
	if err := t.db.QueryRowContext(ctx, `SELECT id, changed_at FROM trains WHERE id = $1`, s.Train).Scan(&row.ID, &row.ChangedAt); err != nil {
		return err
	}
	if row.ChangedAt.Before(s.At) {
		_, err = t.db.ExecContext(ctx, `UPDATE trains SET state = $2, changed_at = $3, updated_at = $4 WHERE id = $1`, s.Train, s.State, s.At, time.Now())
	}
	return err
}

// Expired asks whether something is due: that is a question for the clock.
//
//dmlint:handler
func (t *Track) Expired(ctx context.Context, m kafka.Message) error {
	_, err := t.db.ExecContext(ctx, `UPDATE tickets SET state = 'expired' WHERE id = $1 AND valid_until < now()`, string(m.Key))
	return err
}
