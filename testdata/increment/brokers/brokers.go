// Package brokers takes messages from many brokers. What each does is done twice with a message that comes again, and
// once where an inbox stands before it. More brokers are in the other packages.
package brokers

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/segmentio/kafka-go"
)

type Bank struct{ db *sql.DB }

// once adds to a balance once for each message.
func (b *Bank) once(ctx context.Context, id, account string) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, account); err != nil {
		return err
	}
	return tx.Commit()
}

type claims struct{ *Bank }

func (claims) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (claims) Cleanup(sarama.ConsumerGroupSession) error { return nil }
func (b claims) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value)); err != nil { // want "increment/unguarded"
			return err
		}
		session.MarkMessage(m, "")
	}
	return nil
}

type careful struct{ *Bank }

func (careful) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (careful) Cleanup(sarama.ConsumerGroupSession) error { return nil }
func (b careful) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		if err := b.once(session.Context(), string(m.Key), string(m.Value)); err != nil {
			return err
		}
		session.MarkMessage(m, "")
	}
	return nil
}

func (b *Bank) Join(ctx context.Context, one, two sarama.ConsumerGroup) error {
	if err := one.Consume(ctx, []string{"credits"}, claims{b}); err != nil {
		return err
	}
	return two.Consume(ctx, []string{"credits"}, careful{b})
}

func (b *Bank) Fetch(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Value)); err != nil { // want "increment/unguarded"
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (b *Bank) Deliveries(ctx context.Context, deliveries <-chan amqp.Delivery) error {
	for d := range deliveries {
		if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, d.RoutingKey); err != nil { // want "increment/unguarded"
			return err
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bank) NATS(ctx context.Context, nc *nats.Conn) error {
	_, err := nc.QueueSubscribe("credits", "bank", func(m *nats.Msg) {
		if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Data)); err != nil { // want "increment/unguarded"
			_ = m.Nak()
		}
	})
	return err
}

func (b *Bank) JetStream(ctx context.Context, c jetstream.Consumer) error {
	_, err := c.Consume(func(m jetstream.Msg) {
		if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, string(m.Data())); err != nil { // want "increment/unguarded"
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	})
	return err
}

func (b *Bank) Lambda() { lambda.Start(b.batch) }

func (b *Bank) batch(ctx context.Context, e events.SQSEvent) error {
	for _, r := range e.Records {
		if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, r.Body); err != nil { // want "increment/unguarded"
			return err
		}
	}
	return nil
}

func (b *Bank) Poll(ctx context.Context, client *sqs.Client, queue string) error {
	for {
		out, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &queue})
		if err != nil {
			return err
		}
		for _, m := range out.Messages {
			if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, *m.Body); err != nil { // want "increment/unguarded"
				return err
			}
			if _, err := client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &queue, ReceiptHandle: m.ReceiptHandle}); err != nil {
				return err
			}
		}
	}
}

// Declared is called by something that has no model.
//
//dmlint:handler
func (b *Bank) Declared(ctx context.Context, id, account string) error {
	if _, err := b.db.Exec(`UPDATE accounts SET balance = balance + 1 WHERE id = $1`, account); err != nil { // want "increment/unguarded"
		return err
	}
	return nil
}

func (b *Bank) FetchOnce(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := b.once(ctx, string(m.Key), string(m.Value)); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (b *Bank) DeliveriesOnce(ctx context.Context, deliveries <-chan amqp.Delivery) error {
	for d := range deliveries {
		if err := b.once(ctx, d.MessageId, d.RoutingKey); err != nil {
			return err
		}
		if err := d.Ack(false); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bank) NATSOnce(ctx context.Context, nc *nats.Conn) error {
	_, err := nc.QueueSubscribe("credits", "bank", func(m *nats.Msg) {
		if err := b.once(ctx, m.Header.Get(nats.MsgIdHdr), string(m.Data)); err != nil {
			_ = m.Nak()
		}
	})
	return err
}

func (b *Bank) JetStreamOnce(ctx context.Context, c jetstream.Consumer) error {
	_, err := c.Consume(func(m jetstream.Msg) {
		if err := b.once(ctx, m.Headers().Get(nats.MsgIdHdr), string(m.Data())); err != nil {
			_ = m.Nak()
			return
		}
		_ = m.Ack()
	})
	return err
}

func (b *Bank) LambdaOnce() { lambda.Start(b.batchOnce) }

func (b *Bank) batchOnce(ctx context.Context, e events.SQSEvent) error {
	for _, r := range e.Records {
		if err := b.once(ctx, r.MessageId, r.Body); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bank) PollOnce(ctx context.Context, client *sqs.Client, queue string) error {
	for {
		out, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &queue})
		if err != nil {
			return err
		}
		for _, m := range out.Messages {
			if err := b.once(ctx, *m.MessageId, *m.Body); err != nil {
				return err
			}
			if _, err := client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &queue, ReceiptHandle: m.ReceiptHandle}); err != nil {
				return err
			}
		}
	}
}

// DeclaredOnce is called by something that has no model.
//
//dmlint:handler
func (b *Bank) DeclaredOnce(ctx context.Context, id, account string) error {
	if err := b.once(ctx, id, account); err != nil {
		return err
	}
	return nil
}
