// Package sifted asks of each message of a batch whether it was seen, keeps those that were not, and works them off after
// the loop, while the rows are in a column store that knows neither transactions nor unique keys.
package sifted

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/IBM/sarama"
	"github.com/redis/go-redis/v9"
)

type Usage struct {
	ID    string
	Units int64
}

type Sink struct {
	rdb  *redis.Client
	conn driver.Conn
}

func (s *Sink) insert(ctx context.Context, usages []Usage) error {
	batch, err := s.conn.PrepareBatch(ctx, `INSERT INTO usage (id, units)`)
	if err != nil {
		return err
	}
	for _, u := range usages {
		if err := batch.Append(u.ID, u.Units); err != nil {
			return err
		}
	}
	return batch.Send()
}

func decode(m *sarama.ConsumerMessage) []Usage {
	return []Usage{{ID: string(m.Key), Units: int64(len(m.Value))}}
}

// Claimed marks each one as seen and keeps it.
func (s *Sink) Claimed(ctx context.Context, m *sarama.ConsumerMessage) error {
	var fresh []Usage
	for _, u := range decode(m) {
		ok, err := s.rdb.SetNX(ctx, "usage:"+u.ID, 1, time.Hour).Result() // want "inboxorder/check-outside"
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		fresh = append(fresh, u)
	}
	return s.insert(ctx, fresh)
}

// Batched asks for all of them at once, and marks them when they are in.
func (s *Sink) Batched(ctx context.Context, m *sarama.ConsumerMessage) error {
	usages := decode(m)
	seen, err := s.seen(ctx, usages) // want "inboxorder/check-outside"
	if err != nil {
		return err
	}
	fresh := make([]Usage, 0, len(usages))
	for _, u := range usages {
		if !seen[u.ID] {
			fresh = append(fresh, u)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := s.insert(ctx, fresh); err != nil {
		return err
	}
	return s.mark(ctx, fresh) // want "inboxorder/record-outside"
}

func (s *Sink) seen(ctx context.Context, usages []Usage) (map[string]bool, error) {
	keys := make([]string, 0, len(usages))
	for _, u := range usages {
		keys = append(keys, "usage:"+u.ID)
	}
	values, err := s.rdb.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(usages))
	for i, v := range values {
		if v == nil {
			seen[usages[i].ID] = false
			continue
		}
		seen[usages[i].ID] = true
	}
	return seen, nil
}

func (s *Sink) mark(ctx context.Context, usages []Usage) error {
	for _, u := range usages {
		if err := s.rdb.Set(ctx, "usage:"+u.ID, 1, time.Hour).Err(); err != nil {
			return err
		}
	}
	return nil
}

// Rated fills a cache with what it does not find there: it asks for something else than the message.
func (s *Sink) Rated(ctx context.Context, m *sarama.ConsumerMessage) error {
	usages := decode(m)
	known, err := s.seen(ctx, usages)
	if err != nil {
		return err
	}
	var missing []Usage
	for _, u := range usages {
		if !known[u.ID] {
			missing = append(missing, u)
		}
	}
	if err := s.mark(ctx, missing); err != nil {
		return err
	}
	return s.insert(ctx, usages)
}

// Plain leaves it to the store to merge the rows.
func (s *Sink) Plain(ctx context.Context, m *sarama.ConsumerMessage) error {
	return s.conn.Exec(ctx, `INSERT INTO usage (id, units) VALUES (?, ?)`, string(m.Key), len(m.Value))
}
