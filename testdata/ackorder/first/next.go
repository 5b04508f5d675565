package first

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// next confirms a message before its caller has seen it.
func (t *tracker) next(ctx context.Context) (kafka.Message, error) {
	m, err := t.reader.FetchMessage(ctx)
	if err != nil {
		return m, err
	}
	if err := t.reader.CommitMessages(ctx, m); err != nil { // want "ackorder/ack-first"
		return m, err
	}
	return m, nil
}

func (t *tracker) pull(ctx context.Context) error {
	for {
		m, err := t.next(ctx)
		if err != nil {
			return err
		}
		p, err := decode(m.Value)
		if err != nil {
			continue
		}
		if err := t.depot.move(ctx, p); err != nil {
			return err
		}
	}
}

// taken leaves that to its caller.
func (t *tracker) taken(ctx context.Context) (kafka.Message, error) {
	return t.reader.FetchMessage(ctx)
}

func (t *tracker) pullAndConfirm(ctx context.Context) error {
	for {
		m, err := t.taken(ctx)
		if err != nil {
			return err
		}
		p, err := decode(m.Value)
		if err == nil {
			if err := t.depot.move(ctx, p); err != nil {
				return err
			}
		}
		if err := t.done(ctx, m); err != nil {
			return err
		}
	}
}
