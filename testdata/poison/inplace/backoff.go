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
