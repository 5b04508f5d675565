package outcome

import (
	"context"
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
