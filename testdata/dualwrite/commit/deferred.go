package commit

import (
	"context"
	"database/sql"
	"fmt"
)

// Renew ends its transaction in a deferred function that looks at the named result; the event leaves before that.
func (d *Desk) Renew(ctx context.Context, l Loan) (err error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	if _, err = tx.ExecContext(ctx, `UPDATE cards SET renewed = now() WHERE member = $1`, l.Member); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/inside-tx"
}

// RenewRecorded does the same with a row.
func (d *Desk) RenewRecorded(ctx context.Context, l Loan) (err error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	if _, err = tx.ExecContext(ctx, `UPDATE cards SET renewed = now() WHERE member = $1`, l.Member); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO loan_outbox (id, topic, payload) VALUES ($1, 'cards', $2)`, l.ID, l.Member)
	return err
}

// Upgrade defers the publish before the commit, and so runs it after that.
func (d *Desk) Upgrade(ctx context.Context, l Loan) (err error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			err = d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
		}
	}()
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	_, err = tx.ExecContext(ctx, `UPDATE cards SET grade = 'gold' WHERE member = $1`, l.Member)
	return err
}

// UpgradeRefused publishes only when the transaction has been rolled back.
func (d *Desk) UpgradeRefused(ctx context.Context, l Loan) (err error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = d.queue.WriteMessages(ctx, l.message())
		}
	}()
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	_, err = tx.ExecContext(ctx, `UPDATE cards SET grade = 'gold' WHERE member = $1`, l.Member)
	return err
}

// Block publishes after a panic, which has rolled everything back.
func (d *Desk) Block(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback()
			_ = d.queue.WriteMessages(ctx, l.message())
		}
	}()
	if _, err := tx.ExecContext(ctx, `UPDATE cards SET blocked = true WHERE member = $1`, l.Member); err != nil {
		return err
	}
	return tx.Commit()
}

// Unblock publishes where nothing has panicked.
func (d *Desk) Unblock(ctx context.Context, l Loan) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback()
			return
		}
		_ = d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
	}()
	if _, err := tx.ExecContext(ctx, `UPDATE cards SET blocked = false WHERE member = $1`, l.Member); err != nil {
		return err
	}
	return tx.Commit()
}

// conclude commits or rolls back as the error behind its argument says.
func conclude(tx *sql.Tx, err *error) {
	if *err != nil {
		_ = tx.Rollback()
		return
	}
	if cerr := tx.Commit(); cerr != nil {
		*err = fmt.Errorf("commit: %w", cerr)
	}
}

func (d *Desk) stamp(ctx context.Context, l Loan) (err error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer conclude(tx, &err)
	_, err = tx.ExecContext(ctx, `UPDATE cards SET stamped = now() WHERE member = $1`, l.Member)
	return err
}

// Stamp publishes after its helper has committed.
func (d *Desk) Stamp(ctx context.Context, l Loan) error {
	if err := d.stamp(ctx, l); err != nil {
		return err
	}
	return d.queue.WriteMessages(ctx, l.message()) // want "dualwrite/after-commit"
}

// StampRefused publishes after its helper has rolled back.
func (d *Desk) StampRefused(ctx context.Context, l Loan) error {
	if err := d.stamp(ctx, l); err != nil {
		return d.queue.WriteMessages(ctx, l.message())
	}
	return nil
}
