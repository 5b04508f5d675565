package handle

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// A Pharmacy takes its executor as an argument; nil means the pool.
type Pharmacy struct {
	db    *sql.DB
	queue *kafka.Writer
}

func (p *Pharmacy) dispense(ctx context.Context, c conn, v Visit) error {
	if c == nil {
		c = p.db
	}
	_, err := c.ExecContext(ctx, `INSERT INTO prescriptions (id, animal) VALUES ($1, $2)`, v.ID, v.Animal)
	return err
}

func (p *Pharmacy) remember(ctx context.Context, c conn, v Visit) error {
	if c == nil {
		c = p.db
	}
	_, err := c.ExecContext(ctx, `INSERT INTO pharmacy_outbox (id, payload) VALUES ($1, $2)`, v.ID, v.Animal)
	return err
}

func (p *Pharmacy) send(ctx context.Context, v Visit) error {
	return p.queue.WriteMessages(ctx, kafka.Message{Key: []byte(v.ID)})
}

// Dispense uses the pool.
func (p *Pharmacy) Dispense(ctx context.Context, v Visit) error {
	if err := p.dispense(ctx, nil, v); err != nil {
		return err
	}
	return p.send(ctx, v) // want "dualwrite/no-tx"
}

// DispenseRecorded uses a transaction for both.
func (p *Pharmacy) DispenseRecorded(ctx context.Context, v Visit) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := p.dispense(ctx, tx, v); err != nil {
		return err
	}
	if err := p.remember(ctx, tx, v); err != nil {
		return err
	}
	return tx.Commit()
}

// DispenseHalf uses it for one of the two.
func (p *Pharmacy) DispenseHalf(ctx context.Context, v Visit) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := p.dispense(ctx, tx, v); err != nil {
		return err
	}
	if err := p.remember(ctx, nil, v); err != nil { // want "dualwrite/escaped-write"
		return err
	}
	return tx.Commit()
}

// Recall publishes in the transaction that it has given away.
func (p *Pharmacy) Recall(ctx context.Context, v Visit) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := p.dispense(ctx, tx, v); err != nil {
		return err
	}
	if err := p.send(ctx, v); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return tx.Commit()
}
