// Package inplace tries messages again where they are.
package inplace

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/nsqio/go-nsq"
	"github.com/segmentio/kafka-go"
)

type Ledger struct {
	db     *sql.DB
	reader *kafka.Reader
}

func (l *Ledger) enter(ctx context.Context, m kafka.Message) error {
	_, err := l.db.ExecContext(ctx, `INSERT INTO entries (id) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Key))
	return err
}

// Stubborn tries each message until it succeeds.
func (l *Ledger) Stubborn(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		for {
			err := l.enter(ctx, m) // want "poison/requeue"
			if err == nil {
				break
			}
			time.Sleep(time.Second)
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// Handle tries in the condition of the loop.
//
//dmlint:handler
func (l *Ledger) Handle(ctx context.Context, m kafka.Message) {
	for l.enter(ctx, m) != nil { // want "poison/requeue"
		time.Sleep(time.Second)
	}
}

// UntilTheEnd is left when the program ends.
//
//dmlint:handler
func (l *Ledger) UntilTheEnd(ctx context.Context, m kafka.Message) error {
	for {
		if err := l.enter(ctx, m); err == nil { // want advice "poison/requeue"
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// Below is two calls away from the handler.
//
//dmlint:handler
func (l *Ledger) Below(ctx context.Context, m kafka.Message) { l.insist(ctx, m) }

func (l *Ledger) insist(ctx context.Context, m kafka.Message) {
	wait := time.Second
	for {
		if err := l.enter(ctx, m); err != nil { // want "poison/requeue"
			time.Sleep(wait)
			wait *= 2
			continue
		}
		return
	}
}

// Timed gives up after a while.
//
//dmlint:handler
func (l *Ledger) Timed(ctx context.Context, m kafka.Message) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		if err := l.enter(ctx, m); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// Counted gives up after some attempts.
//
//dmlint:handler
func (l *Ledger) Counted(ctx context.Context, m kafka.Message) (err error) {
	for range 5 {
		if err = l.enter(ctx, m); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// CountedByHand does the same with a counter of its own.
//
//dmlint:handler
func (l *Ledger) CountedByHand(ctx context.Context, m kafka.Message) error {
	n := 0
	for {
		err := l.enter(ctx, m)
		if err == nil {
			return nil
		}
		if n++; n == 10 {
			return err
		}
	}
}

// Sorted goes on only where it helps.
//
//dmlint:handler
func (l *Ledger) Sorted(ctx context.Context, m kafka.Message) error {
	for {
		err := l.enter(ctx, m)
		if err == nil || !errors.Is(err, sql.ErrConnDone) {
			return err
		}
		time.Sleep(time.Second)
	}
}

// Connect is no work for a message.
func (l *Ledger) Connect(ctx context.Context) {
	for {
		if _, err := l.db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS entries (id text PRIMARY KEY)`); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// Restarted runs a consumer again when it has stopped.
func (l *Ledger) Restarted(ctx context.Context) {
	for {
		if err := l.Stubborn(ctx); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// Unlimited takes the limit away.
func Unlimited() *nsq.Config {
	c := nsq.NewConfig()
	c.MaxAttempts = 0 // want "poison/requeue"
	return c
}

// Limited keeps one.
func Limited() *nsq.Config {
	c := nsq.NewConfig()
	c.MaxAttempts = 8
	return c
}
