// Package marked holds what only its declaration calls a handler.
package marked

import (
	"context"
	"database/sql"
)

type Desk struct{ db *sql.DB }

// Polled is called by a script.
//
//dmlint:handler
func (d *Desk) Polled(ctx context.Context, id string) error { // handler: marked //dmlint:handler
	_, err := d.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1)`, id)
	return err
}

// Pulled says nothing: //dmlint:handler in the middle of a line is no directive.
func (d *Desk) Pulled(ctx context.Context, id string) error {
	_, err := d.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1)`, id)
	return err
}

type Listener interface {
	//dmlint:handler
	Told(ctx context.Context, id string) error
	Name() string
}

func (d *Desk) Told(ctx context.Context, id string) error { return d.Pulled(ctx, id) } // handler: marked //dmlint:handler as marked.Listener.Told

func (d *Desk) Name() string { return "desk" }
