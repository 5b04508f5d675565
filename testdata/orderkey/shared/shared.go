// Package shared holds what the other packages send and send with.
package shared

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

// Moved is an event of a parcel.
type Moved struct {
	ParcelID, To string
}

// Bus sends through a writer that goes by keys.
type Bus struct{ w *kafka.Writer }

// NewBus makes a bus.
func NewBus(brokers ...string) *Bus {
	return &Bus{w: hashing(brokers)}
}

func hashing(brokers []string) *kafka.Writer {
	return &kafka.Writer{Addr: kafka.TCP(brokers...), Balancer: &kafka.Hash{}}
}

// Send sends messages as they are.
func (b *Bus) Send(ctx context.Context, ms ...kafka.Message) error {
	return b.w.WriteMessages(ctx, ms...)
}

// Keyed sends a value under a key.
func (b *Bus) Keyed(ctx context.Context, topic, key string, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return b.Send(ctx, kafka.Message{Topic: topic, Key: []byte(key), Value: body})
}
