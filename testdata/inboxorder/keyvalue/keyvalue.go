// Package keyvalue remembers messages in Redis, in a cache and in memory, while the effect is in a database.
package keyvalue

import (
	"context"
	"database/sql"
	"log"
	"sync"
	"time"

	"github.com/IBM/sarama"
	"github.com/patrickmn/go-cache"
	"github.com/redis/go-redis/v9"
)

type Bank struct {
	db    *sql.DB
	rdb   *redis.Client
	cache *cache.Cache
	mu    sync.Mutex
	seen  map[string]bool
	names map[string]string
	once  sync.Map
}

func (b *Bank) add(ctx context.Context, m *sarama.ConsumerMessage) error {
	_, err := b.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value))
	return err
}

func (b *Bank) SetNX(ctx context.Context, m *sarama.ConsumerMessage) error {
	fresh, err := b.rdb.SetNX(ctx, "seen:"+string(m.Key), 1, time.Hour).Result() // want "inboxorder/check-outside"
	if err != nil || !fresh {
		return err
	}
	return b.add(ctx, m)
}

func (b *Bank) GetSet(ctx context.Context, m *sarama.ConsumerMessage) error {
	n, err := b.rdb.Exists(ctx, "seen:"+string(m.Key)).Result() // want "inboxorder/check-outside"
	if err != nil || n > 0 {
		return err
	}
	if err := b.add(ctx, m); err != nil {
		return err
	}
	return b.rdb.Set(ctx, "seen:"+string(m.Key), 1, time.Hour).Err() // want "inboxorder/record-outside"
}

func (b *Bank) InMemory(ctx context.Context, m *sarama.ConsumerMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[string(m.Key)] { // want "inboxorder/check-outside"
		return nil
	}
	b.seen[string(m.Key)] = true
	return b.add(ctx, m)
}

func (b *Bank) InMemoryAtOnce(ctx context.Context, m *sarama.ConsumerMessage) error {
	b.mu.Lock()
	seen := b.seen[string(m.Key)] // want "inboxorder/check-outside"
	b.seen[string(m.Key)] = true
	b.mu.Unlock()
	if seen {
		return nil
	}
	return b.add(ctx, m)
}

func (b *Bank) LoadOrStore(ctx context.Context, m *sarama.ConsumerMessage) error {
	if _, loaded := b.once.LoadOrStore(string(m.Key), true); loaded { // want "inboxorder/check-outside"
		return nil
	}
	return b.add(ctx, m)
}

func (b *Bank) Cached(ctx context.Context, m *sarama.ConsumerMessage) error {
	if err := b.cache.Add(string(m.Key), true, time.Minute); err != nil { // want "inboxorder/check-outside"
		return nil
	}
	return b.add(ctx, m)
}

// NXInFront only saves work: the inbox decides.
func (b *Bank) NXInFront(ctx context.Context, m *sarama.ConsumerMessage) error {
	if n, err := b.rdb.Exists(ctx, "seen:"+string(m.Key)).Result(); err == nil && n > 0 {
		return nil
	}
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, string(m.Key)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value)); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return b.rdb.Set(ctx, "seen:"+string(m.Key), 1, time.Hour).Err()
}

// Named fills a cache of something else: nothing notices the second message.
func (b *Bank) Named(ctx context.Context, m *sarama.ConsumerMessage) error {
	if _, ok := b.names[string(m.Value)]; !ok {
		var name string
		if err := b.db.QueryRowContext(ctx, `SELECT name FROM customers WHERE id = $1`, string(m.Value)).Scan(&name); err != nil {
			return err
		}
		b.names[string(m.Value)] = name
	}
	_, err := b.db.ExecContext(ctx, `UPDATE accounts SET credits = credits + 1 WHERE id = $1`, string(m.Value)) // want "increment/unguarded"
	return err
}

// Latest fills a cache with what it has done, whatever was in it.
func (b *Bank) Latest(ctx context.Context, m *sarama.ConsumerMessage) error {
	if n, err := b.rdb.Exists(ctx, "latest:"+string(m.Value)).Result(); err != nil || n == 0 {
		log.Printf("nothing yet for %s", m.Value)
	}
	if _, err := b.db.ExecContext(ctx, `UPDATE accounts SET credits = credits + 1 WHERE id = $1`, string(m.Value)); err != nil { // want "increment/unguarded"
		return err
	}
	return b.rdb.Set(ctx, "latest:"+string(m.Value), string(m.Key), time.Hour).Err()
}

// Limited asks for the message first, and then for something else.
func (b *Bank) Limited(ctx context.Context, m *sarama.ConsumerMessage) error {
	var seen bool
	if err := b.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1)`, string(m.Key)).Scan(&seen); err != nil || seen { // want "inboxorder/check-outside"
		return err
	}
	if n, err := b.rdb.Exists(ctx, "blocked:"+string(m.Value)).Result(); err != nil || n > 0 {
		return err
	}
	_, err := b.db.ExecContext(ctx, `UPDATE accounts SET debits = debits + 1 WHERE id = $1`, string(m.Value))
	return err
}
