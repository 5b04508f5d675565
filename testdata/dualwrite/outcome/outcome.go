// Package outcome holds publishes that only some ends of the write lead to.
package outcome

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

var (
	errTaken  = errors.New("taken")
	errLocked = errors.New("locked")
)

// A Pitch is rented by the hour.
type Pitch struct {
	ID, Club string
}

// A Park rents pitches.
type Park struct {
	db      *sql.DB
	channel *amqp.Channel
	took    time.Duration
}

func (p *Park) call(ctx context.Context, x Pitch) error {
	return p.channel.PublishWithContext(ctx, "park", "pitches", false, false, amqp.Publishing{Body: []byte(x.ID)})
}

func (p *Park) rent(ctx context.Context, x Pitch) error {
	_, err := p.db.ExecContext(ctx, `UPDATE pitches SET club = $2 WHERE id = $1`, x.ID, x.Club)
	if err != nil {
		return fmt.Errorf("rent %s: %w", x.ID, errors.Join(err, errTaken))
	}
	return nil
}

// OnSuccess publishes where the write has succeeded.
func (p *Park) OnSuccess(ctx context.Context, x Pitch) error {
	err := p.rent(ctx, x)
	if err == nil {
		err = p.call(ctx, x) // want "dualwrite/no-tx"
	}
	return err
}

// OnFailure publishes where it has failed.
func (p *Park) OnFailure(ctx context.Context, x Pitch) error {
	err := p.rent(ctx, x)
	if err != nil {
		err = p.call(ctx, x)
	}
	return err
}

// OnKind publishes where the error is of a kind.
func (p *Park) OnKind(ctx context.Context, x Pitch) error {
	err := p.rent(ctx, x)
	if errors.Is(err, errTaken) {
		return p.call(ctx, x)
	}
	return err
}

// NotOnKind publishes where it is not of that kind, which is where there is none.
func (p *Park) NotOnKind(ctx context.Context, x Pitch) error {
	err := p.rent(ctx, x)
	if errors.Is(err, errTaken) {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// Whatever publishes after either end.
func (p *Park) Whatever(ctx context.Context, x Pitch) error {
	err := p.rent(ctx, x)
	return errors.Join(err, p.call(ctx, x)) // want "dualwrite/no-tx"
}

// Joined publishes where neither of two has failed.
func (p *Park) Joined(ctx context.Context, x, y Pitch) error {
	if err := errors.Join(p.rent(ctx, x), p.rent(ctx, y)); err != nil {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// JoinedRefused publishes where the only write has failed, though something else may have failed as well.
func (p *Park) JoinedRefused(ctx context.Context, x Pitch, before error) error {
	if err := p.rent(ctx, x); err != nil {
		if err := errors.Join(before, err); err != nil {
			return p.call(ctx, x)
		}
	}
	return nil
}

// Chosen takes its error from one of two branches.
func (p *Park) Chosen(ctx context.Context, x Pitch, free bool) error {
	var err error
	if free {
		err = p.rent(ctx, x)
	} else {
		err = errLocked
	}
	if err != nil {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// ChosenRefused publishes where the chosen one is an error.
func (p *Park) ChosenRefused(ctx context.Context, x Pitch, free bool) error {
	var err error
	if free {
		err = p.rent(ctx, x)
	} else {
		err = errLocked
	}
	if err == nil {
		return nil
	}
	return p.call(ctx, x)
}

// Retried publishes when one of several attempts has succeeded.
func (p *Park) Retried(ctx context.Context, x Pitch) error {
	var err error
	for range 3 {
		if err = p.rent(ctx, x); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	if err != nil {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// GivenUp publishes when none has.
func (p *Park) GivenUp(ctx context.Context, x Pitch) error {
	var err error
	for range 3 {
		if err = p.rent(ctx, x); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return p.call(ctx, x)
}

// ThenAll publishes once after a loop of writes.
func (p *Park) ThenAll(ctx context.Context, pitches []Pitch) error {
	for _, x := range pitches {
		if err := p.rent(ctx, x); err != nil {
			return err
		}
	}
	return p.call(ctx, pitches[0]) // want "dualwrite/no-tx"
}

// Alternating publishes each before it writes the next: the flaw is in one round, and reported once.
func (p *Park) Alternating(ctx context.Context, pitches []Pitch) error {
	for _, x := range pitches {
		if err := p.rent(ctx, x); err != nil {
			return err
		}
		if err := p.call(ctx, x); err != nil { // want "dualwrite/no-tx"
			return err
		}
	}
	return nil
}

// EitherOr publishes in rounds that do not write.
func (p *Park) EitherOr(ctx context.Context, pitches []Pitch) error {
	for _, x := range pitches {
		if x.Club == "" {
			if err := p.call(ctx, x); err != nil {
				return err
			}
			continue
		}
		if err := p.rent(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// changed reports whether anything was written.
func (p *Park) changed(ctx context.Context, x Pitch) (bool, error) {
	if x.Club == "" {
		return false, nil
	}
	if err := p.rent(ctx, x); err != nil {
		return false, err
	}
	return true, nil
}

// Changed publishes where something was.
func (p *Park) Changed(ctx context.Context, x Pitch) error {
	changed, err := p.changed(ctx, x)
	if err != nil || !changed {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// Unchanged publishes where nothing was.
func (p *Park) Unchanged(ctx context.Context, x Pitch) error {
	changed, err := p.changed(ctx, x)
	if err != nil || changed {
		return err
	}
	return p.call(ctx, x)
}

// Found writes and publishes where a query has found something.
func (p *Park) Found(ctx context.Context, x Pitch) error {
	var found bool
	if err := p.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pitches WHERE id = $1)`, x.ID).Scan(&found); err != nil {
		return err
	}
	if !found {
		return nil
	}
	if err := p.rent(ctx, x); err != nil {
		return err
	}
	return p.call(ctx, x) // want "dualwrite/no-tx"
}

// NotFound writes in one case and publishes in the other.
func (p *Park) NotFound(ctx context.Context, x Pitch) error {
	var found bool
	if err := p.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM pitches WHERE id = $1)`, x.ID).Scan(&found); err != nil {
		return err
	}
	if found {
		return p.rent(ctx, x)
	}
	return p.call(ctx, x)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Must panics where the write fails.
func (p *Park) Must(ctx context.Context, x Pitch) {
	must(p.rent(ctx, x))
	must(p.call(ctx, x)) // want "dualwrite/no-tx"
}

// MustBegin panics before anything is written.
func (p *Park) MustBegin(ctx context.Context, x Pitch) (err error) {
	defer func() {
		if recover() != nil {
			err = p.call(ctx, x)
		}
	}()
	tx, err := p.db.BeginTx(ctx, nil)
	must(err)
	defer tx.Rollback()
	return nil
}
