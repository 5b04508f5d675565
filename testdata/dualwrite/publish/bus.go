package publish

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"

	"dmlint.test/dualwrite/publish/herald"
)

// bus calls its subscribers in the process, and one of them goes to a broker.
type bus struct {
	subscribers map[string][]func(context.Context, herald.Parcel) error
}

func (b *bus) on(topic string, fn func(context.Context, herald.Parcel) error) {
	b.subscribers[topic] = append(b.subscribers[topic], fn)
}

func (b *bus) fire(ctx context.Context, topic string, p herald.Parcel) error {
	for _, fn := range b.subscribers[topic] {
		if err := fn(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// A Ramp fires events.
type Ramp struct {
	db       *sql.DB
	bus      *bus
	producer sarama.SyncProducer
}

// NewRamp subscribes.
func NewRamp(db *sql.DB, producer sarama.SyncProducer) *Ramp {
	r := &Ramp{db: db, producer: producer, bus: &bus{subscribers: map[string][]func(context.Context, herald.Parcel) error{}}}
	r.bus.on("lifted", r.onLifted)
	return r
}

func (r *Ramp) onLifted(_ context.Context, p herald.Parcel) error {
	_, _, err := r.producer.SendMessage(&sarama.ProducerMessage{Topic: "lifted", Key: sarama.StringEncoder(p.ID)})
	return err
}

// Lift fires after a write.
func (r *Ramp) Lift(ctx context.Context, p herald.Parcel) error {
	if _, err := r.db.ExecContext(ctx, `UPDATE ramps SET parcel = $1`, p.ID); err != nil {
		return err
	}
	return r.bus.fire(ctx, "lifted", p) // want "dualwrite/no-tx"
}

// Look fires after a read.
func (r *Ramp) Look(ctx context.Context, p herald.Parcel) error {
	if err := r.db.QueryRowContext(ctx, `SELECT parcel FROM ramps`).Scan(&p.ID); err != nil {
		return err
	}
	return r.bus.fire(ctx, "lifted", p)
}

// A Pallet collects what has happened to it.
type Pallet struct {
	ID     string
	events []herald.Parcel
}

// Stack is one of the things that happen.
func (p *Pallet) Stack(x herald.Parcel) { p.events = append(p.events, x) }

// Drain hands the events out.
func (p *Pallet) Drain() []herald.Parcel {
	events := p.events
	p.events = nil
	return events
}

// Store commits a pallet and publishes what it has collected.
func (r *Ramp) Store(ctx context.Context, pallet *Pallet) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO pallets (id) VALUES ($1)`, pallet.ID); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, event := range pallet.Drain() {
		if err := r.onLifted(ctx, event); err != nil { // want "dualwrite/after-commit"
			return err
		}
	}
	return nil
}

// StoreRecorded writes it down.
func (r *Ramp) StoreRecorded(ctx context.Context, pallet *Pallet) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO pallets (id) VALUES ($1)`, pallet.ID); err != nil {
		return err
	}
	for _, event := range pallet.Drain() {
		if _, err := tx.ExecContext(ctx, `INSERT INTO parcel_outbox (id, payload) VALUES ($1, $2)`, event.ID, event.Sender); err != nil {
			return err
		}
	}
	return tx.Commit()
}
