// Package quiet holds what looks like a publish and is none. Each function does after a write what nobody would miss;
// Loud, at the end, does what somebody would.
package quiet

import (
	"context"
	"database/sql"
	"expvar"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

// A Score is the state of a game.
type Score struct {
	ID     string `json:"id"`
	Points int    `json:"points"`
}

// A Board shows scores.
type Board struct {
	db     *sql.DB
	bus    *bus
	meter  *meter
	redis  *redis.Client
	conns  map[string]*websocket.Conn
	wake   chan struct{}
	recent sync.Map
	nats   *nats.Conn
}

func (b *Board) set(ctx context.Context, s Score) error {
	_, err := b.db.ExecContext(ctx, `UPDATE scores SET points = $2 WHERE id = $1`, s.ID, s.Points)
	return err
}

// keep puts a rendered board where the next request finds it: a cache, though it is a table.
func (b *Board) keep(ctx context.Context, name string, html []byte) error {
	_, err := b.db.ExecContext(ctx, `INSERT INTO board_cache (name, html) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET html = $2`, name, html)
	return err
}

// Render announces nothing that is lost with the cache.
func (b *Board) Render(ctx context.Context, name string, html []byte) error {
	if err := b.keep(ctx, name, html); err != nil {
		return err
	}
	return b.nats.Publish("boards.rendered", html)
}

// Price changes a price: that it is called cached does not make the table a cache.
func (b *Board) Price(ctx context.Context, s Score) error {
	if _, err := b.db.ExecContext(ctx, `UPDATE cached_prices SET price = $2 WHERE id = $1`, s.ID, s.Points); err != nil {
		return err
	}
	return b.nats.Publish("prices.changed", []byte(s.ID)) // want "dualwrite/no-tx"
}

// bus calls its subscribers in the process.
type bus struct {
	mu   sync.Mutex
	subs []func(context.Context, Score) error
}

// Publish has a broker's name for it.
func (b *bus) Publish(ctx context.Context, s Score) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fn := range b.subs {
		if err := fn(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Subscribe adds one of them.
func (b *bus) Subscribe(fn func(context.Context, Score) error) { b.subs = append(b.subs, fn) }

// Watch subscribes with something that stays in the process.
func (b *Board) Watch() {
	b.bus.Subscribe(func(_ context.Context, s Score) error {
		b.recent.Store(s.ID, s.Points)
		return nil
	})
}

// InProcess publishes to it.
func (b *Board) InProcess(ctx context.Context, s Score) error {
	if err := b.set(ctx, s); err != nil {
		return err
	}
	return b.bus.Publish(ctx, s)
}

var sets = expvar.NewMap("sets")

// meter sends counters to an agent.
type meter struct{ conn net.Conn }

// Publish has its name, too.
func (m *meter) Publish(name string) error {
	_, err := m.conn.Write([]byte(name + ":1|c"))
	return err
}

// Metrics counts.
func (b *Board) Metrics(ctx context.Context, s Score) error {
	if err := b.set(ctx, s); err != nil {
		return err
	}
	sets.Add(s.ID, 1)
	slog.InfoContext(ctx, "set", "id", s.ID)
	return b.meter.Publish("sets")
}

// Websocket pushes to browsers that are open.
func (b *Board) Websocket(ctx context.Context, s Score) error {
	if err := b.set(ctx, s); err != nil {
		return err
	}
	for _, conn := range b.conns {
		if err := conn.WriteJSON(s); err != nil {
			return err
		}
	}
	return nil
}

// Cache fills one cache and clears another.
func (b *Board) Cache(ctx context.Context, s Score) error {
	if err := b.set(ctx, s); err != nil {
		return err
	}
	if err := b.redis.Set(ctx, "score:"+s.ID, s.Points, 0).Err(); err != nil {
		return err
	}
	return b.redis.Del(ctx, "table").Err()
}

// Wake nudges a goroutine of the same process.
func (b *Board) Wake(ctx context.Context, s Score) error {
	if err := b.set(ctx, s); err != nil {
		return err
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return nil
}

// Respond writes what the caller has asked for.
func (b *Board) Respond(w http.ResponseWriter, r *http.Request) {
	s := Score{ID: r.PathValue("id")}
	if err := b.set(r.Context(), s); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write([]byte(s.ID))
}

// Loud tells a broker.
func (b *Board) Loud(ctx context.Context, s Score) error {
	if err := b.set(ctx, s); err != nil {
		return err
	}
	return b.nats.Publish("scores", []byte(s.ID)) // want "dualwrite/no-tx"
}
