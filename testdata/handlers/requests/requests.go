// Package requests holds entry points that no message leads to.
package requests

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

type API struct{ db *sql.DB }

func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.save(r.Context(), r.URL.Path) }

func (a *API) Routes(mux *http.ServeMux) {
	mux.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) { a.save(r.Context(), r.URL.Path) })
	mux.Handle("/", a)
}

func (a *API) Every(ctx context.Context) {
	time.AfterFunc(time.Hour, func() { a.save(ctx, "hourly") })
	for range time.Tick(time.Minute) {
		a.save(ctx, "tick")
	}
}

// Work of the program's own is no message of a broker's.
func (a *API) Queue(ctx context.Context, ids <-chan string) {
	for id := range ids {
		a.save(ctx, id)
	}
}

func (a *API) save(ctx context.Context, id string) {
	_, _ = a.db.ExecContext(ctx, `INSERT INTO calls (id) VALUES ($1)`, id)
}
