// Package seats limits deliveries where it makes its consumer.
package seats

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go/jetstream"
)

func Limited(ctx context.Context, db *sql.DB, js jetstream.JetStream, most int) error {
	cons, err := js.CreateOrUpdateConsumer(ctx, "SEATS", jetstream.ConsumerConfig{Durable: "hall", MaxDeliver: most})
	if err != nil {
		return err
	}
	_, err = cons.Consume(func(m jetstream.Msg) {
		if _, err := db.ExecContext(ctx, `UPDATE seats SET taken = true WHERE id = $1`, string(m.Data())); err != nil {
			m.Nak()
			return
		}
		m.Ack()
	})
	return err
}
