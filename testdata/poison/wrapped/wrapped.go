// Package wrapped has a middleware of its own that drops what cannot be decoded.
package wrapped

import (
	"encoding/json"
	"errors"

	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
)

func drop(next message.HandlerFunc) message.HandlerFunc {
	return func(m *message.Message) ([]*message.Message, error) {
		out, err := next(m)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, nil
		}
		return out, err
	}
}

func Subscribe(router *message.Router, db sql.Beginner) error {
	router.AddMiddleware(drop)
	sub, err := sql.NewSubscriber(db, sql.SubscriberConfig{}, nil)
	if err != nil {
		return err
	}
	router.AddNoPublisherHandler("names", "names", sub, handle)
	return nil
}

func handle(m *message.Message) error {
	var name string
	if err := json.Unmarshal(m.Payload, &name); err != nil {
		return err
	}
	return nil
}
