// Package events says which events the service announces, and announces them through Kafka.
package events

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

// An Event is something that has happened to an order.
type Event struct {
	Topic string
	// Key is the order's ID: events of one order stay in order.
	Key     string
	Payload any
}

// Placed announces a new order.
func Placed(orderID, customer string, total int64) Event {
	return Event{"order-placed", orderID, map[string]any{"order": orderID, "customer": customer, "total": total}}
}

// Cancelled announces that an order will not be shipped.
func Cancelled(orderID string) Event {
	return Event{"order-cancelled", orderID, map[string]any{"order": orderID}}
}

// Shipped announces that an order is on its way.
func Shipped(orderID, carrier string) Event {
	return Event{"order-shipped", orderID, map[string]any{"order": orderID, "carrier": carrier}}
}

// Kafka publishes events.
type Kafka struct {
	writer *kafka.Writer
}

// NewKafka makes a publisher for a cluster.
func NewKafka(brokers ...string) *Kafka {
	return &Kafka{writer: &kafka.Writer{Addr: kafka.TCP(brokers...), Balancer: &kafka.Hash{}, RequiredAcks: kafka.RequireAll}}
}

// Publish gives an event to the broker.
func (k *Kafka) Publish(ctx context.Context, e Event) error {
	payload, err := json.Marshal(e.Payload)
	if err != nil {
		return err
	}
	return k.Send(ctx, e.Topic, e.Key, payload)
}

// Send gives an encoded event to the broker.
func (k *Kafka) Send(ctx context.Context, topic, key string, payload []byte) error {
	return k.writer.WriteMessages(ctx, kafka.Message{Topic: topic, Key: []byte(key), Value: payload})
}
