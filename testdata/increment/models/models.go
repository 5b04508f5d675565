// Package models adds and inserts through models, entities and documents, and tells keys by their fields.
package models

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"

	"dmlint.test/increment/models/ent"
	"dmlint.test/increment/models/ent/account"
)

type deposit struct {
	ID, Account     string
	Amount, Version int64
}

func parse(t *asynq.Task) (d deposit, err error) { return d, json.Unmarshal(t.Payload(), &d) }

// Ent uses generated builders.
type Ent struct{ client *ent.Client }

func (e *Ent) Add(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return e.client.Account.UpdateOneID(d.Account).AddBalance(d.Amount).Exec(ctx) // want "increment/unguarded"
}

func (e *Ent) Set(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return e.client.Account.UpdateOneID(d.Account).SetBalance(d.Amount).Exec(ctx)
}

// AddVersion changes nothing where the version has gone on.
func (e *Ent) AddVersion(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	_, err = e.client.Account.Update().Where(account.ID(d.Account), account.Version(d.Version-1)).AddBalance(d.Amount).SetVersion(d.Version).Save(ctx)
	return err
}

func (e *Ent) AddInbox(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	tx, err := e.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Inbox.Create().SetMessageID(d.ID).Exec(ctx); err != nil {
		if ent.IsConstraintError(err) {
			return nil
		}
		return err
	}
	if err := tx.Account.UpdateOneID(d.Account).AddBalance(d.Amount).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

func (e *Ent) Fresh(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return e.client.Entry.Create().SetID(uuid.NewString()).SetAmount(d.Amount).Exec(ctx) // want "increment/unguarded"
}

func (e *Ent) Natural(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return e.client.Entry.Create().SetID(d.ID).SetAmount(d.Amount).Exec(ctx)
}

// entryOf is made of what another function returns.
func entryOf(d deposit) *entry { e := newEntry(); e.Amount = d.Amount; return e }

func newEntry() *entry { return &entry{ID: newID("entry")} }

func newID(prefix string) string { return fmt.Sprintf("%s_%s", prefix, generated()) }

func generated() string { return uuid.NewString() }

type entry struct {
	ID     string
	Amount int64
}

func (e *Ent) FreshElsewhere(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	n := entryOf(d)
	return e.client.Entry.Create().SetID(n.ID).SetAmount(n.Amount).Exec(ctx) // want "increment/unguarded"
}

// GivenOrFresh takes the message's ID, which is there for all that matter.
func (e *Ent) GivenOrFresh(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	id := d.ID
	if id == "" {
		id = newID("entry")
	}
	return e.client.Entry.Create().SetID(id).SetAmount(d.Amount).Exec(ctx)
}

// FreshInSteps gives the builder its values in statements of their own.
func (e *Ent) FreshInSteps(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	create := e.client.Entry.Create().SetAmount(d.Amount)
	if d.Version > 0 {
		create = create.SetID(newID("corrected"))
	} else {
		create = create.SetID(newID("entry"))
	}
	return create.Exec(ctx) // want "increment/unguarded"
}

// NaturalInSteps takes both IDs from the message.
func (e *Ent) NaturalInSteps(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	create := e.client.Entry.Create().SetAmount(d.Amount)
	if d.Version > 0 {
		create = create.SetID("corrected_" + d.ID)
	} else {
		create = create.SetID(d.ID)
	}
	return create.Exec(ctx)
}

type Fee struct {
	ID        string `gorm:"primaryKey"`
	DepositID string
	Amount    int64
}

type Gorm struct{ db *gorm.DB }

func (g *Gorm) Fresh(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return g.db.WithContext(ctx).Create(&Fee{ID: uuid.NewString(), DepositID: d.ID, Amount: d.Amount}).Error // want "increment/unguarded"
}

func (g *Gorm) Natural(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	return g.db.WithContext(ctx).Create(&Fee{ID: d.ID, DepositID: d.ID, Amount: d.Amount}).Error
}

type Mongo struct{ tolls *mongo.Collection }

func NewMongo(db *mongo.Database) *Mongo { return &Mongo{db.Collection("tolls")} }

func (m *Mongo) Fresh(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	_, err = m.tolls.InsertOne(ctx, bson.M{"_id": bson.NewObjectID(), "amount": d.Amount}) // want "increment/unguarded"
	return err
}

func (m *Mongo) Natural(ctx context.Context, t *asynq.Task) error {
	d, err := parse(t)
	if err != nil {
		return err
	}
	_, err = m.tolls.InsertOne(ctx, bson.M{"_id": d.ID, "amount": d.Amount})
	return err
}
