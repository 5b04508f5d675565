package first

import (
	"context"
	"log"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kgo"
)

// stored leaves the settings of confluent's client at what they are: the offset is stored when the message is handed out.
func (t *tracker) stored(ctx context.Context) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": "kafka", "group.id": "depot"})
	if err != nil {
		return err
	}
	for {
		m, err := c.ReadMessage(-1) // want "ackorder/ack-first"
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

// storedLater stores the offset itself, after the effect.
func (t *tracker) storedLater(ctx context.Context) error {
	c, err := kafka.NewConsumer(&kafka.ConfigMap{"bootstrap.servers": "kafka", "group.id": "depot", "enable.auto.offset.store": false})
	if err != nil {
		return err
	}
	for {
		m, err := c.ReadMessage(-1)
		if err != nil {
			return err
		}
		if p, err := decode(m.Value); err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				return err
			}
		}
		if _, err := c.StoreMessage(m); err != nil {
			return err
		}
	}
}

// given has its settings from somebody else.
func (t *tracker) given(ctx context.Context, settings *kafka.ConfigMap) error {
	c, err := kafka.NewConsumer(settings)
	if err != nil {
		return err
	}
	for {
		m, err := c.ReadMessage(-1)
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

type polled struct {
	t      *tracker
	client *kgo.Client
}

func greedy(t *tracker) (*polled, error) {
	client, err := kgo.NewClient(kgo.ConsumerGroup("depot"), kgo.GreedyAutoCommit())
	return &polled{t: t, client: client}, err
}

func (p *polled) run(ctx context.Context) {
	for {
		for _, r := range p.client.PollFetches(ctx).Records() { // want "ackorder/ack-first"
			if x, err := decode(r.Value); err == nil {
				if err := p.t.depot.move(ctx, x); err != nil {
					log.Print(err)
				}
			}
		}
	}
}

type calmly struct {
	t      *tracker
	client *kgo.Client
}

func calm(t *tracker) (*calmly, error) {
	client, err := kgo.NewClient(kgo.ConsumerGroup("depot"), kgo.DisableAutoCommit())
	return &calmly{t: t, client: client}, err
}

func (p *calmly) run(ctx context.Context) error {
	for {
		records := p.client.PollFetches(ctx).Records()
		for _, r := range records {
			if x, err := decode(r.Value); err == nil {
				if err := p.t.depot.move(ctx, x); err != nil {
					return err
				}
			}
		}
		if err := p.client.CommitRecords(ctx, records...); err != nil {
			return err
		}
	}
}
