package inplace

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/segmentio/kafka-go"
)

// Constant never gives up.
//
//dmlint:handler
func (l *Ledger) Constant(ctx context.Context, m kafka.Message) error {
	return backoff.Retry(func() error { return l.enter(ctx, m) }, backoff.NewConstantBackOff(time.Second)) // want "poison/requeue"
}

// ConstantLimited does.
//
//dmlint:handler
func (l *Ledger) ConstantLimited(ctx context.Context, m kafka.Message) error {
	return backoff.Retry(func() error { return l.enter(ctx, m) }, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 5))
}

// Exponential has its limit of 15 minutes taken away.
//
//dmlint:handler
func (l *Ledger) Exponential(ctx context.Context, m kafka.Message) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0 // want "poison/requeue"
	return backoff.Retry(func() error { return l.enter(ctx, m) }, b)
}

// Default keeps it.
//
//dmlint:handler
func (l *Ledger) Default(ctx context.Context, m kafka.Message) error {
	return backoff.Retry(func() error { return l.enter(ctx, m) }, backoff.NewExponentialBackOff())
}

// ConnectSlowly is no work for a message.
func ConnectSlowly(ping func() error) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.Retry(ping, b)
}

// insist tries what it is handed until it succeeds.
func insist(try func() error) {
	for {
		if err := try(); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// bounded does so a few times.
func bounded(try func() error) (err error) {
	for i := 0; i < 3; i++ {
		if err = try(); err == nil {
			return nil
		}
	}
	return err
}

// Insisting hands it the work for a message.
func (l *Ledger) Insisting(ctx context.Context) error {
	insist(func() error { return l.db.PingContext(ctx) })
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		insist(func() error { return l.enter(ctx, m) }) // want "poison/requeue"
		insist(func() error { return l.reader.CommitMessages(ctx, m) })
	}
}

// InsistingALittle has an end.
func (l *Ledger) InsistingALittle(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := bounded(func() error { return l.enter(ctx, m) }); err != nil {
			return err
		}
	}
}
