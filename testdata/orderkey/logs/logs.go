// Package logs publishes to Kafka.
package logs

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"

	"dmlint.test/orderkey/shared"
)

// Desk tells what became of parcels.
type Desk struct {
	bus    *shared.Bus
	round  *kafka.Writer
	async  sarama.AsyncProducer
	sync   sarama.SyncProducer
	client *kgo.Client
}

// New makes a desk; its own writer goes round the partitions.
func New(bus *shared.Bus) *Desk {
	return &Desk{bus: bus, round: &kafka.Writer{Addr: kafka.TCP("kafka:9092"), Topic: "parcels"}}
}

func (d *Desk) bare(ctx context.Context, m shared.Moved) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return d.bus.Send(ctx, kafka.Message{Topic: "parcels", Value: body}) // want advice "orderkey/missing"
}

func (d *Desk) keyed(ctx context.Context, m shared.Moved) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return d.bus.Send(ctx, kafka.Message{Topic: "parcels", Key: []byte(m.ParcelID), Value: body})
}

func (d *Desk) ignored(ctx context.Context, m shared.Moved) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return d.round.WriteMessages(ctx, kafka.Message{Key: []byte(m.ParcelID), Value: body}) // want advice "orderkey/missing"
}

func (d *Desk) later(ctx context.Context, m shared.Moved) error {
	var msg kafka.Message
	msg.Topic = "parcels"
	msg.Value = []byte(m.To)
	if m.ParcelID != "" {
		msg.Key = []byte(m.ParcelID)
	}
	return d.bus.Send(ctx, msg)
}

func (d *Desk) helped(ctx context.Context, m shared.Moved) error {
	return d.bus.Send(ctx, plain(m)) // want advice "orderkey/missing"
}

func plain(m shared.Moved) kafka.Message {
	return kafka.Message{Topic: "parcels", Value: []byte(m.To), Headers: []kafka.Header{{Key: "parcel", Value: []byte(m.ParcelID)}}}
}

func (d *Desk) built(ctx context.Context, m shared.Moved) error {
	return d.bus.Send(ctx, withKey(m))
}

func withKey(m shared.Moved) kafka.Message {
	return kafka.Message{Topic: "parcels", Key: []byte(m.ParcelID), Value: []byte(m.To)}
}

func (d *Desk) byParameter(ctx context.Context, m shared.Moved) error {
	if err := d.bus.Keyed(ctx, "parcels", m.ParcelID, m); err != nil {
		return err
	}
	return d.bus.Keyed(ctx, "parcels", uuid.NewString(), m) // want advice "orderkey/missing"
}

func (d *Desk) channel(m shared.Moved) {
	d.async.Input() <- &sarama.ProducerMessage{Topic: "parcels", Value: sarama.StringEncoder(m.ParcelID + m.To)} // want advice "orderkey/missing"
	d.async.Input() <- &sarama.ProducerMessage{Topic: "parcels", Key: sarama.StringEncoder(m.ParcelID), Value: sarama.StringEncoder(m.To)}
}

func (d *Desk) clock(m shared.Moved) error {
	_, _, err := d.sync.SendMessage(&sarama.ProducerMessage{ // want advice "orderkey/missing"
		Topic: "parcels",
		Key:   sarama.StringEncoder(strconv.FormatInt(time.Now().UnixNano(), 10)),
		Value: sarama.StringEncoder(m.ParcelID),
	})
	return err
}

func (d *Desk) constant(m shared.Moved) error {
	_, _, err := d.sync.SendMessage(&sarama.ProducerMessage{Topic: "parcels", Key: sarama.StringEncoder("moved"), Value: sarama.StringEncoder(m.ParcelID)}) // want advice "orderkey/missing"
	return err
}

func (d *Desk) picked(m shared.Moved, partition int32) error {
	_, _, err := d.sync.SendMessage(&sarama.ProducerMessage{Topic: "parcels", Partition: partition, Value: sarama.StringEncoder(m.ParcelID)})
	return err
}

func (d *Desk) records(ctx context.Context, m shared.Moved) error {
	if err := d.client.ProduceSync(ctx, &kgo.Record{Topic: "parcels", Value: []byte(m.ParcelID)}).FirstErr(); err != nil { // want advice "orderkey/missing"
		return err
	}
	return d.client.ProduceSync(ctx, kgo.KeyStringRecord(m.ParcelID, m.To)).FirstErr()
}

func (d *Desk) batch(ctx context.Context, ms []shared.Moved) error {
	var out []kafka.Message
	for _, m := range ms {
		out = append(out, kafka.Message{Topic: "parcels", Value: []byte(m.ParcelID)})
	}
	return d.bus.Send(ctx, out...) // want advice "orderkey/missing"
}

func (d *Desk) keyedBatch(ctx context.Context, ms []shared.Moved) error {
	out := make([]kafka.Message, len(ms))
	for i, m := range ms {
		out[i] = kafka.Message{Topic: "parcels", Key: []byte(m.ParcelID), Value: []byte(m.To)}
	}
	return d.bus.Send(ctx, out...)
}

// beat is of no entity.
func (d *Desk) beat(ctx context.Context) error {
	return d.bus.Send(ctx, kafka.Message{Topic: "alive", Value: []byte(time.Now().String())})
}

// park passes on what has come.
func (d *Desk) park(ctx context.Context, m kafka.Message) error {
	m.Topic = "parcels.parked"
	return d.bus.Send(ctx, m)
}

func (d *Desk) audit(ctx context.Context, m shared.Moved) error {
	return d.bus.Send(ctx, kafka.Message{Topic: "audit.parcels", Value: []byte(m.ParcelID)})
}
