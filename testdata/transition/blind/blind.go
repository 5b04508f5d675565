// Package blind assigns states out of messages.
package blind

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/hibiken/asynq"
	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

// A Report says how far an order is.
type Report struct {
	Order, Status, City, State string
	Version                    int64
}

type Desk struct {
	db  *sql.DB
	orm *gorm.DB
}

func decode(m kafka.Message) (r Report, err error) {
	err = json.Unmarshal(m.Value, &r)
	return r, err
}

// Assign takes every word of the message for the truth.
//
//dmlint:handler
func (d *Desk) Assign(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = $2, updated_at = now() WHERE id = $1`, r.Order, r.Status) // want advice "transition/blind-assign"
	return err
}

// Deep hands the state down to a helper that others use, too.
//
//dmlint:handler
func (d *Desk) Deep(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	return d.put(ctx, r.Order, r.Status) // want advice "transition/blind-assign"
}

func (d *Desk) put(ctx context.Context, id, status string) error {
	_, err := d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, id, status)
	return err
}

// Request is no message: put is right for it.
func (d *Desk) Request(ctx context.Context, id, status string) error { return d.put(ctx, id, status) }

// Upsert overwrites the row that is there.
//
//dmlint:handler
func (d *Desk) Upsert(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `INSERT INTO shipments (id, status) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET status = excluded.status`, r.Order, r.Status) // want advice "transition/blind-assign"
	return err
}

// UpsertNewer does so only for a newer one.
//
//dmlint:handler
func (d *Desk) UpsertNewer(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `INSERT INTO shipments (id, status, version) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET status = excluded.status, version = excluded.version WHERE shipments.version < excluded.version`, r.Order, r.Status, r.Version)
	return err
}

type Order struct {
	ID      string
	Status  string
	Version int64
}

// ByORM says it to gorm.
//
//dmlint:handler
func (d *Desk) ByORM(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	return d.orm.WithContext(ctx).Model(&Order{}).Where("id = ?", r.Order).Updates(map[string]any{"status": r.Status}).Error // want advice "transition/blind-assign"
}

// ByORMFrom names the state that it may follow.
//
//dmlint:handler
func (d *Desk) ByORMFrom(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	return d.orm.WithContext(ctx).Model(&Order{}).Where("id = ? AND status = ?", r.Order, "open").Updates(map[string]any{"status": r.Status}).Error
}

// From names it in SQL.
//
//dmlint:handler
func (d *Desk) From(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1 AND status IN ('open', 'paid')`, r.Order, r.Status)
	return err
}

// Newer compares versions.
//
//dmlint:handler
func (d *Desk) Newer(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = $2, version = $3 WHERE id = $1 AND version < $3`, r.Order, r.Status, r.Version)
	return err
}

// Read looks at the row first.
//
//dmlint:handler
func (d *Desk) Read(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	var status string
	if err := d.db.QueryRowContext(ctx, `SELECT status FROM orders WHERE id = $1 FOR UPDATE`, r.Order).Scan(&status); err != nil {
		return err
	}
	if status == "done" {
		return nil
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, r.Order, r.Status)
	return err
}

// ReadBelow has a method of the row decide.
//
//dmlint:handler
func (d *Desk) ReadBelow(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	o, err := d.find(ctx, r.Order)
	if err != nil {
		return err
	}
	if err := o.moveTo(r.Status); err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, o.ID, o.Status)
	return err
}

func (d *Desk) find(ctx context.Context, id string) (*Order, error) {
	o := &Order{ID: id}
	err := d.db.QueryRowContext(ctx, `SELECT status FROM orders WHERE id = $1`, id).Scan(&o.Status)
	return o, err
}

var next = map[string]string{"open": "paid", "paid": "sent"}

func (o *Order) moveTo(status string) error {
	if next[o.Status] != status {
		return errors.New("out of order")
	}
	o.Status = status
	return nil
}

// Asked has the message's state decide which events there are, and still asks for nothing that is stored.
//
//dmlint:handler
func (d *Desk) Asked(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil || r.Status == "" {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, r.Order, r.Status) // want advice "transition/blind-assign"
	return err
}

// Place has a state in its address.
//
//dmlint:handler
func (d *Desk) Place(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE customers SET city = $2, state = $3 WHERE id = $1`, r.Order, r.City, r.State)
	return err
}

// Book keeps books of what was taken in.
//
//dmlint:handler
func (d *Desk) Book(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, `UPDATE incoming_messages SET status = $2 WHERE id = $1`, r.Order, r.Status)
	return err
}

// Work is a job.
func (d *Desk) Work(ctx context.Context, t *asynq.Task) error {
	var r Report
	if err := json.Unmarshal(t.Payload(), &r); err != nil {
		return err
	}
	_, err := d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, r.Order, r.Status)
	return err
}

// A GatewayResponse is what another service answers.
type GatewayResponse struct{ Status string }

// Fetched stores how things are now.
//
//dmlint:handler
func (d *Desk) Fetched(ctx context.Context, m kafka.Message, ask func(id string) []byte) error {
	var res GatewayResponse
	if err := json.Unmarshal(ask(string(m.Key)), &res); err != nil {
		return err
	}
	_, err := d.db.ExecContext(ctx, `UPDATE orders SET status = $2 WHERE id = $1`, string(m.Key), res.Status)
	return err
}

// SetStatusParams are the arguments of a query.
type SetStatusParams struct{ ID, Status string }

func (d *Desk) setStatus(ctx context.Context, p SetStatusParams) error {
	_, err := d.db.ExecContext(ctx, `UPDATE invoices SET status = $2 WHERE id = $1`, p.ID, p.Status)
	return err
}

// ByParams puts the state into a struct of parameters.
//
//dmlint:handler
func (d *Desk) ByParams(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	return d.setStatus(ctx, SetStatusParams{ID: r.Order, Status: r.Status}) // want advice "transition/blind-assign"
}

// ByModel hands gorm a model.
//
//dmlint:handler
func (d *Desk) ByModel(ctx context.Context, m kafka.Message) error {
	r, err := decode(m)
	if err != nil {
		return err
	}
	return d.orm.Where("id = ?", r.Order).Updates(&Order{Status: r.Status}).Error // want advice "transition/blind-assign"
}

// Same has one type for the message and the row.
//
//dmlint:handler
func (d *Desk) Same(ctx context.Context, m kafka.Message) error {
	var o Order
	if err := json.Unmarshal(m.Value, &o); err != nil {
		return err
	}
	var old Order
	if err := d.orm.First(&old, "id = ?", o.ID).Error; err != nil {
		return err
	}
	if old.Status == "done" {
		return nil
	}
	return d.orm.Save(&o).Error
}

// SameUnasked does not look at what it has.
//
//dmlint:handler
func (d *Desk) SameUnasked(ctx context.Context, m kafka.Message) error {
	var o Order
	if err := json.Unmarshal(m.Value, &o); err != nil {
		return err
	}
	return d.orm.Model(&Order{}).Where("id = ?", o.ID).Update("status", o.Status).Error // want advice "transition/blind-assign"
}
