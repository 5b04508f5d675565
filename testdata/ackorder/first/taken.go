package first

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// A Mailbox gives messages to whoever asks.
type Mailbox struct {
	client *sqs.Client
	url    *string
}

// One deletes a message before its caller has it.
func (m *Mailbox) One(ctx context.Context) (*types.Message, error) {
	out, err := m.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: m.url})
	if err != nil || len(out.Messages) == 0 {
		return nil, err
	}
	got := out.Messages[0]
	if _, err := m.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: m.url, ReceiptHandle: got.ReceiptHandle}); err != nil { // want advice "ackorder/ack-first"
		return nil, err
	}
	return &got, nil
}

// Peek leaves that to its caller.
func (m *Mailbox) Peek(ctx context.Context) (*types.Message, error) {
	out, err := m.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: m.url})
	if err != nil || len(out.Messages) == 0 {
		return nil, err
	}
	return &out.Messages[0], nil
}

// Readable deletes what is empty, and looks for the next one.
func (m *Mailbox) Readable(ctx context.Context) (*types.Message, error) {
	for {
		out, err := m.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: m.url})
		if err != nil {
			return nil, err
		}
		for _, got := range out.Messages {
			if got.Body != nil {
				return &got, nil
			}
			if _, err := m.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: m.url, ReceiptHandle: got.ReceiptHandle}); err != nil {
				return nil, err
			}
		}
	}
}

// Drained deletes what it could not use and says so.
func (m *Mailbox) Drained(ctx context.Context) (*types.Message, error) {
	out, err := m.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: m.url})
	if err != nil || len(out.Messages) == 0 {
		return nil, err
	}
	got := out.Messages[0]
	if got.Body == nil {
		if _, err := m.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: m.url, ReceiptHandle: got.ReceiptHandle}); err != nil {
			return nil, err
		}
		return nil, nil
	}
	return &got, nil
}
