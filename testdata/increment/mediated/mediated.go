// Package mediated sends commands to whoever handles their type: a mediator stands between a message and the change.
package mediated

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/mehdihadeli/go-mediatr"
	amqp "github.com/rabbitmq/amqp091-go"

	"dmlint.test/increment/mediated/orders"
)

type event struct {
	ID, Article string
	Pieces      int64
}

type Consumer struct{}

func (Consumer) Placed(ctx context.Context, d amqp.Delivery) error {
	var e event
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	_, err := mediatr.Send[*orders.Place, *mediatr.Unit](ctx, orders.NewPlace(e.ID, e.Article))
	return err
}

func (Consumer) Booked(ctx context.Context, d amqp.Delivery) error {
	var e event
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	_, err := mediatr.Send[orders.Book, *mediatr.Unit](ctx, orders.Book{ID: e.ID, Article: e.Article})
	return err
}

func (Consumer) Renamed(ctx context.Context, d amqp.Delivery) error {
	var e event
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	_, err := mediatr.Send[*orders.Rename, *mediatr.Unit](ctx, &orders.Rename{ID: e.ID, Article: e.Article})
	return err
}

// Sold tells all that listen.
func (Consumer) Sold(ctx context.Context, d amqp.Delivery) error {
	var e event
	if err := json.Unmarshal(d.Body, &e); err != nil {
		return err
	}
	return mediatr.Publish(ctx, &orders.Sold{Article: e.Article, Pieces: e.Pieces})
}

// Moved goes through a function of the program's own, in which the type that is sent is not known.
func (Consumer) Moved(ctx context.Context, d amqp.Delivery) error {
	return forward(ctx, &orders.Restock{Article: d.RoutingKey, Pieces: 1})
}

func forward[C any](ctx context.Context, command C) error {
	_, err := mediatr.Send[C, *mediatr.Unit](ctx, command)
	return err
}

// ServeHTTP is no message: the same request is another order.
func (Consumer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, err := mediatr.Send[*orders.Restock, *mediatr.Unit](r.Context(), &orders.Restock{Article: r.FormValue("article"), Pieces: 10})
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}
