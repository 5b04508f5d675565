package publish

import (
	"context"
	"database/sql"
	"log"

	"github.com/nats-io/nats.go"

	"dmlint.test/dualwrite/publish/herald"
)

// A Locker keeps parcels and calls whom it is told to call.
type Locker struct {
	db      *sql.DB
	onStore func(ctx context.Context, p herald.Parcel) error
	onOpen  func(ctx context.Context, p herald.Parcel) error
	// onEmpty is a list of those to be called.
	onEmpty []func(p herald.Parcel)
}

// An Option sets one of them.
type Option func(*Locker)

// WithStream publishes what is stored.
func WithStream(conn *nats.Conn) Option {
	return func(l *Locker) {
		l.onStore = func(_ context.Context, p herald.Parcel) error { return conn.Publish("lockers.stored", []byte(p.ID)) }
	}
}

// WithLog logs what is opened.
func WithLog(logger *log.Logger) Option {
	return func(l *Locker) {
		l.onOpen = func(_ context.Context, p herald.Parcel) error {
			logger.Println("opened", p.ID)
			return nil
		}
	}
}

// OnEmpty adds one to be called.
func (l *Locker) OnEmpty(conn *nats.Conn) {
	l.onEmpty = append(l.onEmpty, func(p herald.Parcel) { _ = conn.Publish("lockers.emptied", []byte(p.ID)) }) // todo not "dualwrite/no-tx": and not here
}

// NewLocker makes a locker.
func NewLocker(db *sql.DB, options ...Option) *Locker {
	l := &Locker{db: db}
	for _, o := range options {
		o(l)
	}
	return l
}

// Put calls a field that publishes.
func (l *Locker) Put(ctx context.Context, p herald.Parcel) error {
	if _, err := l.db.ExecContext(ctx, `INSERT INTO locker_parcels (id) VALUES ($1)`, p.ID); err != nil {
		return err
	}
	return l.onStore(ctx, p) // want "dualwrite/no-tx"
}

// Open calls a field that does not.
func (l *Locker) Open(ctx context.Context, p herald.Parcel) error {
	if _, err := l.db.ExecContext(ctx, `UPDATE locker_parcels SET opened = true WHERE id = $1`, p.ID); err != nil {
		return err
	}
	return l.onOpen(ctx, p)
}

// Empty calls everyone in a list.
func (l *Locker) Empty(ctx context.Context, p herald.Parcel) error {
	if _, err := l.db.ExecContext(ctx, `DELETE FROM locker_parcels WHERE id = $1`, p.ID); err != nil {
		return err
	}
	for _, f := range l.onEmpty {
		f(p) // todo "dualwrite/no-tx": the write is here
	}
	return nil
}

// A Shift is a unit of work that keeps what is to be done after the commit.
type Shift struct {
	tx    *sql.Tx
	after []func(context.Context)
}

// Later keeps fn.
func (s *Shift) Later(fn func(context.Context)) { s.after = append(s.after, fn) }

func work(ctx context.Context, db *sql.DB, fn func(s *Shift) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	s := &Shift{tx: tx}
	if err := fn(s); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, f := range s.after {
		f(ctx)
	}
	return nil
}

// A Sorter sorts parcels.
type Sorter struct {
	db   *sql.DB
	conn *nats.Conn
	seen map[string]bool
}

// Sort keeps a publish until the commit.
func (x *Sorter) Sort(ctx context.Context, p herald.Parcel) error {
	return work(ctx, x.db, func(s *Shift) error {
		if _, err := s.tx.ExecContext(ctx, `UPDATE parcels SET sorted = true WHERE id = $1`, p.ID); err != nil {
			return err
		}
		s.Later(func(context.Context) {
			_ = x.conn.Publish("parcels.sorted", []byte(p.ID)) // want "dualwrite/after-commit"
		})
		return nil
	})
}

// SortRecorded keeps what only concerns itself.
func (x *Sorter) SortRecorded(ctx context.Context, p herald.Parcel) error {
	return work(ctx, x.db, func(s *Shift) error {
		if _, err := s.tx.ExecContext(ctx, `UPDATE parcels SET sorted = true WHERE id = $1`, p.ID); err != nil {
			return err
		}
		if _, err := s.tx.ExecContext(ctx, `INSERT INTO parcel_outbox (id, payload) VALUES ($1, $2)`, p.ID, p.Sender); err != nil {
			return err
		}
		s.Later(func(context.Context) { x.seen[p.ID] = true })
		return nil
	})
}
