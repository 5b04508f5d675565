package keyvalue

import (
	"context"
	"database/sql"
	"sync"

	"github.com/IBM/sarama"
	"github.com/redis/go-redis/v9"
)

// A Shop keeps in one map what is switched on, in another one what it has handled, and in Redis the names of customers.
type Shop struct {
	db      *sql.DB
	rdb     *redis.Client
	mu      sync.Mutex
	on      map[string]bool
	handled map[string]bool
}

// Switch is told by an operator.
func (s *Shop) Switch(feature string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on[feature] = on
}

func (s *Shop) has(feature string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on[feature]
}

func (s *Shop) name(ctx context.Context, id string) (string, error) {
	if name, err := s.rdb.Get(ctx, "name:"+id).Result(); err == nil {
		return name, nil
	}
	var name string
	if err := s.db.QueryRowContext(ctx, `SELECT name FROM customers WHERE id = $1`, id).Scan(&name); err != nil {
		return "", err
	}
	return name, s.rdb.Set(ctx, "name:"+id, name, 0).Err()
}

// Switched asks what is switched on and fills a cache: neither tells of the message.
func (s *Shop) Switched(ctx context.Context, m *sarama.ConsumerMessage) error {
	if !s.has(string(m.Value)) {
		return nil
	}
	name, err := s.name(ctx, string(m.Value))
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `UPDATE customers SET points = points + 1 WHERE name = $1`, name) // want "increment/unguarded"
	return err
}

// Handled asks the map that it puts the message into.
func (s *Shop) Handled(ctx context.Context, m *sarama.ConsumerMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handled[string(m.Key)] { // want "inboxorder/check-outside"
		return nil
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE customers SET visits = visits + 1 WHERE id = $1`, string(m.Value)); err != nil {
		return err
	}
	s.handled[string(m.Key)] = true // want "inboxorder/record-outside"
	return nil
}
