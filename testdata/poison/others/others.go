// Package others has subscriptions whose limits are set where they are made.
package others

import (
	"context"
	"database/sql"
	"encoding/json"

	"cloud.google.com/go/pubsub"
	"github.com/nats-io/nats.go/jetstream"
)

type Seat struct{ ID string }

type Hall struct{ db *sql.DB }

func (h *Hall) take(ctx context.Context, body []byte) error {
	_, err := h.db.ExecContext(ctx, `UPDATE seats SET taken = true WHERE id = $1`, string(body))
	return err
}

// Unlimited makes a consumer that never gives up.
func (h *Hall) Unlimited(ctx context.Context, js jetstream.JetStream) error {
	cons, err := js.CreateOrUpdateConsumer(ctx, "SEATS", jetstream.ConsumerConfig{Durable: "hall"})
	if err != nil {
		return err
	}
	_, err = cons.Consume(func(m jetstream.Msg) {
		if err := h.take(ctx, m.Data()); err != nil {
			m.Nak() // want "poison/requeue"
			return
		}
		m.Ack()
	})
	return err
}

// Elsewhere has a subscription that others have made: only what cannot be decoded is certain to come back.
func (h *Hall) Elsewhere(ctx context.Context, sub *pubsub.Subscription) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		var s Seat
		if err := json.Unmarshal(m.Data, &s); err != nil {
			m.Nack() // want advice "poison/requeue"
			return
		}
		if err := h.take(ctx, m.Data); err != nil {
			m.Nack()
			return
		}
		m.Ack()
	})
}

// Dropped confirms what cannot be decoded.
func (h *Hall) Dropped(ctx context.Context, sub *pubsub.Subscription) error {
	return sub.Receive(ctx, func(ctx context.Context, m *pubsub.Message) {
		var s Seat
		if err := json.Unmarshal(m.Data, &s); err != nil {
			m.Ack()
			return
		}
		if err := h.take(ctx, m.Data); err != nil {
			m.Nack()
			return
		}
		m.Ack()
	})
}
