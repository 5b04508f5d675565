// Package documents replaces documents by what messages bring.
package documents

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Lamp struct {
	ID      string `bson:"_id"`
	Bright  int    `bson:"bright"`
	Version int64  `bson:"version"`
}

type Home struct{ lamps *mongo.Collection }

func (h *Home) Replace(m jetstream.Msg) {
	var l Lamp
	if err := json.Unmarshal(m.Data(), &l); err != nil {
		m.Term()
		return
	}
	h.lamps.ReplaceOne(context.Background(), bson.M{"_id": l.ID}, l, options.Replace().SetUpsert(true)) // want advice "transition/blind-assign"
	m.Ack()
}

func (h *Home) ReplaceOlder(m jetstream.Msg) {
	var l Lamp
	if err := json.Unmarshal(m.Data(), &l); err != nil {
		m.Term()
		return
	}
	h.lamps.ReplaceOne(context.Background(), bson.M{"_id": l.ID, "version": bson.M{"$lt": l.Version}}, l)
	m.Ack()
}

type Room struct {
	Name      string    `bson:"_id"`
	Warm      int       `bson:"warm"`
	UpdatedAt time.Time `bson:"updated_at"`
}

// Stamped has no time but that of its own: there is nothing to compare.
func (h *Home) Stamped(m jetstream.Msg) {
	h.lamps.UpdateOne(context.Background(), bson.M{"_id": string(m.Data())}, bson.M{"$set": Room{Name: string(m.Data()), UpdatedAt: time.Now()}})
	m.Ack()
}

// Warmer reads the row and gives it the message's time.
func (h *Home) Warmer(m jetstream.Msg) {
	var change Changed
	if err := json.Unmarshal(m.Data(), &change); err != nil {
		m.Term()
		return
	}
	room, err := h.room(change.Room)
	if err != nil {
		m.Nak()
		return
	}
	room.Warm, room.UpdatedAt = change.Warm, change.UpdatedAt
	h.save(room) // want advice "transition/blind-assign"
	m.Ack()
}

// WarmerIfNewer compares the times.
func (h *Home) WarmerIfNewer(m jetstream.Msg) {
	var change Changed
	if err := json.Unmarshal(m.Data(), &change); err != nil {
		m.Term()
		return
	}
	room, err := h.room(change.Room)
	if err != nil {
		m.Nak()
		return
	}
	if room.UpdatedAt.Before(change.UpdatedAt) {
		room.Warm, room.UpdatedAt = change.Warm, change.UpdatedAt
		h.save(room)
	}
	m.Ack()
}

type Changed struct {
	Room      string
	Warm      int
	UpdatedAt time.Time
}

func (h *Home) room(name string) (*Room, error) {
	var r Room
	err := h.lamps.FindOne(context.Background(), bson.M{"_id": name}).Decode(&r)
	return &r, err
}

func (h *Home) save(r any) error {
	_, err := h.lamps.ReplaceOne(context.Background(), bson.M{"_id": "x"}, r)
	return err
}

func (h *Home) Consume(c jetstream.Consumer) {
	for _, handle := range []func(jetstream.Msg){h.Replace, h.ReplaceOlder, h.Stamped, h.Warmer, h.WarmerIfNewer, h.SetState, h.SetStateFrom} {
		c.Consume(handle)
	}
}

type Switched struct{ Lamp, State string }

func (h *Home) SetState(m jetstream.Msg) {
	var s Switched
	if err := json.Unmarshal(m.Data(), &s); err != nil {
		m.Term()
		return
	}
	h.lamps.UpdateOne(context.Background(), bson.M{"_id": s.Lamp}, bson.M{"$set": bson.M{"state": s.State}}) // want advice "transition/blind-assign"
	m.Ack()
}

func (h *Home) SetStateFrom(m jetstream.Msg) {
	var s Switched
	if err := json.Unmarshal(m.Data(), &s); err != nil {
		m.Term()
		return
	}
	h.lamps.UpdateOne(context.Background(), bson.D{{Key: "_id", Value: s.Lamp}, {Key: "state", Value: "off"}}, bson.D{{Key: "$set", Value: bson.D{{Key: "state", Value: s.State}}}})
	m.Ack()
}
