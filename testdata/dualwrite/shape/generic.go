// Package shape holds what the language offers to hide a call: type parameters, embedding, method values, recursion,
// iterators.
package shape

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// A Tree is planted.
type Tree struct {
	ID, Kind string
}

// Key implements keyed.
func (t Tree) Key() string { return t.ID }

type keyed interface{ Key() string }

// table stores things of any kind.
type table[T keyed] struct {
	db   *sql.DB
	name string
}

func (t *table[T]) put(ctx context.Context, x T) error {
	_, err := t.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (id) VALUES ($1)`, t.name), x.Key())
	return err
}

func (t *table[T]) find(ctx context.Context, key string) (x T, err error) {
	return x, t.db.QueryRowContext(ctx, fmt.Sprintf(`SELECT id FROM %s WHERE id = $1`, t.name), key).Scan(&x)
}

// topic publishes things of any kind.
type topic[T keyed] struct {
	writer *kafka.Writer
}

func (t topic[T]) send(ctx context.Context, x T) error {
	return t.writer.WriteMessages(ctx, kafka.Message{Key: []byte(x.Key())})
}

// A Nursery grows trees.
type Nursery struct {
	trees table[Tree]
	topic topic[Tree]
}

// Plant goes through two generic types.
func (n *Nursery) Plant(ctx context.Context, t Tree) error {
	if err := n.trees.put(ctx, t); err != nil {
		return err
	}
	return n.topic.send(ctx, t) // want "dualwrite/no-tx"
}

// Show only reads.
func (n *Nursery) Show(ctx context.Context, key string) error {
	t, err := n.trees.find(ctx, key)
	if err != nil {
		return err
	}
	return n.topic.send(ctx, t)
}

// saver and sender are the constraints of a generic function.
type saver interface {
	save(ctx context.Context, t Tree) error
}

type sender interface {
	emit(ctx context.Context, t Tree) error
}

type grove struct{ db *sql.DB }

func (g grove) save(ctx context.Context, t Tree) error {
	_, err := g.db.ExecContext(ctx, `INSERT INTO groves (id, kind) VALUES ($1, $2)`, t.ID, t.Kind)
	return err
}

type horn struct{ writer *kafka.Writer }

func (h horn) emit(ctx context.Context, t Tree) error {
	return h.writer.WriteMessages(ctx, kafka.Message{Key: []byte(t.ID)})
}

// plant calls the methods of its type parameters.
func plant[S saver, E sender](ctx context.Context, s S, e E, t Tree) error {
	if err := s.save(ctx, t); err != nil {
		return err
	}
	return e.emit(ctx, t) // want "dualwrite/no-tx"
}

// Constrained instantiates it.
func Constrained(ctx context.Context, db *sql.DB, w *kafka.Writer, t Tree) error {
	return plant(ctx, grove{db}, horn{w}, t)
}

// both calls a function of any kind and then another one.
func both[T any](ctx context.Context, x T, first, second func(context.Context, T) error) error {
	if err := first(ctx, x); err != nil {
		return err
	}
	return second(ctx, x) // want "dualwrite/no-tx"
}

// Both hands method values to a generic function, which is where the two meet.
func (n *Nursery) Both(ctx context.Context, t Tree) error {
	return both(ctx, t, n.trees.put, n.topic.send)
}

// BothReading hands over one that reads.
func (n *Nursery) BothReading(ctx context.Context, t Tree) error {
	look := func(ctx context.Context, t Tree) error {
		_, err := n.trees.find(ctx, t.ID)
		return err
	}
	return both(ctx, t, look, n.topic.send)
}
