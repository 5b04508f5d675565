package handle

import (
	"context"
	"database/sql"
	"errors"

	"github.com/segmentio/kafka-go"
)

type roomKey struct{}

// A Room finds its transaction in the context and has no pool to fall back on: somebody up there has begun it.
type Room struct {
	queue *kafka.Writer
}

func fromContext(ctx context.Context) (*sql.Tx, error) {
	tx, ok := ctx.Value(roomKey{}).(*sql.Tx)
	if !ok {
		return nil, errors.New("no transaction")
	}
	return tx, nil
}

// Clean publishes in it.
func (r *Room) Clean(ctx context.Context, v Visit) error {
	tx, err := fromContext(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE rooms SET visit = NULL WHERE visit = $1`, v.ID); err != nil {
		return err
	}
	return r.queue.WriteMessages(ctx, kafka.Message{Key: []byte(v.ID)}) // todo "dualwrite/inside-tx": a context that nobody in sight makes may carry a transaction
}

// CleanRecorded leaves a row in it.
func (r *Room) CleanRecorded(ctx context.Context, v Visit) error {
	tx, err := fromContext(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE rooms SET visit = NULL WHERE visit = $1`, v.ID); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO room_outbox (id, payload) VALUES ($1, $2)`, v.ID, v.Animal)
	return err
}

// Transacted is a middleware: it begins before what it wraps and commits after it.
func Transacted(db *sql.DB, next func(ctx context.Context, v Visit) error) func(ctx context.Context, v Visit) error {
	return func(ctx context.Context, v Visit) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := next(context.WithValue(ctx, roomKey{}, tx), v); err != nil {
			return err
		}
		return tx.Commit()
	}
}

// Told is another, outside of that: it publishes when the one inside has committed.
func Told(queue *kafka.Writer, next func(ctx context.Context, v Visit) error) func(ctx context.Context, v Visit) error {
	return func(ctx context.Context, v Visit) error {
		if err := next(ctx, v); err != nil {
			return err
		}
		return queue.WriteMessages(ctx, kafka.Message{Key: []byte(v.ID)}) // want "dualwrite/after-commit"
	}
}

// Counted is a third, which tells nobody.
func Counted(next func(ctx context.Context, v Visit) error) func(ctx context.Context, v Visit) error {
	n := 0
	return func(ctx context.Context, v Visit) error {
		n++
		return next(ctx, v)
	}
}

func (r *Room) fill(ctx context.Context, v Visit) error {
	tx, err := fromContext(ctx)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE rooms SET visit = $1 WHERE visit IS NULL`, v.ID)
	return err
}

// Handlers wraps them around each other.
func Handlers(db *sql.DB, queue *kafka.Writer) []func(ctx context.Context, v Visit) error {
	r := &Room{queue: queue}
	return []func(ctx context.Context, v Visit) error{
		Told(queue, Transacted(db, r.fill)),
		Counted(Transacted(db, r.CleanRecorded)),
	}
}
