package publish

import (
	"context"
	"database/sql"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"

	"dmlint.test/dualwrite/publish/herald"
)

// A Customs office handles messages; the router publishes what its handlers return.
type Customs struct {
	db  *sql.DB
	bus *cqrs.EventBus
	hub *gochannel.GoChannel
}

// Register names the handlers.
func (c *Customs) Register(r *message.Router, sub message.Subscriber, pub message.Publisher) {
	r.AddHandler("declare", "parcels", sub, "declarations", pub, c.declare)
	r.AddHandler("inspect", "declarations", sub, "inspections", pub, c.inspect)
	r.AddNoPublisherHandler("stamp", "inspections", sub, c.stamp)
}

// declare returns a message after a write that fails when it is repeated: the redelivery does not get to the return.
func (c *Customs) declare(msg *message.Message) ([]*message.Message, error) {
	id := string(msg.Payload)
	if _, err := c.db.ExecContext(msg.Context(), `INSERT INTO declarations (parcel) VALUES ($1)`, id); err != nil {
		return nil, err
	}
	return message.Messages{message.NewMessage(watermill.NewUUID(), []byte("declared "+id))}, nil // want "dualwrite/no-tx"
}

// inspect returns one after a write that can be repeated.
func (c *Customs) inspect(msg *message.Message) ([]*message.Message, error) {
	id := string(msg.Payload)
	_, err := c.db.ExecContext(msg.Context(), `INSERT INTO inspections (parcel) VALUES ($1) ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return nil, err
	}
	return message.Messages{message.NewMessage(watermill.NewUUID(), []byte("inspected "+id))}, nil
}

// stamp returns nothing.
func (c *Customs) stamp(msg *message.Message) error {
	_, err := c.db.ExecContext(msg.Context(), `INSERT INTO stamps (parcel) VALUES ($1)`, string(msg.Payload))
	return err
}

// NewCustoms makes an office whose bus goes to a broker.
func NewCustoms(db *sql.DB, broker message.Publisher) (*Customs, error) {
	bus, err := cqrs.NewEventBusWithConfig(broker, cqrs.EventBusConfig{Marshaler: cqrs.JSONMarshaler{}})
	if err != nil {
		return nil, err
	}
	return &Customs{db: db, bus: bus, hub: gochannel.NewGoChannel(gochannel.Config{}, nil)}, nil
}

// Clear publishes through an event bus.
func (c *Customs) Clear(ctx context.Context, p herald.Parcel) error {
	if _, err := c.db.ExecContext(ctx, `UPDATE declarations SET cleared = true WHERE parcel = $1`, p.ID); err != nil {
		return err
	}
	return c.bus.Publish(ctx, &p) // want "dualwrite/no-tx"
}

// ClearInside publishes to subscribers in the process.
func (c *Customs) ClearInside(ctx context.Context, p herald.Parcel) error {
	if _, err := c.db.ExecContext(ctx, `UPDATE declarations SET cleared = true WHERE parcel = $1`, p.ID); err != nil {
		return err
	}
	return c.hub.Publish("cleared", message.NewMessage(watermill.NewUUID(), []byte(p.ID)))
}
