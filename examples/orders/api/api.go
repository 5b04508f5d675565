// Package api serves the use cases over HTTP.
package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"example.com/orders/store"
)

// Orders are the use cases.
type Orders interface {
	Place(ctx context.Context, o store.Order) error
	Cancel(ctx context.Context, id string) error
	Ship(ctx context.Context, id, carrier string) error
}

// Handler routes requests to the use cases.
func Handler(orders Orders) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		o := store.Order{}
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		o.ID = r.PathValue("id")
		answer(w, r, orders.Place(r.Context(), o))
	})
	mux.HandleFunc("POST /orders/{id}/cancel", func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, orders.Cancel(r.Context(), r.PathValue("id")))
	})
	mux.HandleFunc("POST /orders/{id}/ship", func(w http.ResponseWriter, r *http.Request) {
		answer(w, r, orders.Ship(r.Context(), r.PathValue("id"), r.FormValue("carrier")))
	})
	return mux
}

func answer(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.Is(err, store.ErrNotOpen):
		http.Error(w, err.Error(), http.StatusConflict)
	default:
		slog.ErrorContext(r.Context(), "request failed", "path", r.URL.Path, "err", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}
