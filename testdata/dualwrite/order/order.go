// Package order holds writes and publishes in more orders than one.
package order

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// A Task is something to be done.
type Task struct {
	ID, Owner string
}

// A Crew does tasks.
type Crew struct {
	db    *sql.DB
	queue *kafka.Writer
}

func (c *Crew) tell(ctx context.Context, t Task) error {
	return c.queue.WriteMessages(ctx, kafka.Message{Key: []byte(t.ID), Value: []byte(t.Owner)})
}

func (c *Crew) assign(ctx context.Context, t Task) error {
	_, err := c.db.ExecContext(ctx, `UPDATE tasks SET owner = $2 WHERE id = $1`, t.ID, t.Owner)
	return err
}

func (c *Crew) owner(ctx context.Context, t Task) (owner string, err error) {
	return owner, c.db.QueryRowContext(ctx, `SELECT owner FROM tasks WHERE id = $1`, t.ID).Scan(&owner)
}

// WriteFirst loses the event when it dies in between.
func (c *Crew) WriteFirst(ctx context.Context, t Task) error {
	if err := c.assign(ctx, t); err != nil {
		return err
	}
	return c.tell(ctx, t) // want "dualwrite/no-tx"
}

// PublishFirst tells of what may never happen.
func (c *Crew) PublishFirst(ctx context.Context, t Task) error {
	if err := c.tell(ctx, t); err != nil { // want "dualwrite/before-write"
		return err
	}
	return c.assign(ctx, t)
}

// Between does both: it is said once.
func (c *Crew) Between(ctx context.Context, t Task) error {
	if err := c.assign(ctx, t); err != nil {
		return err
	}
	if err := c.tell(ctx, t); err != nil { // want "dualwrite/no-tx"
		return err
	}
	_, err := c.db.ExecContext(ctx, `UPDATE tasks SET told = true WHERE id = $1`, t.ID)
	return err
}

// OnlyReads has nothing to announce.
func (c *Crew) OnlyReads(ctx context.Context, t Task) (err error) {
	if t.Owner, err = c.owner(ctx, t); err != nil {
		return err
	}
	if err := c.tell(ctx, t); err != nil {
		return err
	}
	_, err = c.owner(ctx, t)
	return err
}

// OnlyPublishes hands over what it was asked to hand over.
func (c *Crew) OnlyPublishes(ctx context.Context, t, u Task) error {
	if err := c.tell(ctx, t); err != nil {
		return err
	}
	return c.tell(ctx, u)
}

// Branches writes in one branch and publishes in the other.
func (c *Crew) Branches(ctx context.Context, t Task) error {
	if t.Owner == "" {
		return c.tell(ctx, t)
	}
	return c.assign(ctx, t)
}

// Rounds publishes what it writes in the next round: neither round has both.
func (c *Crew) Rounds(ctx context.Context, ts []Task) error {
	for i, t := range ts {
		if i%2 == 0 {
			if err := c.tell(ctx, t); err != nil {
				return err
			}
		} else if err := c.assign(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// Hand takes a task off the table once it has been handed on: a crash in between hands it on again.
func (c *Crew) Hand(ctx context.Context, t Task) error {
	if err := c.tell(ctx, t); err != nil {
		return err
	}
	_, err := c.db.ExecContext(ctx, `DELETE FROM tasks WHERE id = $1`, t.ID)
	return err
}

// Cancel deletes what it has told everyone is deleted.
func (c *Crew) Cancel(ctx context.Context, t Task) error {
	if err := c.tell(ctx, t); err != nil { // want "dualwrite/before-write"
		return err
	}
	_, err := c.db.ExecContext(ctx, `DELETE FROM tasks WHERE id = $1`, t.ID)
	return err
}

// logged has a small window of its own.
func (c *Crew) logged(ctx context.Context, t Task) error {
	if _, err := c.db.ExecContext(ctx, `INSERT INTO crew_log (task) VALUES ($1)`, t.ID); err != nil {
		return err
	}
	return c.tell(ctx, t) // want "dualwrite/no-tx"
}

// Promote has a large one, which the small one does not hide.
func (c *Crew) Promote(ctx context.Context, t Task) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE crew SET lead = $1`, t.Owner); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return c.logged(ctx, t) // want "dualwrite/after-commit"
}

// Ask calls it with nothing committed.
func (c *Crew) Ask(ctx context.Context, t Task) error {
	if _, err := c.owner(ctx, t); err != nil {
		return err
	}
	return c.logged(ctx, t)
}

// Recognise only notes that it has seen a message, which is nothing that anybody announces.
func (c *Crew) Recognise(ctx context.Context, t Task) error {
	if _, err := c.db.ExecContext(ctx, `INSERT INTO processed_messages (id) VALUES ($1)`, t.ID); err != nil {
		return err
	}
	return c.tell(ctx, t)
}
