package outcome

import (
	"context"
	"database/sql"
	"time"

	"dmlint.test/dualwrite/outcome/kinderrors"
)

func (p *Park) timed(started time.Time) { p.took = time.Since(started) }

// move keeps its result in memory until the deferred call has run.
func (p *Park) move(ctx context.Context, x Pitch) error {
	defer p.timed(time.Now())
	res, err := p.db.ExecContext(ctx, `UPDATE pitches SET club = $2 WHERE id = $1`, x.ID, x.Club)
	if err != nil {
		return kinderrors.From(err).Hint("try again").Mark(kinderrors.ErrStore)
	}
	if n, err := res.RowsAffected(); err == nil && n == 0 {
		return kinderrors.NewError("no such pitch").Hint("look it up").Mark(kinderrors.ErrMissing)
	}
	return nil
}

// Move publishes what it has moved: where the move has failed it does not get there, so the window is always its own.
func (p *Park) Move(ctx context.Context, x Pitch) error {
	if err := p.move(ctx, x); err != nil {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// Swap moves twice, and each move announces itself.
func (p *Park) Swap(ctx context.Context, x, y Pitch) error {
	if err := p.rent(ctx, x); err != nil {
		return err
	}
	return p.Move(ctx, y) // want advice "dualwrite/no-tx"
}

// closed refuses to move anything.
func (p *Park) closed(ctx context.Context, x Pitch) error {
	defer p.timed(time.Now())
	if _, err := p.db.ExecContext(ctx, `UPDATE pitches SET club = NULL WHERE id = $1`, x.ID); err != nil {
		return kinderrors.From(err).Mark(kinderrors.ErrStore)
	}
	return kinderrors.NewError("closed").Mark(kinderrors.ErrMissing)
}

// Closed does not get to the publish.
func (p *Park) Closed(ctx context.Context, x Pitch) error {
	if err := p.closed(ctx, x); err != nil {
		return err
	}
	return p.call(ctx, x)
}

// refuse notes that a pitch cannot be had, tells everyone, and is always an error.
func (p *Park) refuse(ctx context.Context, x Pitch) error {
	if _, err := p.db.ExecContext(ctx, `UPDATE pitches SET refused = true WHERE id = $1`, x.ID); err != nil {
		return err
	}
	if err := p.call(ctx, x); err != nil { // want "dualwrite/no-tx"
		return err
	}
	return kinderrors.Refuse(errLocked)
}

// price asks for the price of a pitch.
func (p *Park) price(ctx context.Context, x Pitch) (price int, err error) {
	err = p.db.QueryRowContext(ctx, `SELECT price FROM pitches WHERE id = $1`, x.ID).Scan(&price)
	if err != nil {
		return 0, p.refuse(ctx, x)
	}
	return price, nil
}

// Offer does not get from a refusal to its own write.
func (p *Park) Offer(ctx context.Context, x Pitch) error {
	price, err := p.price(ctx, x)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `INSERT INTO offers (pitch, price) VALUES ($1, $2)`, x.ID, price)
	return err
}

// record gives what measures a call by its error.
func record() func(op string, err *error) {
	started := time.Now()
	return func(op string, err *error) { println(op, *err == nil, time.Since(started)) }
}

// begin lets its error be measured, and gives it back as it is.
func (p *Park) begin(ctx context.Context) (*sql.Tx, error) {
	var err error
	defer record()("begin", &err)
	tx, err := p.db.BeginTx(ctx, nil)
	return tx, err
}

func (p *Park) exec(ctx context.Context, tx *sql.Tx, x Pitch) error {
	var err error
	defer record()("exec", &err)
	_, err = tx.ExecContext(ctx, `UPDATE pitches SET club = $2 WHERE id = $1`, x.ID, x.Club)
	return err
}

// Measured never gets to its write where the transaction was not begun, nor to its publish where nothing was committed.
func (p *Park) Measured(ctx context.Context, x Pitch) error {
	tx, err := p.begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := p.exec(ctx, tx, x); err != nil {
		return p.call(ctx, x)
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/after-commit"
}
