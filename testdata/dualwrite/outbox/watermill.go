package outbox

import (
	"context"
	"database/sql"

	"github.com/ThreeDotsLabs/watermill"
	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/components/forwarder"
	"github.com/ThreeDotsLabs/watermill/message"
)

// A Turbine publishes through Watermill: what the publisher is made on decides what publishing means.
type Turbine struct {
	db        *sql.DB
	publisher message.Publisher
	bus       *cqrs.EventBus
}

func inTx(ctx context.Context, db *sql.DB, fn func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func turn(ctx context.Context, tx *sql.Tx, m Meter) error {
	_, err := tx.ExecContext(ctx, `UPDATE turbines SET units = $2 WHERE id = $1`, m.ID, m.Units)
	return err
}

// Turn uses a publisher that it was given.
func (t *Turbine) Turn(ctx context.Context, m Meter) error {
	return inTx(ctx, t.db, func(tx *sql.Tx) error {
		if err := turn(ctx, tx, m); err != nil {
			return err
		}
		return t.publisher.Publish("turbines", message.NewMessage(watermill.NewUUID(), []byte(m.ID))) // want "dualwrite/inside-tx"
	})
}

// TurnRecorded makes one on the transaction: it inserts rows.
func (t *Turbine) TurnRecorded(ctx context.Context, m Meter) error {
	return inTx(ctx, t.db, func(tx *sql.Tx) error {
		if err := turn(ctx, tx, m); err != nil {
			return err
		}
		p, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, nil)
		if err != nil {
			return err
		}
		return p.Publish("turbines", message.NewMessage(watermill.NewUUID(), []byte(m.ID)))
	})
}

// TurnForwarded wraps that publisher and makes a bus of it.
func (t *Turbine) TurnForwarded(ctx context.Context, m Meter) error {
	return inTx(ctx, t.db, func(tx *sql.Tx) error {
		if err := turn(ctx, tx, m); err != nil {
			return err
		}
		p, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, nil)
		if err != nil {
			return err
		}
		bus, err := cqrs.NewEventBusWithConfig(forwarder.NewPublisher(p, forwarder.PublisherConfig{}), cqrs.EventBusConfig{Marshaler: cqrs.JSONMarshaler{}})
		if err != nil {
			return err
		}
		return bus.Publish(ctx, &m)
	})
}

// TurnBus uses the bus that goes to the broker.
func (t *Turbine) TurnBus(ctx context.Context, m Meter) error {
	return inTx(ctx, t.db, func(tx *sql.Tx) error {
		if err := turn(ctx, tx, m); err != nil {
			return err
		}
		return t.bus.Publish(ctx, &m) // want "dualwrite/inside-tx"
	})
}
