// Package events has a handler for each kind of event.
package events

import (
	"context"
	"database/sql"
	"time"

	"github.com/segmentio/kafka-go"
)

type Store struct{ db *sql.DB }

// SetStatus is what all of them use.
func (s *Store) SetStatus(ctx context.Context, id, status string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE bookings SET status = $2 WHERE id = $1`, id, status)
	return err
}

type Booking struct {
	ID, Status string
	At         time.Time
}

// Save writes all of a booking.
func (s *Store) Save(ctx context.Context, b *Booking) error {
	_, err := s.db.ExecContext(ctx, `UPDATE rooms SET status = $2, guest = $3, floor = $4, price = $5 WHERE id = $1`, b.ID, b.Status, "", 1, 2)
	return err
}

func (s *Store) Find(ctx context.Context, id string) (*Booking, error) {
	b := &Booking{}
	err := s.db.QueryRowContext(ctx, `SELECT id, at FROM rooms WHERE id = $1`, id).Scan(&b.ID, &b.At)
	return b, err
}

func (b *Booking) confirm() { b.Status = "confirmed" }
func (b *Booking) cancel()  { b.Status = "cancelled" }

type Handlers struct{ store *Store }

//dmlint:handler
func (h *Handlers) Paid(ctx context.Context, m kafka.Message) error {
	return h.store.SetStatus(ctx, string(m.Key), "paid") // want advice "transition/blind-assign"
}

//dmlint:handler
func (h *Handlers) Failed(ctx context.Context, m kafka.Message) error {
	return h.store.SetStatus(ctx, string(m.Key), "failed") // want advice "transition/blind-assign"
}

//dmlint:handler
func (h *Handlers) Confirmed(ctx context.Context, m kafka.Message) error {
	b, err := h.store.Find(ctx, string(m.Key))
	if err != nil {
		return err
	}
	b.confirm()
	return h.store.Save(ctx, b) // want advice "transition/blind-assign"
}

//dmlint:handler
func (h *Handlers) Cancelled(ctx context.Context, m kafka.Message) error {
	b, err := h.store.Find(ctx, string(m.Key))
	if err != nil {
		return err
	}
	b.cancel()
	return h.store.Save(ctx, b) // want advice "transition/blind-assign"
}

// Repriced writes the state along with all else.
//
//dmlint:handler
func (h *Handlers) Repriced(ctx context.Context, m kafka.Message) error {
	b, err := h.store.Find(ctx, string(m.Key))
	if err != nil {
		return err
	}
	return h.store.Save(ctx, b)
}

// Archived is the only event of its table.
//
//dmlint:handler
func (h *Handlers) Archived(ctx context.Context, m kafka.Message) error {
	_, err := h.store.db.ExecContext(ctx, `UPDATE folders SET status = 'archived' WHERE id = $1`, string(m.Key))
	return err
}

// Fetched and Printed note how their own work has ended.
//
//dmlint:handler
func (h *Handlers) Fetched(ctx context.Context, m kafka.Message) error {
	if _, err := h.store.db.ExecContext(ctx, `INSERT INTO pages (id) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Key)); err != nil {
		_, err := h.store.db.ExecContext(ctx, `UPDATE papers SET state = 'broken' WHERE id = $1`, string(m.Key))
		return err
	}
	_, err := h.store.db.ExecContext(ctx, `UPDATE papers SET state = 'fetched' WHERE id = $1`, string(m.Key))
	return err
}

//dmlint:handler
func (h *Handlers) Printed(ctx context.Context, m kafka.Message) error {
	if _, err := h.store.db.ExecContext(ctx, `INSERT INTO prints (id) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Key)); err != nil {
		_, err := h.store.db.ExecContext(ctx, `UPDATE papers SET state = 'jammed' WHERE id = $1`, string(m.Key))
		return err
	}
	_, err := h.store.db.ExecContext(ctx, `UPDATE papers SET state = 'printed' WHERE id = $1`, string(m.Key))
	return err
}

// Left and LeftAgain handle the same event: one from the topic, one from the topic of retries.
//
//dmlint:handler
func (h *Handlers) Left(ctx context.Context, m kafka.Message) error { return h.left(ctx, m) }

//dmlint:handler
func (h *Handlers) LeftAgain(ctx context.Context, m kafka.Message) error { return h.left(ctx, m) }

func (h *Handlers) left(ctx context.Context, m kafka.Message) error {
	_, err := h.store.db.ExecContext(ctx, `UPDATE guests SET status = 'left' WHERE id = $1`, string(m.Key))
	return err
}

// Packed and Billed change different columns.
//
//dmlint:handler
func (h *Handlers) Packed(ctx context.Context, m kafka.Message) error {
	_, err := h.store.db.ExecContext(ctx, `UPDATE boxes SET shipping_status = 'packed' WHERE id = $1`, string(m.Key))
	return err
}

//dmlint:handler
func (h *Handlers) Billed(ctx context.Context, m kafka.Message) error {
	_, err := h.store.db.ExecContext(ctx, `UPDATE boxes SET payment_status = 'billed' WHERE id = $1`, string(m.Key))
	return err
}
