package outside

import (
	"context"
	"database/sql"

	"github.com/ThreeDotsLabs/watermill/message"
)

// A Teller tells others once, as far as it knows.
type Teller struct {
	db  *sql.DB
	out message.Publisher
}

func (t *Teller) Route(r *message.Router, sub message.Subscriber) {
	r.AddConsumerHandler("told", "deposits", sub, t.told)
	r.AddConsumerHandler("decided", "deposits", sub, t.decided)
}

// told asks and then records: two deliveries at once both get past the question, and the record says nothing.
func (t *Teller) told(m *message.Message) error {
	ctx := m.Context()
	var seen bool
	if err := t.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1)`, m.UUID).Scan(&seen); err != nil || seen { // want "inboxorder/check-outside"
		return err
	}
	if _, err := t.db.ExecContext(ctx, `INSERT INTO processed (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, m.UUID); err != nil {
		return err
	}
	return t.out.Publish("told", message.NewMessage(m.UUID, m.Payload))
}

// decided is told by its record.
func (t *Teller) decided(m *message.Message) error {
	ctx := m.Context()
	var seen bool
	if err := t.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1)`, m.UUID).Scan(&seen); err != nil || seen {
		return err
	}
	if _, err := t.db.ExecContext(ctx, `INSERT INTO processed (message_id) VALUES ($1)`, m.UUID); err != nil { // want "inboxorder/record-outside"
		return err
	}
	return t.out.Publish("told", message.NewMessage(m.UUID, m.Payload))
}

// An Inbox is filled as messages come, and worked off later.
type Inbox struct{ db *sql.DB }

func (i *Inbox) Together(ctx context.Context) error {
	tx, err := i.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id, account string
	if err := tx.QueryRowContext(ctx, `SELECT message_id, account FROM inbox WHERE handled_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&id, &account); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, account); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE inbox SET handled_at = now() WHERE message_id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

func (i *Inbox) Apart(ctx context.Context) error {
	var id, account string
	if err := i.db.QueryRowContext(ctx, `SELECT message_id, account FROM inbox WHERE handled_at IS NULL ORDER BY id LIMIT 1`).Scan(&id, &account); err != nil {
		return err
	}
	if _, err := i.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, account); err != nil {
		return err
	}
	_, err := i.db.ExecContext(ctx, `UPDATE inbox SET handled_at = now() WHERE message_id = $1`, id) // want "inboxorder/record-outside"
	return err
}
