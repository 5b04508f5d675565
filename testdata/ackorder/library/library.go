// Package library has handlers whose return confirms the message.
package library

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/hibiken/asynq"
	"github.com/nats-io/nats.go"
)

type stock struct{ db *sql.DB }

func (s *stock) take(ctx context.Context, body []byte) error {
	_, err := s.db.ExecContext(ctx, `UPDATE stock SET reserved = $1`, body)
	return err
}

func (s *stock) routes(r *message.Router, sub message.Subscriber) {
	r.AddNoPublisherHandler("a", "stock", sub, func(m *message.Message) error {
		if err := s.take(m.Context(), m.Payload); err != nil { // want "ackorder/swallowed-error"
			log.Print(err)
		}
		return nil
	})
	r.AddNoPublisherHandler("b", "stock", sub, func(m *message.Message) error {
		if err := s.take(m.Context(), m.Payload); err != nil {
			log.Print(err)
			return err
		}
		return nil
	})
	r.AddNoPublisherHandler("c", "stock", sub, func(m *message.Message) error {
		go s.later(context.Background(), m.Payload) // want "ackorder/ack-first"
		return nil
	})
	r.AddNoPublisherHandler("d", "stock", sub, func(m *message.Message) error {
		done := make(chan error, 1)
		go func() { done <- s.take(m.Context(), m.Payload) }()
		return <-done
	})
	r.AddNoPublisherHandler("e", "stock", sub, func(m *message.Message) error {
		go log.Printf("%s", m.Payload)
		return s.take(m.Context(), m.Payload)
	})
}

func (s *stock) later(ctx context.Context, body []byte) {
	if err := s.take(ctx, body); err != nil { // want "ackorder/swallowed-error"
		log.Print(err)
	}
}

func (s *stock) batch(ctx context.Context, e events.SQSEvent) error {
	for _, r := range e.Records {
		if err := s.take(ctx, []byte(r.Body)); err != nil { // want "ackorder/swallowed-error"
			log.Print(err)
			continue
		}
	}
	return nil
}

func (s *stock) partial(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
	var out events.SQSEventResponse
	for _, r := range e.Records {
		if err := s.take(ctx, []byte(r.Body)); err != nil {
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
		}
	}
	return out, nil
}

func (s *stock) joined(ctx context.Context, e events.SQSEvent) error {
	var errs []error
	for _, r := range e.Records {
		if err := s.take(ctx, []byte(r.Body)); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func start(s *stock) {
	lambda.Start(s.batch)
	lambda.Start(s.partial)
	lambda.Start(s.joined)
}

func (s *stock) tasks(mux *asynq.ServeMux) {
	mux.HandleFunc("take", func(ctx context.Context, t *asynq.Task) error {
		s.later(ctx, t.Payload())
		return nil
	})
	mux.HandleFunc("give", func(ctx context.Context, t *asynq.Task) error { return s.take(ctx, t.Payload()) })
}

func (s *stock) listen(js nats.JetStreamContext) error {
	_, err := js.Subscribe("stock", func(m *nats.Msg) {
		if err := s.take(context.Background(), m.Data); err != nil { // want "ackorder/swallowed-error"
			log.Print(err)
		}
	})
	return err
}

func (s *stock) listenManually(js nats.JetStreamContext) error {
	_, err := js.Subscribe("stock", func(m *nats.Msg) {
		if err := s.take(context.Background(), m.Data); err != nil {
			log.Print(err)
			return
		}
		m.Ack()
	}, nats.ManualAck())
	return err
}
