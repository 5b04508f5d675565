package publish

import (
	"context"
	"database/sql"
	"log"
	"sync"

	"github.com/IBM/sarama"

	"dmlint.test/dualwrite/publish/herald"
)

// A Van delivers.
type Van struct {
	db    *sql.DB
	async sarama.AsyncProducer
	sync  sarama.SyncProducer
	done  chan herald.Parcel
}

func (v *Van) radio(p herald.Parcel) {
	_, _, err := v.sync.SendMessage(&sarama.ProducerMessage{Topic: "vans", Key: sarama.StringEncoder(p.ID)})
	if err != nil {
		log.Println(err)
	}
}

// Deliver publishes in a goroutine that it starts after the commit.
func (v *Van) Deliver(ctx context.Context, p herald.Parcel) error {
	tx, err := v.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE deliveries SET done = true WHERE parcel = $1`, p.ID); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	go v.radio(p) // want "dualwrite/after-commit"
	return nil
}

// DeliverEarly starts it in the transaction.
func (v *Van) DeliverEarly(ctx context.Context, p herald.Parcel) error {
	tx, err := v.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE deliveries SET done = true WHERE parcel = $1`, p.ID); err != nil {
		return err
	}
	go func() { // want "dualwrite/inside-tx"
		v.radio(p)
	}()
	return tx.Commit()
}

// DeliverCounted starts one that touches nothing outside the process.
func (v *Van) DeliverCounted(ctx context.Context, p herald.Parcel) error {
	if _, err := v.db.ExecContext(ctx, `UPDATE deliveries SET done = true WHERE parcel = $1`, p.ID); err != nil {
		return err
	}
	go log.Println("delivered", p.ID)
	return nil
}

// DeliverAll waits for its goroutines.
func (v *Van) DeliverAll(ctx context.Context, parcels []herald.Parcel) error {
	var wg sync.WaitGroup
	for _, p := range parcels {
		if _, err := v.db.ExecContext(ctx, `UPDATE deliveries SET done = true WHERE parcel = $1`, p.ID); err != nil {
			return err
		}
		wg.Go(func() {
			v.radio(p) // want "dualwrite/no-tx"
		})
	}
	wg.Wait()
	return nil
}

// Load publishes by sending on a channel: there is no call at all.
func (v *Van) Load(ctx context.Context, p herald.Parcel) error {
	if _, err := v.db.ExecContext(ctx, `INSERT INTO deliveries (parcel) VALUES ($1)`, p.ID); err != nil {
		return err
	}
	v.async.Input() <- &sarama.ProducerMessage{Topic: "vans", Key: sarama.StringEncoder(p.ID)} // want "dualwrite/no-tx"
	return nil
}

// LoadPatiently sends in a select.
func (v *Van) LoadPatiently(ctx context.Context, p herald.Parcel) error {
	if _, err := v.db.ExecContext(ctx, `INSERT INTO deliveries (parcel) VALUES ($1)`, p.ID); err != nil {
		return err
	}
	select {
	case v.async.Input() <- &sarama.ProducerMessage{Topic: "vans", Key: sarama.StringEncoder(p.ID)}: // want "dualwrite/no-tx"
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LoadInside sends on a channel of its own process.
func (v *Van) LoadInside(ctx context.Context, p herald.Parcel) error {
	if _, err := v.db.ExecContext(ctx, `INSERT INTO deliveries (parcel) VALUES ($1)`, p.ID); err != nil {
		return err
	}
	select {
	case v.done <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
