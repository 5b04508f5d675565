// Package first has consumers that confirm too early, beside those that do it in time.
package first

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/IBM/sarama"
	"github.com/nats-io/nats.go"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

type parcel struct{ ID, Place string }

// depot keeps parcels; it is two calls and an interface away from the consumers.
type depot interface {
	move(ctx context.Context, p parcel) error
}

type sqlDepot struct{ db *sql.DB }

func (d *sqlDepot) move(ctx context.Context, p parcel) error { return d.put(ctx, p.ID, p.Place) }

func (d *sqlDepot) put(ctx context.Context, id, place string) error {
	_, err := d.db.ExecContext(ctx, `UPDATE parcels SET place = $2 WHERE id = $1`, id, place)
	return err
}

type tracker struct {
	depot  depot
	db     *sql.DB
	reader *kafka.Reader
	group  *kafka.Reader
	lone   *kafka.Reader
}

func newTracker(db *sql.DB) *tracker {
	return &tracker{depot: &sqlDepot{db: db}, db: db,
		reader: kafka.NewReader(kafka.ReaderConfig{Topic: "parcels", GroupID: "depot"}),
		group:  kafka.NewReader(kafka.ReaderConfig{Topic: "scans", GroupID: "depot"}),
		lone:   kafka.NewReader(kafka.ReaderConfig{Topic: "scans", Partition: 3}),
	}
}

func decode(b []byte) (parcel, error) {
	var p parcel
	err := json.Unmarshal(b, &p)
	return p, err
}

func (t *tracker) early(ctx context.Context) error {
	for {
		m, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		p, err := decode(m.Value)
		if err != nil {
			continue
		}
		if err := t.done(ctx, m); err != nil { // want "ackorder/ack-first"
			return err
		}
		if err := t.depot.move(ctx, p); err != nil {
			return err
		}
	}
}

func (t *tracker) inTime(ctx context.Context) error {
	for {
		m, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		p, err := decode(m.Value)
		if err != nil {
			if err := t.done(ctx, m); err != nil { // it can never be read
				return err
			}
			continue
		}
		if err := t.depot.move(ctx, p); err != nil {
			return err
		}
		if err := t.done(ctx, m); err != nil {
			return err
		}
	}
}

func (t *tracker) done(ctx context.Context, m kafka.Message) error {
	return t.reader.CommitMessages(ctx, m)
}

// grouped reads with a group: the offset is committed before ReadMessage returns.
func (t *tracker) grouped(ctx context.Context) error {
	for {
		m, err := t.group.ReadMessage(ctx) // want "ackorder/ack-first"
		if err != nil {
			return err
		}
		if p, err := decode(m.Value); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				log.Print(err)
			}
		}
	}
}

// alone has no group, and so no offsets.
func (t *tracker) alone(ctx context.Context) error {
	for {
		m, err := t.lone.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if p, err := decode(m.Value); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				return err
			}
		}
	}
}

// asks only looks something up after the ack.
func (t *tracker) asks(ctx context.Context) error {
	for {
		m, err := t.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := t.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
		var place string
		if err := t.db.QueryRowContext(ctx, `SELECT place FROM parcels WHERE id = $1`, string(m.Key)).Scan(&place); err != nil {
			return err
		}
		log.Print(place)
	}
}

// claims is a sarama handler.
type claims struct{ t *tracker }

func (claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (c claims) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		s.MarkMessage(m, "") // want "ackorder/ack-first"
		p, err := decode(m.Value)
		if err != nil {
			continue
		}
		if err := c.t.depot.move(s.Context(), p); err != nil {
			return err
		}
	}
	return nil
}

type lateClaims struct{ claims }

func (c lateClaims) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		p, err := decode(m.Value)
		if err != nil {
			s.MarkMessage(m, "")
			continue
		}
		if err := c.t.depot.move(s.Context(), p); err != nil {
			return err
		}
		s.MarkMessage(m, "")
	}
	return nil
}

const unattended = true

// consume opens the queue with automatic acks and hands the deliveries on.
func (t *tracker) consume(ctx context.Context, ch *amqp.Channel) error {
	ds, err := ch.Consume("scans", "", unattended, false, false, false, nil) // want "ackorder/ack-first"
	if err != nil {
		return err
	}
	go t.work(ctx, ds)
	return nil
}

func (t *tracker) work(ctx context.Context, ds <-chan amqp.Delivery) {
	for d := range ds {
		if p, err := decode(d.Body); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				log.Print(err)
			}
		}
	}
}

// attended acks by hand.
func (t *tracker) attended(ctx context.Context, ch *amqp.Channel) error {
	ds, err := ch.Consume("scans", "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range ds {
		p, err := decode(d.Body)
		if err != nil {
			d.Reject(false)
			continue
		}
		if err := t.depot.move(ctx, p); err != nil {
			d.Nack(false, false)
			continue
		}
		d.Ack(false)
	}
	return nil
}

// watch only logs: what is lost hurts nobody.
func watch(ch *amqp.Channel) error {
	ds, err := ch.Consume("audit", "", true, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range ds {
		log.Printf("%s", d.Body)
	}
	return nil
}

func (t *tracker) listen(ctx context.Context, js nats.JetStreamContext) error {
	_, err := js.Subscribe("parcels.*", func(m *nats.Msg) {
		m.Ack() // want "ackorder/ack-first"
		if p, err := decode(m.Data); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				log.Print(err)
			}
		}
	}, nats.ManualAck())
	return err
}

func (t *tracker) deferred(ctx context.Context, js nats.JetStreamContext) error {
	_, err := js.Subscribe("parcels.*", func(m *nats.Msg) {
		var err error
		defer func() {
			if err != nil {
				m.Nak()
				return
			}
			m.Ack()
		}()
		p, err := decode(m.Data)
		if err != nil {
			return
		}
		err = t.depot.move(ctx, p)
	}, nats.ManualAck())
	return err
}

// never asks for no acks at all.
func (t *tracker) never(ctx context.Context, js nats.JetStreamContext) error {
	_, err := js.Subscribe("parcels.*", func(m *nats.Msg) { // want "ackorder/ack-first"
		if p, err := decode(m.Data); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				log.Print(err)
			}
		}
	}, nats.AckNone())
	return err
}

// core is NATS without a stream.
func (t *tracker) core(ctx context.Context, nc *nats.Conn) error {
	_, err := nc.Subscribe("parcels.*", func(m *nats.Msg) { // want advice "ackorder/ack-first"
		if p, err := decode(m.Data); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				log.Print(err)
			}
		}
	})
	return err
}
