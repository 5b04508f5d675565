// Package taken holds functions that are given a message and are registered nowhere in sight.
package taken

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go"
	"github.com/riverqueue/river"
)

type Desk struct {
	db *sql.DB
	nc *nats.Conn
}

func (d *Desk) Handle(m *nats.Msg) error { // handler: takes *nats.Msg
	_, err := d.db.Exec(`INSERT INTO bookings (id) VALUES ($1)`, subject(m))
	return err
}

type Args struct{ ID string }

func (Args) Kind() string { return "booking" }

func (d *Desk) Work(ctx context.Context, job *river.Job[Args]) error { // handler: takes *river.Job[…]
	_, err := d.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1)`, job.Args.ID)
	return err
}

// It only looks at the message.
func subject(m *nats.Msg) string { return m.Subject }

// It sends the message.
func (d *Desk) Send(m *nats.Msg) error { return d.nc.PublishMsg(m) }

// Its caller wants something of it.
func (d *Desk) Find(m *nats.Msg) (string, error) {
	tx, err := d.db.Begin()
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	return subject(m), tx.Commit()
}

func (d *Desk) look(m *nats.Msg) { _, _ = d.Find(m) } // handler: takes *nats.Msg
