// Package generated has code that a generator wrote and code that uses it.
package generated

import "context"

// Add is written by hand.
func (q *Queries) Add(ctx context.Context, id string) error {
	if _, err := q.AddStamp(ctx, id); err != nil {
		return err
	}
	return q.conn.Publish("stamps", []byte(id)) // want "dualwrite/no-tx"
}

// Get is as well.
func (q *Queries) Get(ctx context.Context, id string) error {
	if _, err := q.GetStamp(ctx, id); err != nil {
		return err
	}
	return q.conn.Publish("stamps", []byte(id))
}
