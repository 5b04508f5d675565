package sifted

import (
	"context"
	"fmt"
	"time"

	"github.com/IBM/sarama"
)

type notice struct {
	ID, EventName string
}

func read(m *sarama.ConsumerMessage) notice {
	return notice{ID: string(m.Key), EventName: string(m.Value)}
}

// claim makes one key of its pieces and puts it into Redis.
func (s *Sink) claim(ctx context.Context, key string, ttl time.Duration) (bool, error) {
	return s.rdb.SetNX(ctx, key, 1, ttl).Result()
}

func keyOf(pieces ...any) string { return fmt.Sprint(pieces...) }

// OncePerName lets one row of a kind through in some time: it is no record of the message.
func (s *Sink) OncePerName(ctx context.Context, m *sarama.ConsumerMessage) error {
	n := read(m)
	ok, err := s.claim(ctx, keyOf("rejected", n.EventName), time.Minute)
	if err != nil || !ok {
		return err
	}
	return s.insert(ctx, []Usage{{ID: n.ID}})
}

// Throttled says what it is.
func (s *Sink) Throttled(ctx context.Context, m *sarama.ConsumerMessage) error {
	ok, err := s.claim(ctx, "throttle:"+read(m).ID, time.Minute)
	if err != nil || !ok {
		return err
	}
	return s.insert(ctx, []Usage{{ID: read(m).ID}})
}

// OncePerMessage has the message's ID in its key, too.
func (s *Sink) OncePerMessage(ctx context.Context, m *sarama.ConsumerMessage) error {
	n := read(m)
	ok, err := s.claim(ctx, keyOf(n.EventName, n.ID), time.Minute) // want "inboxorder/check-outside"
	if err != nil || !ok {
		return err
	}
	return s.insert(ctx, []Usage{{ID: n.ID}})
}
