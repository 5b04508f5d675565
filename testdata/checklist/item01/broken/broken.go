// Package broken publishes after the commit.
package broken

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

type Orders struct {
	db *sql.DB
	w  *kafka.Writer
}

func (o *Orders) Place(ctx context.Context, id string, body []byte) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id, body) VALUES ($1, $2)`, id, body); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return o.w.WriteMessages(ctx, kafka.Message{Key: []byte(id), Value: body})
}
