package sqltext

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// A Logger writes many rows at once.
type Logger struct {
	pool  *pgxpool.Pool
	queue *kafka.Writer
}

func (l *Logger) publish(ctx context.Context, sensor string) error {
	return l.queue.WriteMessages(ctx, kafka.Message{Key: []byte(sensor)})
}

// Copy has no text at all.
func (l *Logger) Copy(ctx context.Context, sensor string, values []int) error {
	rows := make([][]any, 0, len(values))
	for _, v := range values {
		rows = append(rows, []any{sensor, v})
	}
	if _, err := l.pool.CopyFrom(ctx, pgx.Identifier{"readings"}, []string{"sensor", "value"}, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	return l.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// Batch queues its statements.
func (l *Logger) Batch(ctx context.Context, sensor string, values []int) error {
	batch := &pgx.Batch{}
	for _, v := range values {
		batch.Queue(insertReading, sensor, v)
	}
	if err := l.pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return l.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// BatchRead queues statements that read.
func (l *Logger) BatchRead(ctx context.Context, sensor string) error {
	batch := &pgx.Batch{}
	batch.Queue(selectReading, sensor)
	if err := l.pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return l.publish(ctx, sensor)
}

// Two runs two statements of one text, the second of which writes; no data shows in it.
func (l *Logger) Two(ctx context.Context, sensor string) error {
	if _, err := l.pool.Exec(ctx, `SET LOCAL lock_timeout = '1s'; DELETE FROM readings`); err != nil {
		return err
	}
	return l.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// Settings runs none that does.
func (l *Logger) Settings(ctx context.Context, sensor string) error {
	if _, err := l.pool.Exec(ctx, `SET LOCAL lock_timeout = '1s'; SELECT 1`); err != nil {
		return err
	}
	return l.publish(ctx, sensor)
}
