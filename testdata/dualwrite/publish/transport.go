package publish

import (
	"context"
	"database/sql"
	"encoding/json"

	amqp "github.com/rabbitmq/amqp091-go"

	"dmlint.test/dualwrite/publish/herald"
)

// Conveyor is a transport: one implementation goes to a broker, the other keeps its messages in a table.
type Conveyor interface {
	Carry(ctx context.Context, p herald.Parcel) error
}

type rabbitBelt struct{ channel *amqp.Channel }

func (b *rabbitBelt) Carry(ctx context.Context, p herald.Parcel) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return b.channel.PublishWithContext(ctx, "", "belt", false, false, amqp.Publishing{Body: body})
}

type tableBelt struct{ db *sql.DB }

func (b *tableBelt) Carry(ctx context.Context, p herald.Parcel) error {
	_, err := b.db.ExecContext(ctx, `INSERT INTO belt_messages (id, sender) VALUES ($1, $2)`, p.ID, p.Sender)
	return err
}

// NewConveyor picks one.
func NewConveyor(db *sql.DB, channel *amqp.Channel) Conveyor {
	if channel == nil {
		return &tableBelt{db}
	}
	return &rabbitBelt{channel}
}

// A Hall has a conveyor.
type Hall struct {
	db   *sql.DB
	belt Conveyor
}

// Carry gives a parcel to the belt twice: neither is the write that the other announces.
func (h *Hall) Carry(ctx context.Context, p herald.Parcel) error {
	if err := h.belt.Carry(ctx, p); err != nil {
		return err
	}
	return h.belt.Carry(ctx, p)
}

// Unload writes, and then gives it to the belt.
func (h *Hall) Unload(ctx context.Context, p herald.Parcel) error {
	if _, err := h.db.ExecContext(ctx, `DELETE FROM trucks WHERE parcel = $1`, p.ID); err != nil {
		return err
	}
	return h.belt.Carry(ctx, p) // want "dualwrite/no-tx"
}
