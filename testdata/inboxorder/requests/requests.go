// Package requests has webhooks: who keeps a record of them is asked how, though no message is handled.
package requests

import (
	"context"
	"database/sql"
	"net/http"
)

type API struct{ db *sql.DB }

func (a *API) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /hook", a.hook)
	mux.HandleFunc("POST /hook/once", a.hookOnce)
	mux.HandleFunc("POST /charge", a.charge)
	mux.HandleFunc("POST /credit", a.credit)
	mux.HandleFunc("POST /open", a.open)
}

func answer(w http.ResponseWriter, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (a *API) hook(w http.ResponseWriter, r *http.Request) {
	answer(w, a.apply(r.Context(), r.Header.Get("Event-Id")))
}

func (a *API) apply(ctx context.Context, id string) error {
	res, err := a.db.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id) // want "inboxorder/record-outside"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = a.db.ExecContext(ctx, `UPDATE totals SET paid = paid + 1`)
	return err
}

func (a *API) hookOnce(w http.ResponseWriter, r *http.Request) {
	answer(w, a.applyOnce(r.Context(), r.Header.Get("Event-Id")))
}

func (a *API) applyOnce(ctx context.Context, id string) error {
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE totals SET paid = paid + 1`); err != nil {
		return err
	}
	return tx.Commit()
}

// charge is asked for by a client of ours, whose mistakes are not those of a broker.
func (a *API) charge(w http.ResponseWriter, r *http.Request) {
	answer(w, a.chargeOnce(r.Context(), r.Header.Get("Idempotency-Key")))
}

func (a *API) chargeOnce(ctx context.Context, key string) error {
	res, err := a.db.ExecContext(ctx, `INSERT INTO charges (idempotency_key) VALUES ($1) ON CONFLICT DO NOTHING`, key)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = a.db.ExecContext(ctx, `UPDATE totals SET charged = charged + 1`)
	return err
}

// credit keeps no record: it is asked for once for each time that it is meant.
func (a *API) credit(w http.ResponseWriter, r *http.Request) {
	_, err := a.db.ExecContext(r.Context(), `UPDATE totals SET credits = credits + 1`)
	answer(w, err)
}

// open only makes sure that a name is free.
func (a *API) open(w http.ResponseWriter, r *http.Request) {
	var taken bool
	err := a.db.QueryRowContext(r.Context(), `SELECT EXISTS (SELECT 1 FROM users WHERE name = $1)`, r.FormValue("name")).Scan(&taken)
	if err != nil || taken {
		answer(w, err)
		return
	}
	_, err = a.db.ExecContext(r.Context(), `INSERT INTO users (name) VALUES ($1)`, r.FormValue("name"))
	answer(w, err)
}
