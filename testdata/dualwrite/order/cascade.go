package order

import "context"

// settle has a window of its own, on one of its paths.
func (c *Crew) settle(ctx context.Context, t Task, owner string) error {
	if owner != t.Owner {
		t.Owner = owner
		if err := c.assign(ctx, t); err != nil {
			return err
		}
	}
	return c.tell(ctx, t) // want "dualwrite/no-tx"
}

// AssignSettle assigns one task and settles another: what is told there is not the first one's news.
func (c *Crew) AssignSettle(ctx context.Context, t, u Task) error {
	if err := c.assign(ctx, t); err != nil {
		return err
	}
	return c.settle(ctx, u, t.Owner) // want advice "dualwrite/no-tx"
}

// SettleTwice settles two.
func (c *Crew) SettleTwice(ctx context.Context, t, u Task) error {
	if err := c.settle(ctx, t, u.Owner); err != nil { // want advice "dualwrite/before-write"
		return err
	}
	return c.settle(ctx, u, t.Owner)
}

// SettleAssign assigns after it has settled.
func (c *Crew) SettleAssign(ctx context.Context, t Task) error {
	if err := c.settle(ctx, t, "nobody"); err != nil { // want advice "dualwrite/before-write"
		return err
	}
	return c.assign(ctx, t)
}

// closes has none: it tells only where it has been told to, and whoever has not told it to tells by themselves.
func (c *Crew) closes(ctx context.Context, t Task) error {
	_, err := c.db.ExecContext(ctx, `UPDATE tasks SET closed = true WHERE id = $1`, t.ID)
	return err
}

// AssignClose announces the second of two writes, and the first with it.
func (c *Crew) AssignClose(ctx context.Context, t Task) error {
	if err := c.assign(ctx, t); err != nil {
		return err
	}
	if err := c.closes(ctx, t); err != nil {
		return err
	}
	return c.tell(ctx, t) // want "dualwrite/no-tx"
}

// Inline settles in a closure, which is no operation apart.
func (c *Crew) Inline(ctx context.Context, t Task, owner string) error {
	settle := func() error {
		if owner != t.Owner {
			if err := c.assign(ctx, t); err != nil {
				return err
			}
			return c.tell(ctx, t) // want "dualwrite/no-tx"
		}
		return c.closes(ctx, t)
	}
	if err := settle(); err != nil {
		return err
	}
	return c.tell(ctx, t) // want "dualwrite/no-tx"
}
