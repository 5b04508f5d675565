// Package broken says nothing about order.
package broken

import (
	"context"

	"github.com/segmentio/kafka-go"
)

type Topics struct {
	conn *kafka.Conn
	w    *kafka.Writer
}

// Make makes the topic.
func (t *Topics) Make() error {
	return t.conn.CreateTopics(kafka.TopicConfig{Topic: "ledger", NumPartitions: 12, ReplicationFactor: 3})
}

// Tell publishes an entry.
func (t *Topics) Tell(ctx context.Context, account string, body []byte) error {
	return t.w.WriteMessages(ctx, kafka.Message{Key: []byte(account), Value: body})
}
