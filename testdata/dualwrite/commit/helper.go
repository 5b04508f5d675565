package commit

import (
	"context"
	"database/sql"
	"errors"
)

// open begins a transaction for its caller and gives the function that ends it.
func (d *Desk) open(ctx context.Context) (tx *sql.Tx, end func(error) error, err error) {
	tx, err = d.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	end = func(cause error) error {
		if cause != nil {
			return errors.Join(cause, tx.Rollback())
		}
		return tx.Commit()
	}
	return tx, end, nil
}

// Buy publishes after the function that it was given has committed.
func (d *Desk) Buy(ctx context.Context, l Loan) error {
	tx, end, err := d.open(ctx)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO titles (id, title) VALUES ($1, $2)`, l.ID, l.Title)
	if err := end(err); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
}

// BuyRefused publishes after it has rolled back.
func (d *Desk) BuyRefused(ctx context.Context, l Loan) error {
	tx, end, err := d.open(ctx)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO titles (id, title) VALUES ($1, $2)`, l.ID, l.Title)
	if err := end(err); err != nil {
		return d.queue.WriteMessages(ctx, l.message())
	}
	return nil
}

// A visit is a transaction with a name.
type visit struct {
	tx *sql.Tx
}

func (d *Desk) visit(ctx context.Context) (*visit, error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &visit{tx: tx}, nil
}

func (v *visit) enter(ctx context.Context, l Loan) error {
	_, err := v.tx.ExecContext(ctx, `INSERT INTO visits (id, member) VALUES ($1, $2)`, l.ID, l.Member)
	return err
}

func (v *visit) record(ctx context.Context, l Loan) error {
	_, err := v.tx.ExecContext(ctx, `INSERT INTO loan_outbox (id, topic, payload) VALUES ($1, 'visits', $2)`, l.ID, l.Member)
	return err
}

func (v *visit) leave() error { return v.tx.Commit() }

func (v *visit) abandon() { _ = v.tx.Rollback() }

// Visit publishes before the visit is over.
func (d *Desk) Visit(ctx context.Context, l Loan) error {
	v, err := d.visit(ctx)
	if err != nil {
		return err
	}
	defer v.abandon()
	if err := v.enter(ctx, l); err != nil {
		return err
	}
	if err := d.queue.WriteMessages(ctx, l.message()); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return v.leave()
}

// VisitLater publishes when it is over.
func (d *Desk) VisitLater(ctx context.Context, l Loan) error {
	v, err := d.visit(ctx)
	if err != nil {
		return err
	}
	defer v.abandon()
	if err := v.enter(ctx, l); err != nil {
		return err
	}
	if err := v.leave(); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
}

// VisitRecorded keeps the event in the visit, and tells the queue at once as well.
func (d *Desk) VisitRecorded(ctx context.Context, l Loan) error {
	v, err := d.visit(ctx)
	if err != nil {
		return err
	}
	defer v.abandon()
	if err := v.enter(ctx, l); err != nil {
		return err
	}
	if err := v.record(ctx, l); err != nil {
		return err
	}
	if err := v.leave(); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message())
}

// Archive begins and commits through functions that return both of them: hands over its writes in a closure.
func (d *Desk) Archive(ctx context.Context, l Loan) error {
	tx, commit, rollback, err := d.triple(ctx)
	if err != nil {
		return err
	}
	defer rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE loans SET archived = true WHERE id = $1`, l.ID); err != nil {
		return err
	}
	if err := commit(); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
}

// ArchiveQuietly gives up before the commit.
func (d *Desk) ArchiveQuietly(ctx context.Context, l Loan) error {
	tx, _, rollback, err := d.triple(ctx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE loans SET archived = true WHERE id = $1`, l.ID); err != nil {
		return err
	}
	rollback()
	return d.queue.WriteMessages(ctx, l.message())
}

func (d *Desk) triple(ctx context.Context) (tx *sql.Tx, commit func() error, rollback func(), err error) {
	tx, err = d.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	return tx, tx.Commit, func() { _ = tx.Rollback() }, nil
}
