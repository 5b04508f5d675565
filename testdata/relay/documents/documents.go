// Package documents keeps events in a collection.
package documents

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type event struct {
	ID      bson.ObjectID `bson:"_id"`
	Payload []byte        `bson:"payload"`
}

type relay struct {
	db *mongo.Database
	js jetstream.JetStream
}

func (r *relay) open(ctx context.Context) error {
	cur, err := r.db.Collection("outbox").Find(ctx, bson.M{"sent_at": nil}, options.Find().SetLimit(10)) // want "relay/unlocked"
	if err != nil {
		return err
	}
	var events []event
	if err := cur.All(ctx, &events); err != nil {
		return err
	}
	for _, e := range events {
		if _, err := r.js.Publish(ctx, "events", e.Payload); err != nil {
			return err
		}
		if _, err := r.db.Collection("outbox").UpdateByID(ctx, e.ID, bson.M{"$set": bson.M{"sent_at": time.Now()}}); err != nil {
			return err
		}
	}
	return nil
}

// claimed takes one document after the other.
func (r *relay) claimed(ctx context.Context) error {
	for {
		var e event
		err := r.db.Collection("outbox").FindOneAndUpdate(ctx, bson.M{"state": "new"}, bson.M{"$set": bson.M{"state": "sending"}}).Decode(&e)
		if err != nil {
			return err
		}
		if _, err := r.js.Publish(ctx, "events", e.Payload); err != nil {
			return err
		}
		if _, err := r.db.Collection("outbox").UpdateByID(ctx, e.ID, bson.M{"$set": bson.M{"state": "sent"}}); err != nil {
			return err
		}
	}
}

// won looks whether it was the one that changed the document.
func (r *relay) won(ctx context.Context) error {
	cur, err := r.db.Collection("outbox").Find(ctx, bson.M{"state": "new"})
	if err != nil {
		return err
	}
	var events []event
	if err := cur.All(ctx, &events); err != nil {
		return err
	}
	for _, e := range events {
		res, err := r.db.Collection("outbox").UpdateOne(ctx, bson.M{"_id": e.ID, "state": "new"}, bson.M{"$set": bson.M{"state": "sending"}})
		if err != nil {
			return err
		}
		if res.ModifiedCount == 0 {
			continue
		}
		if _, err := r.js.Publish(ctx, "events", e.Payload); err != nil {
			return err
		}
		if _, err := r.db.Collection("outbox").DeleteOne(ctx, bson.M{"_id": e.ID}); err != nil {
			return err
		}
	}
	return nil
}

// gone deletes a document before it is out.
func (r *relay) gone(ctx context.Context) error {
	var e event
	if err := r.db.Collection("outbox").FindOneAndDelete(ctx, bson.M{"state": "new"}).Decode(&e); err != nil { // want "relay/mark-first"
		return err
	}
	_, err := r.js.Publish(ctx, "events", e.Payload)
	return err
}
