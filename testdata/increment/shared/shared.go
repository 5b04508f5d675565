// Package shared has a message and a request do the same work: the message's call of it is what is wrong.
package shared

import (
	"context"
	"net/http"

	"github.com/hibiken/asynq"

	"dmlint.test/increment/shared/letters"
)

type writer interface {
	Write(ctx context.Context, customer, text string) error
}

type Desk struct {
	letters writer
	service *letters.Service
}

func New(s *letters.Service) *Desk { return &Desk{letters: s, service: s} }

func (k *Desk) Register(mux *asynq.ServeMux) {
	mux.HandleFunc("written", k.written)
	mux.HandleFunc("reminded", k.reminded)
}

func (k *Desk) written(ctx context.Context, t *asynq.Task) error {
	return k.letters.Write(ctx, string(t.Payload()), "thank you") // want "increment/unguarded"
}

func (k *Desk) reminded(ctx context.Context, t *asynq.Task) error {
	return k.service.Remind(ctx, string(t.Payload()))
}

func (k *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := k.letters.Write(r.Context(), r.FormValue("customer"), r.FormValue("text")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
