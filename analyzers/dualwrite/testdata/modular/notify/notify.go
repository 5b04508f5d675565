// Package notify tells other services.
package notify

import (
	"context"

	"example.test/shop/transport"
)

// Sender sends a message.
type Sender interface {
	Send(ctx context.Context, key string, body []byte) error
}

// Notifier announces orders.
type Notifier struct {
	transport *transport.Kafka
	sender    Sender
}

// New makes a notifier.
func New(t *transport.Kafka) *Notifier { return &Notifier{transport: t, sender: t} }

// Placed announces an order.
func (n *Notifier) Placed(ctx context.Context, id string) error {
	return n.transport.Send(ctx, id, []byte(`{"placed":true}`))
}

// Cancelled announces the end of an order, through an interface.
func (n *Notifier) Cancelled(ctx context.Context, id string) error {
	return n.sender.Send(ctx, id, []byte(`{"cancelled":true}`))
}
