package orm

import (
	"context"

	"github.com/segmentio/kafka-go"

	"dmlint.test/dualwrite/orm/ent"
)

// A Jukebox uses generated code.
type Jukebox struct {
	client *ent.Client
	queue  *kafka.Writer
}

func (j *Jukebox) play(ctx context.Context, name string) error {
	return j.queue.WriteMessages(ctx, kafka.Message{Key: []byte(name)})
}

// Add publishes after a builder has saved.
func (j *Jukebox) Add(ctx context.Context, name string) error {
	if _, err := j.client.Tune.Create().SetName(name).Save(ctx); err != nil {
		return err
	}
	return j.play(ctx, name) // want "dualwrite/no-tx"
}

// Find publishes after a read.
func (j *Jukebox) Find(ctx context.Context, id string) error {
	tune, err := j.client.Tune.Get(ctx, id)
	if err != nil {
		return err
	}
	return j.play(ctx, tune.Name)
}

// AddInTx publishes in a transaction.
func (j *Jukebox) AddInTx(ctx context.Context, name string) error {
	tx, err := j.client.Tx(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Tune.Create().SetName(name).Save(ctx); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err := j.play(ctx, name); err != nil { // want "dualwrite/inside-tx"
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// AddThroughClient uses the transaction's client, which is of the pool's type.
func (j *Jukebox) AddThroughClient(ctx context.Context, name string) error {
	tx, err := j.client.Tx(ctx)
	if err != nil {
		return err
	}
	client := tx.Client()
	if _, err := client.Tune.Create().SetName(name).Save(ctx); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err := client.TuneOutbox.Create().SetPayload(name).Exec(ctx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// AddPast creates the event with the client that knows nothing of the transaction.
func (j *Jukebox) AddPast(ctx context.Context, name string) error {
	tx, err := j.client.Tx(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.Tune.Create().SetName(name).Save(ctx); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err := j.client.TuneOutbox.Create().SetPayload(name).Exec(ctx); err != nil { // todo "dualwrite/escaped-write": a generated client is no base
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}
