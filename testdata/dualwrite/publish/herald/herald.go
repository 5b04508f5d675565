// Package herald tells the world about parcels.
package herald

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
)

// A Parcel is on its way.
type Parcel struct {
	ID, Sender, Receiver string
}

// Kafka is the herald of production.
type Kafka struct {
	writer *kafka.Writer
}

// NewKafka makes one.
func NewKafka(w *kafka.Writer) *Kafka { return &Kafka{writer: w} }

// Tell implements publish.Herald.
func (k *Kafka) Tell(ctx context.Context, p Parcel) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return k.write(ctx, p.ID, body)
}

func (k *Kafka) write(ctx context.Context, key string, body []byte) error {
	return k.writer.WriteMessages(ctx, kafka.Message{Key: []byte(key), Value: body})
}

// Silent is the herald of those who have no broker.
type Silent struct{}

// Tell implements publish.Herald.
func (Silent) Tell(context.Context, Parcel) error { return nil }

// Log is the only gazette that there is: a log line.
type Log struct{ logger *log.Logger }

// Print implements publish.Gazette.
func (l *Log) Print(_ context.Context, p Parcel) error {
	l.logger.Println("parcel", p.ID)
	return nil
}
