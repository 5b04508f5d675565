package handle

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// A Ward holds patients in a database of its own.
type Ward struct {
	pool  *pgxpool.Pool
	queue *kafka.Writer
}

// A round is a transaction and what is done in it.
type round struct {
	tx   pgx.Tx
	beds *beds
	log  *roundLog
}

type beds struct{ tx pgx.Tx }

func (b *beds) occupy(ctx context.Context, v Visit) error {
	_, err := b.tx.Exec(ctx, `UPDATE beds SET visit = $1 WHERE visit IS NULL`, v.ID)
	return err
}

type roundLog struct{ tx pgx.Tx }

func (l *roundLog) put(ctx context.Context, v Visit) error {
	_, err := l.tx.Exec(ctx, `INSERT INTO ward_outbox (id, payload) VALUES ($1, $2)`, v.ID, v.Animal)
	return err
}

func (w *Ward) begin(ctx context.Context) (*round, error) {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return &round{tx: tx, beds: &beds{tx}, log: &roundLog{tx}}, nil
}

// Bed publishes while the round that it has begun is open.
func (w *Ward) Bed(ctx context.Context, v Visit) error {
	r, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer r.tx.Rollback(ctx)
	if err := r.beds.occupy(ctx, v); err != nil {
		return err
	}
	if err := w.queue.WriteMessages(ctx, kafka.Message{Key: []byte(v.ID)}); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return r.tx.Commit(ctx)
}

// BedRecorded writes to the log of the round.
func (w *Ward) BedRecorded(ctx context.Context, v Visit) error {
	r, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer r.tx.Rollback(ctx)
	if err := r.beds.occupy(ctx, v); err != nil {
		return err
	}
	if err := r.log.put(ctx, v); err != nil {
		return err
	}
	return r.tx.Commit(ctx)
}

// BedPast writes past the round.
func (w *Ward) BedPast(ctx context.Context, v Visit) error {
	r, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer r.tx.Rollback(ctx)
	if _, err := w.pool.Exec(ctx, `UPDATE animals SET bedded = true WHERE id = $1`, v.Animal); err != nil { // want "dualwrite/escaped-write"
		return err
	}
	if err := r.log.put(ctx, v); err != nil {
		return err
	}
	return r.tx.Commit(ctx)
}

// Discharge is given a transaction: somebody else has begun it and will end it.
func (w *Ward) Discharge(ctx context.Context, tx pgx.Tx, v Visit) error {
	if _, err := tx.Exec(ctx, `UPDATE beds SET visit = NULL WHERE visit = $1`, v.ID); err != nil {
		return err
	}
	return w.queue.WriteMessages(ctx, kafka.Message{Key: []byte(v.ID)}) // want "dualwrite/inside-tx"
}

// DischargeRecorded is given one as well.
func (w *Ward) DischargeRecorded(ctx context.Context, tx pgx.Tx, v Visit) error {
	if _, err := tx.Exec(ctx, `UPDATE beds SET visit = NULL WHERE visit = $1`, v.ID); err != nil {
		return err
	}
	return (&roundLog{tx}).put(ctx, v)
}
