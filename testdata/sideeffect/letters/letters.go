// Package letters writes to people from the handlers of messages.
package letters

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/smtp"

	"github.com/rabbitmq/amqp091-go"
	"gopkg.in/gomail.v2"
)

type joined struct {
	ID, Address, Name string
}

// Desk handles deliveries.
type Desk struct {
	db   *sql.DB
	post Post
}

// Post sends letters.
type Post interface {
	Send(to, text string) error
}

type dialled struct{ d *gomail.Dialer }

// NewDesk makes a desk that really sends.
func NewDesk(db *sql.DB, d *gomail.Dialer) *Desk { return &Desk{db: db, post: dialled{d}} }

func (p dialled) Send(to, text string) error {
	m := gomail.NewMessage()
	m.SetHeader("To", to)
	m.SetBody("text/plain", text)
	return p.d.DialAndSend(m) // want advice "sideeffect/no-key"
}

// Listen handles what comes.
func (d *Desk) Listen(ctx context.Context, in <-chan amqp091.Delivery) {
	for m := range in {
		var j joined
		if json.Unmarshal(m.Body, &j) != nil {
			m.Nack(false, false)
			continue
		}
		if d.welcome(j) != nil || d.named(j) != nil || d.once(ctx, j) != nil || d.row(ctx, j) != nil {
			m.Nack(false, true)
			continue
		}
		m.Ack(false)
	}
}

func (d *Desk) welcome(j joined) error {
	if err := d.post.Send(j.Address, "Hello "+j.Name); err != nil {
		return err
	}
	return smtp.SendMail("mail:25", nil, "desk@example.org", []string{j.Address}, []byte("Subject: Hello\r\n\r\n"+j.Name)) // want advice "sideeffect/no-key"
}

// named gives the letter a name by which mailboxes drop a second one.
func (d *Desk) named(j joined) error {
	head := "Message-ID: <" + j.ID + "@example.org>\r\nSubject: Hello\r\n\r\n"
	return smtp.SendMail("mail:25", nil, "desk@example.org", []string{j.Address}, []byte(head+j.Name))
}

// once records the message first.
func (d *Desk) once(ctx context.Context, j joined) error {
	res, err := d.db.ExecContext(ctx, `INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, j.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return d.post.Send(j.Address, "Only once, "+j.Name)
}

type letter struct{ To string }

func (d *Desk) find(ctx context.Context, id string) (*letter, error) {
	l := &letter{}
	err := d.db.QueryRowContext(ctx, `SELECT recipient FROM letters WHERE id = $1`, id).Scan(&l.To)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	return l, err
}

// row skips what was written before.
func (d *Desk) row(ctx context.Context, j joined) error {
	old, err := d.find(ctx, j.ID)
	if err != nil {
		return err
	}
	if old != nil {
		return nil
	}
	if err := d.post.Send(j.Address, "First, "+j.Name); err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `INSERT INTO letters (id, recipient) VALUES ($1, $2)`, j.ID, j.Address)
	return err
}
