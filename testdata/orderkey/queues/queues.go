// Package queues publishes to queues of AWS.
package queues

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"
)

type taken struct {
	ParcelID, Body string
}

// Gate takes parcels in.
type Gate struct {
	q   *sqs.Client
	url *string
}

func (g *Gate) random(ctx context.Context, t taken) error {
	_, err := g.q.SendMessage(ctx, &sqs.SendMessageInput{ // want advice "orderkey/missing"
		QueueUrl: g.url, MessageBody: &t.Body, MessageGroupId: aws.String(uuid.NewString()),
	})
	return err
}

func (g *Gate) grouped(ctx context.Context, t taken) error {
	_, err := g.q.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: g.url, MessageBody: &t.Body, MessageGroupId: &t.ParcelID})
	return err
}

// single puts all in order.
func (g *Gate) single(ctx context.Context, t taken) error {
	_, err := g.q.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: g.url, MessageBody: &t.ParcelID, MessageGroupId: aws.String("gate")})
	return err
}

// standard goes to a queue without groups.
func (g *Gate) standard(ctx context.Context, t taken) error {
	_, err := g.q.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: g.url, MessageBody: &t.ParcelID})
	return err
}

func (g *Gate) batch(ctx context.Context, ts []taken) error {
	var entries []types.SendMessageBatchRequestEntry
	for _, t := range ts {
		entries = append(entries, types.SendMessageBatchRequestEntry{MessageBody: &t.Body, MessageGroupId: aws.String(uuid.NewString())})
	}
	_, err := g.q.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: g.url, Entries: entries}) // want advice "orderkey/missing"
	return err
}
