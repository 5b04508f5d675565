// Package transport is two packages below the one that publishes: go vet hands on the facts of direct imports only.
package transport

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// Kafka sends to one topic.
type Kafka struct{ w *kafka.Writer }

// New makes a sender.
func New(w *kafka.Writer) *Kafka { return &Kafka{w: w} }

// Send publishes.
func (k *Kafka) Send(ctx context.Context, key string, body []byte) error {
	return k.w.WriteMessages(ctx, kafka.Message{Key: []byte(key), Value: body})
}
