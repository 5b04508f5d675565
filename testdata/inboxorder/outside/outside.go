// Package outside asks whether a message was seen before, outside the transaction of its effect, and beside that inside it
// or in front of a record that holds.
package outside

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/ThreeDotsLabs/watermill/message"
)

type deposit struct {
	ID, Account string
	Amount      int64
}

type Handler struct{ db *sql.DB }

func (h *Handler) Route(r *message.Router, sub message.Subscriber) {
	r.AddConsumerHandler("exists", "deposits", sub, h.exists)
	r.AddConsumerHandler("exists-inside", "deposits", sub, h.existsInside)
	r.AddConsumerHandler("status", "deposits", sub, h.status)
	r.AddConsumerHandler("status-inside", "deposits", sub, h.statusInside)
	r.AddConsumerHandler("helper", "deposits", sub, h.helper)
	r.AddConsumerHandler("fast", "deposits", sub, h.fast)
	r.AddConsumerHandler("upserted", "deposits", sub, h.upserted)
	r.AddConsumerHandler("validated", "deposits", sub, h.validated)
}

func parse(m *message.Message) (d deposit, err error) { return d, json.Unmarshal(m.Payload, &d) }

func (h *Handler) exists(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	var seen bool
	if err := h.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1)`, m.UUID).Scan(&seen); err != nil || seen { // want "inboxorder/check-outside"
		return err
	}
	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	return tx.Commit()
}

func (h *Handler) existsInside(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	tx, err := h.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var seen bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1)`, m.UUID).Scan(&seen); err != nil || seen {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO processed (message_id) VALUES ($1)`, m.UUID); err != nil {
		return err
	}
	return tx.Commit()
}

func (h *Handler) status(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	var status string
	if err := h.db.QueryRowContext(ctx, `SELECT status FROM deposits WHERE id = $1`, d.ID).Scan(&status); err != nil { // want "inboxorder/check-outside"
		return err
	}
	if status == "booked" {
		return nil
	}
	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1`, d.ID); err != nil {
		return err
	}
	return tx.Commit()
}

func (h *Handler) statusInside(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var status string
	if err := tx.QueryRowContext(ctx, `SELECT status FROM deposits WHERE id = $1 FOR UPDATE`, d.ID).Scan(&status); err != nil {
		return err
	}
	if status == "booked" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1`, d.ID); err != nil {
		return err
	}
	return tx.Commit()
}

func (h *Handler) seen(ctx context.Context, id string) (bool, error) {
	var one int
	err := h.db.QueryRowContext(ctx, `SELECT 1 FROM processed WHERE message_id = $1`, id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// helper asks through a function of its own.
func (h *Handler) helper(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	seen, err := h.seen(ctx, m.UUID) // want "inboxorder/check-outside"
	if err != nil || seen {
		return err
	}
	_, err = h.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
	return err
}

// fast only saves the work: what decides is the record.
func (h *Handler) fast(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	if seen, err := h.seen(ctx, m.UUID); err != nil || seen {
		return err
	}
	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO processed (message_id) VALUES ($1)`, m.UUID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
		return err
	}
	return tx.Commit()
}

// upserted comes out the same, however many get past the check.
func (h *Handler) upserted(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	if seen, err := h.seen(ctx, m.UUID); err != nil || seen {
		return err
	}
	_, err = h.db.ExecContext(ctx, `INSERT INTO profiles (account, amount) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET amount = EXCLUDED.amount`, d.Account, d.Amount)
	return err
}

// validated asks for something else: nothing notices the second message.
func (h *Handler) validated(m *message.Message) error {
	d, err := parse(m)
	if err != nil {
		return err
	}
	ctx := m.Context()
	var known bool
	if err := h.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM customers WHERE id = $1)`, d.Account).Scan(&known); err != nil || !known {
		return err
	}
	_, err = h.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount) // want "increment/unguarded"
	return err
}
