// Package keys asks key-value stores whether something was seen. The comment "effects:" of a function lists what is seen
// in it.
package keys

import (
	"context"
	"sync"
	"time"

	redigo "github.com/gomodule/redigo/redis"
	"github.com/hashicorp/golang-lru/v2"
	"github.com/patrickmn/go-cache"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
)

type Store struct {
	rdb    *redis.Client
	any    redis.UniversalClient
	script *redis.Script
}

// effects: claim key(id)
func (s *Store) SetNX(ctx context.Context, id string) (bool, error) {
	return s.rdb.SetNX(ctx, "seen:"+id, "1", time.Hour).Result()
}

// effects: claim key(id)
func (s *Store) Interface(ctx context.Context, id, worker string) (bool, error) {
	return s.any.SetNX(ctx, id, worker, time.Hour).Result()
}

// effects: lookup key(id); remember key(id)
func (s *Store) GetSet(ctx context.Context, id string) error {
	if n, err := s.rdb.Exists(ctx, id).Result(); err != nil || n > 0 {
		return err
	}
	return s.rdb.Set(ctx, id, "1", time.Hour).Err()
}

// effects: lookup key(group,id); remember key(group,id)
func (s *Store) Member(ctx context.Context, group, id string) error {
	if found, err := s.rdb.SIsMember(ctx, group, id).Result(); err != nil || found {
		return err
	}
	return s.rdb.SAdd(ctx, group, id).Err()
}

// effects: claim key(group,id)
func (s *Store) Added(ctx context.Context, group, id string) (bool, error) {
	n, err := s.rdb.SAdd(ctx, group, id).Result()
	return n == 1, err
}

// effects: claim key(id)
func (s *Store) Args(ctx context.Context, id string) error {
	return s.rdb.SetArgs(ctx, id, "1", redis.SetArgs{Mode: "nx", TTL: time.Hour}).Err()
}

// effects: remember key(id)
func (s *Store) ArgsPlain(ctx context.Context, id string) error {
	return s.rdb.SetArgs(ctx, id, "1", redis.SetArgs{TTL: time.Hour}).Err()
}

// effects: count key(id); count key(id,field); count key(id,field)
func (s *Store) Counts(ctx context.Context, id, field string, n int64) error {
	if err := s.rdb.IncrBy(ctx, id, n).Err(); err != nil {
		return err
	}
	pipe := s.rdb.TxPipeline()
	pipe.HIncrBy(ctx, id, field, n)
	pipe.ZIncrBy(ctx, id, float64(n), field)
	_, err := pipe.Exec(ctx)
	return err
}

// effects: claim key(id)
func (s *Store) Do(ctx context.Context, id string) error {
	return s.rdb.Do(ctx, "SET", id, "1", "NX", "EX", 60).Err()
}

// effects: count key(id)
func (s *Store) Eval(ctx context.Context, id string) error {
	return s.rdb.Eval(ctx, `return redis.call("INCRBY", KEYS[1], 1)`, []string{id}).Err()
}

var once = redis.NewScript(`
if redis.call("EXISTS", KEYS[1]) == 1 then return 0 end
redis.call("INCR", KEYS[1])
return 1`)

var total = redis.NewScript(`return redis.call('HINCRBY', KEYS[1], 'total', ARGV[1])`)

// effects: claim key(id)
func (s *Store) Once(ctx context.Context, id string) error {
	return once.Run(ctx, s.rdb, []string{id}).Err()
}

// effects: count key(id,n)
func (s *Store) Total(ctx context.Context, id string, n int) error {
	return total.Run(ctx, s.rdb, []string{id}, n).Err()
}

func New(rdb *redis.Client) *Store {
	return &Store{rdb: rdb, any: rdb, script: redis.NewScript(`return redis.call('decr', KEYS[1])`)}
}

// effects: count key(id)
func (s *Store) Field(ctx context.Context, id string) error {
	return s.script.Run(ctx, s.rdb, []string{id}).Err()
}

// effects:
func (s *Store) Unlock(ctx context.Context, id string) error {
	return s.rdb.Eval(ctx, `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end`, []string{id}).Err()
}

// effects: claim key(id); count key(id,field); lookup key(id)
func Redigo(c redigo.Conn, id, field string, n int) (bool, error) {
	got, err := redigo.String(c.Do("SET", id, "1", "NX", "EX", 60))
	if err != nil || got == "" {
		return false, err
	}
	if _, err := c.Do("HINCRBY", id, field, n); err != nil {
		return false, err
	}
	return redigo.Bool(c.Do("EXISTS", id))
}

// effects: claim key(group,id); remember key(group,id)
func RedigoSet(c redigo.Conn, group, id string) (bool, error) {
	n, err := redigo.Int(c.Do("SADD", group, id))
	if err != nil || n == 0 {
		return false, err
	}
	_, err = c.Do("SADD", group, id)
	return true, err
}

// effects: claim key(id); count key(id)
func Rueidis(ctx context.Context, c rueidis.Client, id string) error {
	if err := c.Do(ctx, c.B().Set().Key(id).Value("1").Nx().Build()).Error(); err != nil {
		return err
	}
	return c.Do(ctx, c.B().Incr().Key(id).Build()).Error()
}

type Memory struct {
	mu     sync.Mutex
	seen   map[string]struct{}
	times  map[string]time.Time
	names  map[string]string
	claims sync.Map
	cache  *cache.Cache
	lru    *lru.Cache[string, bool]
}

// effects: lookup key(id); remember key(id)
func (m *Memory) Seen(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.seen[id]; ok {
		return true
	}
	m.seen[id] = struct{}{}
	return false
}

// effects: lookup key(id); remember key(id)
func (m *Memory) Recently(id string) bool {
	last, ok := m.times[id]
	m.times[id] = time.Now()
	return ok && time.Since(last) < time.Minute
}

// effects:
func (m *Memory) Others(id string) (string, bool) {
	local := map[string]bool{id: true}
	local[id+"x"] = true
	name, ok := m.names[id]
	return name, ok && local[id] && allowed[id]
}

var allowed = map[string]bool{"a": true}

// effects: claim key(id)
func (m *Memory) Claim(id string) bool {
	_, loaded := m.claims.LoadOrStore(id, true)
	return !loaded
}

// effects: lookup key(id); claim key(id); claim key(id)
func (m *Memory) Caches(id string) bool {
	if _, ok := m.cache.Get(id); ok {
		return true
	}
	if err := m.cache.Add(id, true, time.Minute); err != nil {
		return true
	}
	ok, _ := m.lru.ContainsOrAdd(id, true)
	return ok
}
