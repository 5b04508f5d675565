package escape

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// seating and pricing are wired with one pool, so that their handles are known to be the same.
type seating struct {
	pool    *pgxpool.Pool
	pricing *pricing
}

type pricing struct {
	pool *pgxpool.Pool
}

// Wire connects the two.
func Wire(pool *pgxpool.Pool) *seating {
	return &seating{pool: pool, pricing: &pricing{pool: pool}}
}

func (p *pricing) raise(ctx context.Context, t Ticket) error {
	_, err := p.pool.Exec(ctx, `UPDATE prices SET cents = cents + 100 WHERE seat = $1`, t.Seat)
	return err
}

func (p *pricing) raiseIn(ctx context.Context, tx pgx.Tx, t Ticket) error {
	_, err := tx.Exec(ctx, `UPDATE prices SET cents = cents + 100 WHERE seat = $1`, t.Seat)
	return err
}

// Improve calls a method that knows nothing of the transaction.
func (s *seating) Improve(ctx context.Context, t Ticket) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE seats SET class = 1 WHERE id = $1`, t.Seat); err != nil {
			return err
		}
		return s.pricing.raise(ctx, t) // want "dualwrite/escaped-write"
	})
}

// ImproveWhole hands it over.
func (s *seating) ImproveWhole(ctx context.Context, t Ticket) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE seats SET class = 1 WHERE id = $1`, t.Seat); err != nil {
			return err
		}
		return s.pricing.raiseIn(ctx, tx, t)
	})
}

// gate and turnstile are wired nowhere: it is likely that they share a database.
type gate struct {
	db        *sql.DB
	turnstile *turnstile
}

type turnstile struct {
	db *sql.DB
}

func (t *turnstile) turn(ctx context.Context, x Ticket) error {
	_, err := t.db.ExecContext(ctx, `INSERT INTO turns (ticket) VALUES ($1)`, x.ID)
	return err
}

// Enter writes on what is likely the same database.
func (g *gate) Enter(ctx context.Context, t Ticket) error {
	return atomically(ctx, g.db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE tickets SET entered = true WHERE id = $1`, t.ID); err != nil {
			return err
		}
		return g.turnstile.turn(ctx, t) // want advice "dualwrite/escaped-write"
	})
}

// EnterFirst does so before the transaction.
func (g *gate) EnterFirst(ctx context.Context, t Ticket) error {
	if err := g.turnstile.turn(ctx, t); err != nil {
		return err
	}
	return atomically(ctx, g.db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE tickets SET entered = true WHERE id = $1`, t.ID)
		return err
	})
}
