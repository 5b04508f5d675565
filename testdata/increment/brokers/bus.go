package brokers

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"
)

// A Credit is what the bus delivers.
type Credit struct {
	Account string
	Amount  int64
}

// CreditHandler is what other packages implement, and whoever wires them hands to the bus.
type CreditHandler interface {
	Handle(ctx context.Context, c *Credit) error
}

// A Bus reads messages, whose type is an interface with methods that settle them, and hands on what they hold.
type Bus struct{ consumer jetstream.Consumer }

// Subscribe hands each message to h.
func (b *Bus) Subscribe(ctx context.Context, h CreditHandler) error {
	_, err := b.consumer.Consume(b.deliver(ctx, h))
	return err
}

func (b *Bus) deliver(ctx context.Context, h CreditHandler) func(jetstream.Msg) {
	return func(m jetstream.Msg) {
		var c Credit
		if err := json.Unmarshal(m.Data(), &c); err != nil {
			_ = m.Term()
			return
		}
		if err := h.Handle(ctx, &c); err != nil {
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	}
}

// A Ledger is a handler, though nothing here says so but its interface.
type Ledger struct{ db *sql.DB }

// Handle adds what was delivered. It is no part of the bus that it is called from.
func (l *Ledger) Handle(ctx context.Context, c *Credit) error {
	_, err := l.db.ExecContext(ctx, `UPDATE ledgers SET balance = balance + $2 WHERE id = $1`, c.Account, c.Amount) // want "increment/unguarded"
	return err
}
