package wrapper

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

// A Ledger is kept in a store of keys or in a table: a consumer that is given either is told of both.
type Ledger interface {
	Begin(ctx context.Context, id string) (bool, error)
	Finish(ctx context.Context, id string) error
	Drop(ctx context.Context, id string) error
}

type tableLedger struct{ pool *pgxpool.Pool }

func (l *tableLedger) Begin(ctx context.Context, id string) (bool, error) {
	_, err := l.pool.Exec(ctx, `INSERT INTO processed_messages (message_id, state) VALUES ($1, 'begun')`, id)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "23505" {
		return false, nil
	}
	return err == nil, err
}

func (l *tableLedger) Finish(ctx context.Context, id string) error {
	_, err := l.pool.Exec(ctx, `UPDATE processed_messages SET state = 'done' WHERE message_id = $1`, id)
	return err
}

func (l *tableLedger) Drop(ctx context.Context, id string) error {
	_, err := l.pool.Exec(ctx, `DELETE FROM processed_messages WHERE message_id = $1`, id)
	return err
}

type vaultLedger struct{ rdb *redis.Client }

func (l *vaultLedger) Begin(ctx context.Context, id string) (bool, error) {
	return l.rdb.SetNX(ctx, id, "begun", time.Minute).Result()
}

func (l *vaultLedger) Finish(ctx context.Context, id string) error {
	return l.rdb.Set(ctx, id, "done", time.Hour).Err()
}

func (l *vaultLedger) Drop(ctx context.Context, id string) error { return l.rdb.Del(ctx, id).Err() }

type Letter struct {
	ID   string
	Body []byte
}

type Postman struct {
	ledger  Ledger
	deliver func(context.Context, *Letter) error
}

//dmlint:handler
func (p *Postman) Bring(ctx context.Context, l *Letter) error {
	fresh, err := p.ledger.Begin(ctx, l.ID) // want "inboxorder/check-outside"
	if err != nil || !fresh {
		return err
	}
	if err := p.deliver(ctx, l); err != nil {
		return errors.Join(err, p.ledger.Drop(ctx, l.ID))
	}
	return p.ledger.Finish(ctx, l.ID) // want "inboxorder/record-outside"
}

func twice(f func() error) error {
	for range 2 {
		if f() == nil {
			return nil
		}
	}
	return f()
}

// Courier does the same and tries each step more than once.
type Courier struct{ ledger Ledger }

//dmlint:handler
func (c *Courier) Bring(ctx context.Context, l *Letter, deliver func(context.Context, *Letter) error) error {
	var fresh bool
	if err := twice(func() (err error) {
		fresh, err = c.ledger.Begin(ctx, l.ID) // want "inboxorder/check-outside"
		return err
	}); err != nil || !fresh {
		return err
	}
	if err := deliver(ctx, l); err != nil {
		return errors.Join(err, c.ledger.Drop(ctx, l.ID))
	}
	return twice(func() error {
		return c.ledger.Finish(ctx, l.ID) // want "inboxorder/record-outside"
	})
}

// Clerk is given no store of keys, and the row in the transaction of the work holds.
type Clerk struct{ pool *pgxpool.Pool }

//dmlint:handler
func (c *Clerk) Bring(ctx context.Context, l *Letter, deliver func(context.Context, pgx.Tx, *Letter) error) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO processed_messages (message_id, state) VALUES ($1, 'begun')`, l.ID); err != nil {
			return err
		}
		if err := deliver(ctx, tx, l); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE processed_messages SET state = 'done' WHERE message_id = $1`, l.ID)
		return err
	})
}

// Memo is a cache in front of what it is given: nobody minds that it is filled after the work.
type Memo struct{ rdb *redis.Client }

//dmlint:handler
func (m *Memo) Get(ctx context.Context, key string, load func(context.Context, string) (string, error)) (string, error) {
	v, err := m.rdb.Get(ctx, key).Result()
	if !errors.Is(err, redis.Nil) {
		return v, err
	}
	if v, err = load(ctx, key); err != nil {
		return "", err
	}
	return v, m.rdb.Set(ctx, key, v, time.Hour).Err()
}
