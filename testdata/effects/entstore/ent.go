// Package entstore writes with ent. The comment "effects:" of a function lists what is seen in it.
package entstore

import (
	"context"
	"errors"

	"dmlint.test/effects/ent"
	"dmlint.test/effects/ent/order"
)

// effects: write order update increment checked where(id)
func Add(ctx context.Context, c *ent.Client, id string, n int) error {
	return c.Order.UpdateOneID(id).AddBalance(n).Exec(ctx)
}

// effects: write order update increment guarded where(id,status)
func Guarded(ctx context.Context, c *ent.Client, id string, n int) error {
	_, err := c.Order.Update().Where(order.ID(id), order.StatusEQ("new")).SetStatus("paid").AddBalance(n).Save(ctx)
	return err
}

// effects: write order update guarded checked where(id,status)
func Checked(ctx context.Context, c *ent.Client, id string) error {
	n, err := c.Order.Update().Where(order.And(order.ID(id), order.StatusNEQ("paid"))).SetStatus("paid").Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("paid already")
	}
	return nil
}

// effects: write order update increment where(id,stock)
func Steps(ctx context.Context, c *ent.Client, id string, n int) error {
	update := c.Order.Update().Where(order.ID(id), order.StockGTE(n))
	update.AddBalance(n)
	return update.Exec(ctx)
}

// effects: write order update where(id)
func Edges(ctx context.Context, c *ent.Client, id string) error {
	return c.Order.Update().Where(order.ID(id)).AddItemIDs("a").Exec(ctx)
}

// effects: write order upsert conflict
func DoNothing(ctx context.Context, c *ent.Client, id string) error {
	return c.Order.Create().SetID(id).SetBalance(1).OnConflict().DoNothing().Exec(ctx)
}

// effects: write order upsert increment conflict
func Upsert(ctx context.Context, c *ent.Client, id string) error {
	return c.Order.Create().SetID(id).SetBalance(1).OnConflict().AddBalance(1).Exec(ctx)
}

// effects: read order exists where(id)
func Exist(ctx context.Context, c *ent.Client, id string) (bool, error) {
	return c.Order.Query().Where(order.ID(id)).Exist(ctx)
}

// effects: read order locks where(id)
func Locked(ctx context.Context, c *ent.Client, id string) (*ent.Order, error) {
	return c.Order.Query().Where(order.ID(id)).ForUpdate().Only(ctx)
}
