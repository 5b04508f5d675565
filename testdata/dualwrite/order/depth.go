package order

import "context"

// The publish is five calls away from near and eight from far.
func (c *Crew) far(ctx context.Context, t Task) error    { return c.remote(ctx, t) }
func (c *Crew) remote(ctx context.Context, t Task) error { return c.over(ctx, t) }
func (c *Crew) over(ctx context.Context, t Task) error   { return c.near(ctx, t) }
func (c *Crew) near(ctx context.Context, t Task) error   { return c.next(ctx, t) }
func (c *Crew) next(ctx context.Context, t Task) error   { return c.close(ctx, t) }
func (c *Crew) close(ctx context.Context, t Task) error  { return c.here(ctx, t) }
func (c *Crew) here(ctx context.Context, t Task) error   { return c.tell(ctx, t) }

// Near is one unit of work.
func (c *Crew) Near(ctx context.Context, t Task) error {
	if err := c.assign(ctx, t); err != nil {
		return err
	}
	return c.near(ctx, t) // want "dualwrite/no-tx"
}

// Far is likely more than one.
func (c *Crew) Far(ctx context.Context, t Task) error {
	if err := c.assign(ctx, t); err != nil {
		return err
	}
	return c.far(ctx, t) // want advice "dualwrite/no-tx"
}

// Nowhere does not get there.
func (c *Crew) Nowhere(ctx context.Context, t Task) error {
	if err := c.far(ctx, t); err != nil {
		return err
	}
	_, err := c.owner(ctx, t)
	return err
}
