package guarded

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
)

// A Roster looks for what is there already by reading a list of it.
type Roster struct{ db *sql.DB }

func (r *Roster) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("seat", r.seat)
	mux.HandleFunc("seat-again", r.seatAgain)
	mux.HandleFunc("seat-any", r.seatAny)
}

func seats(ctx context.Context, tx *sql.Tx, guest string) (ids []string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM seats WHERE guest = $1 FOR UPDATE`, guest)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

const taking = `INSERT INTO seats (id, guest) VALUES ($1, $2)`

// seat takes one only where the guest has none.
func (r *Roster) seat(ctx context.Context, task *asynq.Task) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	guest := string(task.Payload())
	ids, err := seats(ctx, tx, guest)
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, taking, uuid.NewString(), guest); err != nil {
		return err
	}
	return tx.Commit()
}

// seatAgain takes another one where the guest has some: they are there the next time, too.
func (r *Roster) seatAgain(ctx context.Context, task *asynq.Task) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	guest := string(task.Payload())
	ids, err := seats(ctx, tx, guest)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, taking, uuid.NewString(), guest); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}

// seatAny takes one either way.
func (r *Roster) seatAny(ctx context.Context, task *asynq.Task) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	guest := string(task.Payload())
	ids, err := seats(ctx, tx, guest)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		guest += " (first)"
	}
	if _, err := tx.ExecContext(ctx, taking, uuid.NewString(), guest); err != nil { // want "increment/unguarded"
		return err
	}
	return tx.Commit()
}
