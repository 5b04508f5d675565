// Package brokers publishes once to each broker and queue, each time after a write.
package brokers

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/hibiken/asynq"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

// A Post office has a line to everyone.
type Post struct {
	db       *sql.DB
	kafka    *kafka.Writer
	producer sarama.SyncProducer
	channel  *amqp.Channel
	nats     *nats.Conn
	stream   jetstream.JetStream
	sns      *sns.Client
	sqs      *sqs.Client
	redis    *redis.Client
	tasks    *asynq.Client
}

func (p *Post) write(ctx context.Context, id string) error {
	_, err := p.db.ExecContext(ctx, `INSERT INTO letters (id) VALUES ($1)`, id)
	return err
}

// Kafka uses segmentio's client.
func (p *Post) Kafka(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.kafka.WriteMessages(ctx, kafka.Message{Key: []byte(id)}) // want "dualwrite/no-tx"
}

// Sarama uses IBM's.
func (p *Post) Sarama(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.producer.SendMessages([]*sarama.ProducerMessage{{Topic: "letters", Value: sarama.StringEncoder(id)}}) // want "dualwrite/no-tx"
}

// Rabbit uses the channel's older method.
func (p *Post) Rabbit(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.channel.Publish("letters", "new", false, false, amqp.Publishing{Body: []byte(id)}) // want "dualwrite/no-tx"
}

// Nats uses the core protocol.
func (p *Post) Nats(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.nats.PublishMsg(&nats.Msg{Subject: "letters", Data: []byte(id)}) // want "dualwrite/no-tx"
}

// JetStream uses the newer interface.
func (p *Post) JetStream(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	_, err := p.stream.Publish(ctx, "letters", []byte(id)) // want "dualwrite/no-tx"
	return err
}

// Topic publishes to SNS.
func (p *Post) Topic(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	_, err := p.sns.Publish(ctx, &sns.PublishInput{TopicArn: aws.String("letters"), Message: aws.String(id)}) // want "dualwrite/no-tx"
	return err
}

// Queue sends to SQS. The finding stands on the call's first line.
func (p *Post) Queue(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	_, err := p.sqs.SendMessage(ctx, &sqs.SendMessageInput{ // want "dualwrite/no-tx"
		QueueUrl:    aws.String("letters"),
		MessageBody: aws.String(id),
	})
	return err
}

// Stream appends to a stream of Redis.
func (p *Post) Stream(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.redis.XAdd(ctx, &redis.XAddArgs{Stream: "letters", Values: map[string]any{"id": id}}).Err() // want "dualwrite/no-tx"
}

// Task enqueues a task.
func (p *Post) Task(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	_, err := p.tasks.EnqueueContext(ctx, asynq.NewTask("letter", []byte(id))) // want "dualwrite/no-tx"
	return err
}

// Ping publishes to whoever listens now, which is often a wake-up.
func (p *Post) Ping(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.redis.Publish(ctx, "letters", id).Err() // want advice "dualwrite/no-tx"
}

// Cache fills a cache.
func (p *Post) Cache(ctx context.Context, id string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.redis.Set(ctx, "letter:"+id, id, 0).Err()
}

// Strange announces something that has nothing to do with what it has written.
func (p *Post) Strange(ctx context.Context, id, other string) error {
	if err := p.write(ctx, id); err != nil {
		return err
	}
	return p.kafka.WriteMessages(ctx, kafka.Message{Key: []byte(other)}) // want advice "dualwrite/no-tx"
}
