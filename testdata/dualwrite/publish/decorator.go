package publish

import (
	"context"
	"expvar"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/nats-io/nats.go"

	"dmlint.test/dualwrite/publish/herald"
)

// Stock is what the decorators wrap.
type Stock interface {
	Add(ctx context.Context, p herald.Parcel) (herald.Parcel, error)
	Get(ctx context.Context, id string) (herald.Parcel, error)
	Drop(ctx context.Context, id string) error
}

// shelves is the real stock. Its insert comes through a query.
type shelves struct {
	db *sqlx.DB
}

func (s *shelves) Add(ctx context.Context, p herald.Parcel) (herald.Parcel, error) {
	err := s.db.GetContext(ctx, &p.ID, `INSERT INTO shelf_parcels (sender) VALUES ($1) RETURNING id`, p.Sender)
	return p, err
}

func (s *shelves) Get(ctx context.Context, id string) (p herald.Parcel, err error) {
	err = s.db.GetContext(ctx, &p, `SELECT id, sender, receiver FROM shelf_parcels WHERE id = $1`, id)
	return p, err
}

func (s *shelves) Drop(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM shelf_parcels WHERE id = $1`, id)
	return err
}

// speaking publishes after the inner call.
type speaking struct {
	Stock
	conn *nats.Conn
}

// Speak decorates a stock.
func Speak(inner Stock, conn *nats.Conn) Stock { return &speaking{Stock: counting{inner}, conn: conn} }

func (s *speaking) Add(ctx context.Context, p herald.Parcel) (herald.Parcel, error) {
	p, err := s.Stock.Add(ctx, p)
	if err != nil {
		return p, err
	}
	return p, s.conn.Publish("parcels.added", []byte(p.ID)) // want "dualwrite/no-tx"
}

// Get wraps a read.
func (s *speaking) Get(ctx context.Context, id string) (herald.Parcel, error) {
	p, err := s.Stock.Get(ctx, id)
	if err != nil {
		return p, err
	}
	return p, s.conn.Publish("parcels.viewed", []byte(p.ID))
}

// Drop publishes first.
func (s *speaking) Drop(ctx context.Context, id string) error {
	if err := s.conn.Publish("parcels.dropped", []byte(id)); err != nil { // want "dualwrite/before-write"
		return err
	}
	return s.Stock.Drop(ctx, id)
}

var added = expvar.NewInt("parcels_added")

// counting only counts and logs.
type counting struct {
	Stock
}

func (c counting) Add(ctx context.Context, p herald.Parcel) (herald.Parcel, error) {
	p, err := c.Stock.Add(ctx, p)
	if err != nil {
		return p, err
	}
	added.Add(1)
	log.Printf("added %s", p.ID)
	return p, nil
}
