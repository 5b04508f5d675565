package reread

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/hibiken/asynq"
)

// A Trip knows the seats that were booked for it.
type Trip struct {
	ID      string
	SeatIDs []string
	Changes []string
	marked  []string
}

type Desk struct{ db *sql.DB }

func (k *Desk) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("listed", k.listed)
	mux.HandleFunc("passed-over", k.passedOver)
	mux.HandleFunc("listed-once", k.listedOnce)
	mux.HandleFunc("all-listed-once", k.allListedOnce)
	mux.HandleFunc("changed", k.changed)
}

func (k *Desk) update(ctx context.Context, id string, change func(t Trip) (Trip, error)) error {
	var text []byte
	if err := k.db.QueryRowContext(ctx, `SELECT body FROM trips WHERE id = $1`, id).Scan(&text); err != nil {
		return err
	}
	var t Trip
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	t, err := change(t)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(t); err != nil {
		return err
	}
	_, err = k.db.ExecContext(ctx, `UPDATE trips SET body = $2 WHERE id = $1`, id, text)
	return err
}

func (k *Desk) listed(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return k.update(ctx, d.Account, func(t Trip) (Trip, error) {
		t.SeatIDs = append(t.SeatIDs, d.ID) // want "increment/unguarded"
		return t, nil
	})
}

// passedOver means to leave out what is there, but only goes on to the next one.
func (k *Desk) passedOver(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return k.update(ctx, d.Account, func(t Trip) (Trip, error) {
		for _, id := range t.SeatIDs {
			if id == d.ID {
				continue
			}
		}
		t.SeatIDs = append(t.SeatIDs, d.ID) // want "increment/unguarded"
		return t, nil
	})
}

func (k *Desk) listedOnce(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return k.update(ctx, d.Account, func(t Trip) (Trip, error) {
		if slices.Contains(t.SeatIDs, d.ID) {
			return t, nil
		}
		t.SeatIDs = append(t.SeatIDs, d.ID)
		return t, nil
	})
}

func (k *Desk) allListedOnce(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return k.update(ctx, d.Account, func(t Trip) (Trip, error) {
		for _, id := range []string{d.ID, d.Account} {
			if slices.Contains(t.SeatIDs, id) {
				continue
			}
			t.SeatIDs = append(t.SeatIDs, id)
		}
		return t, nil
	})
}

// changed gathers what is no list of IDs.
func (k *Desk) changed(ctx context.Context, task *asynq.Task) error {
	d, err := parse(task)
	if err != nil {
		return err
	}
	return k.update(ctx, d.Account, func(t Trip) (Trip, error) {
		t.Changes = append(t.Changes, "booked")
		t.marked = append(t.marked, d.ID)
		return t, nil
	})
}
