package shape

import (
	"context"
	"database/sql"
	"iter"

	"github.com/nats-io/nats.go"
)

// A store and a stream are embedded.
type store struct{ *sql.DB }

func (s *store) fell(ctx context.Context, t Tree) error {
	_, err := s.ExecContext(ctx, `DELETE FROM groves WHERE id = $1`, t.ID)
	return err
}

type stream struct{ *nats.Conn }

// A Forest has promoted methods only.
type Forest struct {
	*store
	stream
}

// Fell calls them.
func (f *Forest) Fell(ctx context.Context, t Tree) error {
	if err := f.fell(ctx, t); err != nil {
		return err
	}
	return f.Publish("groves.felled", []byte(t.ID)) // want "dualwrite/no-tx"
}

func (s *store) sow(ctx context.Context, t Tree) error {
	_, err := s.ExecContext(ctx, `INSERT INTO groves (id) VALUES ($1)`, t.ID)
	return err
}

// Sow calls them the other way round.
func (f *Forest) Sow(ctx context.Context, t Tree) error {
	if err := f.Publish("groves.sown", []byte(t.ID)); err != nil { // want "dualwrite/before-write"
		return err
	}
	return f.sow(ctx, t)
}

// Count calls one that reads.
func (f *Forest) Count(ctx context.Context, t Tree) error {
	if err := f.QueryRowContext(ctx, `SELECT kind FROM groves WHERE id = $1`, t.ID).Scan(&t.Kind); err != nil {
		return err
	}
	return f.Publish("groves.counted", []byte(t.ID))
}

// Thin calls one that begins.
func (f *Forest) Thin(ctx context.Context, t Tree) error {
	tx, err := f.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE groves SET thinned = true WHERE id = $1`, t.ID); err != nil {
		return err
	}
	if err := f.Publish("groves.thinned", []byte(t.ID)); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return tx.Commit()
}

// Value keeps its methods in variables.
func (f *Forest) Value(ctx context.Context, t Tree) error {
	fell, publish := f.fell, f.Publish
	if err := fell(ctx, t); err != nil {
		return err
	}
	return publish("groves.felled", []byte(t.ID)) // want "dualwrite/no-tx"
}

// Expression calls a method expression.
func (f *Forest) Expression(ctx context.Context, t Tree) error {
	if err := (*store).fell(f.store, ctx, t); err != nil {
		return err
	}
	return (*nats.Conn).Publish(f.Conn, "groves.felled", []byte(t.ID)) // want "dualwrite/no-tx"
}

// step is a function type with a method.
type step func(ctx context.Context, t Tree) error

func (s step) run(ctx context.Context, t Tree) error { return s(ctx, t) }

// Steps runs functions through a method of theirs; the second of them publishes.
func (f *Forest) Steps(ctx context.Context, t Tree) error {
	first := step(f.fell)
	second := step(func(_ context.Context, t Tree) error { return f.Publish("groves.felled", []byte(t.ID)) }) // want "dualwrite/no-tx"
	if err := first.run(ctx, t); err != nil {
		return err
	}
	return second.run(ctx, t)
}

func insist(fn func() error) error {
	for range 3 {
		if fn() == nil {
			return nil
		}
	}
	return fn()
}

// Insist hands its publish to a helper that tries more than once.
func (f *Forest) Insist(ctx context.Context, t Tree) error {
	if err := f.fell(ctx, t); err != nil {
		return err
	}
	return insist(func() error {
		return f.Publish("groves.felled", []byte(t.ID)) // want "dualwrite/no-tx"
	})
}

// InsistReading hands over something else.
func (f *Forest) InsistReading(ctx context.Context, t Tree) error {
	if err := f.fell(ctx, t); err != nil {
		return err
	}
	return insist(func() error { return f.PingContext(ctx) })
}

// walk goes down a tree of trees.
func (f *Forest) walk(ctx context.Context, ts []Tree) error {
	if len(ts) == 0 {
		return nil
	}
	if err := f.fell(ctx, ts[0]); err != nil {
		return err
	}
	return f.walk(ctx, ts[1:])
}

// Walk publishes after a recursion that writes.
func (f *Forest) Walk(ctx context.Context, ts []Tree) error {
	if err := f.walk(ctx, ts); err != nil {
		return err
	}
	return f.Publish("groves.felled", []byte(ts[0].ID)) // want "dualwrite/no-tx"
}

// look goes down without writing.
func (f *Forest) look(ctx context.Context, ts []Tree) error {
	if len(ts) == 0 {
		return nil
	}
	if err := f.QueryRowContext(ctx, `SELECT kind FROM groves WHERE id = $1`, ts[0].ID).Scan(&ts[0].Kind); err != nil {
		return err
	}
	return f.look(ctx, ts[1:])
}

// Look publishes after a recursion that reads.
func (f *Forest) Look(ctx context.Context, ts []Tree) error {
	if err := f.look(ctx, ts); err != nil {
		return err
	}
	return f.Publish("groves.seen", []byte(ts[0].ID))
}

// all gives the trees one by one.
func all(ts []Tree) iter.Seq[Tree] {
	return func(yield func(Tree) bool) {
		for _, t := range ts {
			if !yield(t) {
				return
			}
		}
	}
}

// Range writes in the body of a loop over a function.
func (f *Forest) Range(ctx context.Context, ts []Tree) error {
	for t := range all(ts) {
		if err := f.fell(ctx, t); err != nil {
			return err
		}
	}
	return f.Publish("groves.felled", []byte(ts[0].ID)) // want "dualwrite/no-tx"
}

// RangeReading reads in it.
func (f *Forest) RangeReading(ctx context.Context, ts []Tree) error {
	for t := range all(ts) {
		if err := f.QueryRowContext(ctx, `SELECT kind FROM groves WHERE id = $1`, t.ID).Scan(&t.Kind); err != nil {
			return err
		}
	}
	return f.Publish("groves.seen", []byte(ts[0].ID))
}

// Immediate calls a function literal on the spot.
func (f *Forest) Immediate(ctx context.Context, t Tree) error {
	err := func() error {
		return f.fell(ctx, t)
	}()
	if err != nil {
		return err
	}
	return f.Publish("groves.felled", []byte(t.ID)) // want "dualwrite/no-tx"
}
