// Package poisoned has a queue for what fails.
package poisoned

import (
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
)

func Subscribe(router *message.Router, db sql.Beginner, pub message.Publisher) error {
	poison, err := middleware.PoisonQueue(pub, "poison")
	if err != nil {
		return err
	}
	router.AddMiddleware(poison, middleware.Retry{MaxRetries: 3}.Middleware)
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
