// Package docs writes documents. The comment "effects:" of a function lists what is seen in it.
package docs

import (
	"context"
	"errors"

	bson1 "go.mongodb.org/mongo-driver/bson"
	mongo1 "go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"gopkg.in/mgo.v2"
	mgobson "gopkg.in/mgo.v2/bson"
)

// effects: write update increment where(_id)
func Map(ctx context.Context, c *mongo.Collection, id string, n int) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"balance": n}})
	return err
}

// effects: write update increment where(_id)
func Pairs(ctx context.Context, c *mongo.Collection, id string, n int) error {
	_, err := c.UpdateOne(ctx, bson.D{{Key: "_id", Value: id}}, bson.D{{Key: "$inc", Value: bson.D{{Key: "balance", Value: n}}}})
	return err
}

// effects: write update increment where(_id)
func Old(ctx context.Context, c *mongo1.Collection, id string, n int) error {
	_, err := c.UpdateOne(ctx, bson1.M{"_id": id}, bson1.D{{Key: "$inc", Value: bson1.D{{Key: "balance", Value: n}}}})
	return err
}

// effects: write update increment where(_id)
func Variable(ctx context.Context, c *mongo.Collection, id string, n int) error {
	filter := bson.M{"_id": id}
	update := bson.M{"$set": bson.M{"status": "paid"}}
	if n > 0 {
		update["$inc"] = bson.M{"balance": n}
	}
	_, err := c.UpdateOne(ctx, filter, update)
	return err
}

func addTo(n int) bson.M { return bson.M{"$inc": bson.M{"balance": n}} }

// effects: write update increment where(_id)
func Helper(ctx context.Context, c *mongo.Collection, id string, n int) error {
	_, err := c.UpdateByID(ctx, id, addTo(n))
	return err
}

// effects: write update increment where(_id)
func Push(ctx context.Context, c *mongo.Collection, id, line string) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"lines": line}})
	return err
}

// effects: write update where(_id)
func Set(ctx context.Context, c *mongo.Collection, id string) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"status": "paid"}, "$addToSet": bson.M{"tags": "x"}})
	return err
}

// effects: write update increment guarded checked where(_id,status)
func Guarded(ctx context.Context, c *mongo.Collection, id string) error {
	res, err := c.UpdateOne(ctx, bson.M{"_id": id, "status": "new"}, bson.M{"$set": bson.M{"status": "paid"}, "$inc": bson.M{"n": 1}})
	if err != nil {
		return err
	}
	if res.ModifiedCount == 0 {
		return errors.New("paid already")
	}
	return nil
}

// effects: write update increment guarded where(_id,applied)
func Applied(ctx context.Context, c *mongo.Collection, id, event string) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": id, "applied": bson.M{"$ne": event}},
		bson.M{"$push": bson.M{"applied": event}, "$inc": bson.M{"n": 1}})
	return err
}

// effects: write update conflict checked where(_id)
func OnInsert(ctx context.Context, c *mongo.Collection, id string) (bool, error) {
	res, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$setOnInsert": bson.M{"at": 1}}, options.UpdateOne().SetUpsert(true))
	if err != nil {
		return false, err
	}
	return res.UpsertedCount == 1, nil
}

// effects: read select where(_id)
func FindOne(ctx context.Context, c *mongo.Collection, id string) (out bson.M, err error) {
	err = c.FindOne(ctx, bson.M{"_id": id}).Decode(&out)
	return out, err
}

// effects: read events exists where(_id)
func Count(ctx context.Context, db *mongo.Database, id string) (bool, error) {
	n, err := db.Collection("events").CountDocuments(ctx, bson.M{"_id": id})
	return n > 0, err
}

// effects: write update increment checked where(_id,qty)
func FindAndUpdate(ctx context.Context, c *mongo.Collection, id string) (out bson.M, err error) {
	err = c.FindOneAndUpdate(ctx, bson.M{"_id": id, "qty": bson.M{"$gte": 1}}, bson.M{"$inc": bson.M{"qty": -1}}).Decode(&out)
	return out, err
}

// effects: write people update increment checked where(_id)
func Mgo(s *mgo.Session, id string, n int) error {
	c := s.DB("shop").C("people")
	return c.Update(mgobson.M{"_id": id}, mgobson.M{"$inc": mgobson.M{"visits": n}})
}

// effects: write people update increment checked where(_id,status)
func MgoApply(s *mgo.Session, id string) (out mgobson.M, err error) {
	_, err = s.DB("shop").C("people").Find(mgobson.M{"_id": id, "status": "new"}).
		Apply(mgo.Change{Update: mgobson.D{{Name: "$inc", Value: mgobson.M{"visits": 1}}}}, &out)
	return out, err
}

// effects: read people exists where(_id)
func MgoCount(s *mgo.Session, id string) (bool, error) {
	n, err := s.DB("shop").C("people").FindId(id).Count()
	return n > 0, err
}

// effects: write update increment where(_id)
func Bulk(ctx context.Context, c *mongo.Collection, id string) error {
	_, err := c.BulkWrite(ctx, []mongo.WriteModel{
		mongo.NewUpdateOneModel().SetFilter(bson.M{"_id": id}).SetUpdate(bson.M{"$inc": bson.M{"n": 1}}),
	})
	return err
}

type Repo struct{ events *mongo.Collection }

func NewRepo(db *mongo.Database) *Repo { return &Repo{events: db.Collection("inbox")} }

// effects: read inbox where(_id)
func (r *Repo) Find(ctx context.Context, id string) error {
	return r.events.FindOne(ctx, bson.M{"_id": id}).Err()
}
