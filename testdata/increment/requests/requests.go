// Package requests does what message handlers do, for whoever asks by HTTP: who asks twice means it twice.
package requests

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

type API struct {
	db  *sql.DB
	rdb *redis.Client
}

func (a *API) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /credit/{id}", a.credit)
	mux.HandleFunc("POST /account", a.open)
}

func (a *API) credit(w http.ResponseWriter, r *http.Request) {
	if err := a.add(r.Context(), r.PathValue("id")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (a *API) add(ctx context.Context, id string) error {
	if _, err := a.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, id); err != nil {
		return err
	}
	return a.rdb.Incr(ctx, "credits:"+id).Err()
}

func (a *API) open(w http.ResponseWriter, r *http.Request) {
	_, err := a.db.ExecContext(r.Context(), `INSERT INTO accounts (id, owner) VALUES ($1, $2)`, uuid.NewString(), r.FormValue("owner"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
