// Package alarms has handlers that tell people, and one that asks a partner.
package alarms

import (
	"bytes"
	"context"
	"net/http"

	"github.com/hibiken/asynq"

	opsLog "dmlint.test/sideeffect/opslog"
)

// Routes registers the handlers.
func Routes(mux *asynq.ServeMux) {
	mux.HandleFunc("alarm", alarm)
	mux.HandleFunc("order", order)
}

func alarm(_ context.Context, t *asynq.Task) error {
	opsLog.Alarm(string(t.Payload()))
	return nil
}

func order(_ context.Context, t *asynq.Task) error {
	resp, err := http.Post("https://partner.example/orders", "text/plain", bytes.NewReader(t.Payload())) // want advice "sideeffect/no-key"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
