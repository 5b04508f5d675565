// Package layered has a relay that knows its store and its broker by interfaces.
package layered

import (
	"context"
	"time"
)

type Event struct {
	ID   string
	Body []byte
}

type Store interface {
	Next(ctx context.Context, n int) ([]Event, error)
	Done(ctx context.Context, ids []string) error
}

type Tx interface {
	Within(ctx context.Context, f func(ctx context.Context) error) error
}

type Bus interface {
	Emit(ctx context.Context, e Event) error
}

type Relay struct {
	Store Store
	Bus   Bus
}

func (r *Relay) Run(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			_ = r.round(ctx)
		}
	}
}

func (r *Relay) round(ctx context.Context) error {
	events, err := r.Store.Next(ctx, 10)
	if err != nil {
		return err
	}
	var ids []string
	for _, e := range events {
		if err := r.Bus.Emit(ctx, e); err != nil {
			break
		}
		ids = append(ids, e.ID)
	}
	return r.Store.Done(ctx, ids)
}
