// Package publish holds the ways in which an event gets out: behind interfaces, decorators, goroutines, function values
// and channels.
package publish

import (
	"context"
	"database/sql"

	"dmlint.test/dualwrite/publish/herald"
)

// Herald is implemented by a broker and by nothing.
type Herald interface {
	Tell(ctx context.Context, p herald.Parcel) error
}

// Gazette is implemented by a log.
type Gazette interface {
	Print(ctx context.Context, p herald.Parcel) error
}

// A Depot takes parcels in.
type Depot struct {
	db      *sql.DB
	herald  Herald
	gazette Gazette
}

// NewDepot makes a depot.
func NewDepot(db *sql.DB, h Herald, g Gazette) *Depot { return &Depot{db: db, herald: h, gazette: g} }

// Accept tells the broker, two calls and an interface away.
func (d *Depot) Accept(ctx context.Context, p herald.Parcel) error {
	if _, err := d.db.ExecContext(ctx, `INSERT INTO parcels (id, sender) VALUES ($1, $2)`, p.ID, p.Sender); err != nil {
		return err
	}
	return d.herald.Tell(ctx, p) // want "dualwrite/no-tx"
}

// AcceptQuietly tells the log.
func (d *Depot) AcceptQuietly(ctx context.Context, p herald.Parcel) error {
	if _, err := d.db.ExecContext(ctx, `INSERT INTO parcels (id, sender) VALUES ($1, $2)`, p.ID, p.Sender); err != nil {
		return err
	}
	return d.gazette.Print(ctx, p)
}

// Trace only reads.
func (d *Depot) Trace(ctx context.Context, p herald.Parcel) error {
	if err := d.db.QueryRowContext(ctx, `SELECT sender FROM parcels WHERE id = $1`, p.ID).Scan(&p.Sender); err != nil {
		return err
	}
	return d.herald.Tell(ctx, p)
}

// announce has no result: what goes wrong in it is nobody's business.
func (d *Depot) announce(ctx context.Context, p herald.Parcel) {
	if err := d.herald.Tell(ctx, p); err != nil {
		_ = d.gazette.Print(ctx, p)
	}
}

// Forward tells the broker through a helper that swallows the error.
func (d *Depot) Forward(ctx context.Context, p herald.Parcel) error {
	if _, err := d.db.ExecContext(ctx, `UPDATE parcels SET receiver = $2 WHERE id = $1`, p.ID, p.Receiver); err != nil {
		return err
	}
	d.announce(ctx, p) // want "dualwrite/no-tx"
	return nil
}
