// Package sqltext holds the ways in which code gets at the text of a statement. Each pair runs a statement that writes
// and one that does not, and publishes.
package sqltext

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/Masterminds/squirrel"
	"github.com/segmentio/kafka-go"
)

// A Probe measures.
type Probe struct {
	db    *sql.DB
	put   *sql.Stmt
	get   *sql.Stmt
	queue *kafka.Writer
	table string
}

// NewProbe prepares statements.
func NewProbe(db *sql.DB, queue *kafka.Writer) (p *Probe, err error) {
	p = &Probe{db: db, queue: queue, table: readings}
	if p.put, err = db.Prepare(insertReading); err != nil {
		return nil, err
	}
	if p.get, err = db.Prepare(selectReading); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Probe) publish(ctx context.Context, sensor string) error {
	return p.queue.WriteMessages(ctx, kafka.Message{Key: []byte(sensor)})
}

// Constant uses a constant of another file.
func (p *Probe) Constant(ctx context.Context, sensor string, value int) error {
	if _, err := p.db.ExecContext(ctx, insertReading, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// ConstantRead has one that reads and only talks of writing.
func (p *Probe) ConstantRead(ctx context.Context, sensor string) error {
	if _, err := p.db.ExecContext(ctx, selectReading, sensor); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// Format fills a table's name in.
func (p *Probe) Format(ctx context.Context, sensor string, value int) error {
	query := fmt.Sprintf("INSERT INTO %s (%s) VALUES ($1, $2)", p.table, columns)
	if _, err := p.db.ExecContext(ctx, query, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// FormatRead reads.
func (p *Probe) FormatRead(ctx context.Context, sensor string) error {
	query := fmt.Sprintf("SELECT %s FROM %s WHERE sensor = $1", columns, p.table)
	if _, err := p.db.ExecContext(ctx, query, sensor); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// Concatenate puts pieces together on the way.
func (p *Probe) Concatenate(ctx context.Context, sensor string, value int, old bool) error {
	query := "update " + readings + " set value = $2"
	if old {
		query += ", stale = true"
	}
	query += " where sensor = $1"
	if _, err := p.db.ExecContext(ctx, query, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// ConcatenateRead reads.
func (p *Probe) ConcatenateRead(ctx context.Context, sensor string, old bool) error {
	query := "select value from " + readings + " where sensor = $1"
	if old {
		query += " and stale"
	}
	if _, err := p.db.ExecContext(ctx, query, sensor); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// Initialised uses a package variable.
func (p *Probe) Initialised(ctx context.Context, sensor string, value int) error {
	if _, err := p.db.ExecContext(ctx, joined, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// Embedded uses a file.
func (p *Probe) Embedded(ctx context.Context, sensor string, value int) error {
	if _, err := p.db.ExecContext(ctx, embeddedInsert, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// EmbeddedRead uses one that reads.
func (p *Probe) EmbeddedRead(ctx context.Context, sensor string) error {
	if _, err := p.db.ExecContext(ctx, embeddedSelect, sensor); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// run is given its text.
func (p *Probe) run(ctx context.Context, query string, args ...any) error {
	_, err := p.db.ExecContext(ctx, query, args...)
	return err
}

// Handed hands it to a helper.
func (p *Probe) Handed(ctx context.Context, sensor string, value int) error {
	if err := p.run(ctx, insertReading, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// HandedRead hands one over that reads.
func (p *Probe) HandedRead(ctx context.Context, sensor string) error {
	if err := p.run(ctx, selectReading, sensor); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// Prepared executes a statement that was prepared long ago.
func (p *Probe) Prepared(ctx context.Context, sensor string, value int) error {
	if _, err := p.put.ExecContext(ctx, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// PreparedRead executes one that reads.
func (p *Probe) PreparedRead(ctx context.Context, sensor string) error {
	if _, err := p.get.ExecContext(ctx, sensor); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// PreparedHere prepares and executes in one function.
func (p *Probe) PreparedHere(ctx context.Context, sensor string, value int) error {
	stmt, err := p.db.PrepareContext(ctx, insertReading)
	if err != nil {
		return err
	}
	defer stmt.Close()
	if _, err := stmt.ExecContext(ctx, sensor, value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// Returning writes through a query.
func (p *Probe) Returning(ctx context.Context, sensor string) (n int, err error) {
	row := p.db.QueryRowContext(ctx, `UPDATE readings SET value = value + 1 WHERE sensor = $1 RETURNING value`, sensor)
	if err := row.Scan(&n); err != nil {
		return 0, err
	}
	return n, p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// With writes in a common table expression.
func (p *Probe) With(ctx context.Context, sensor string, value int) error {
	if err := p.db.QueryRowContext(ctx, withInsert, sensor, value).Scan(&value); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// WithRead reads in one.
func (p *Probe) WithRead(ctx context.Context, sensor string) (value int, err error) {
	if err := p.db.QueryRowContext(ctx, withSelect, sensor).Scan(&value); err != nil {
		return 0, err
	}
	return value, p.publish(ctx, sensor)
}

// Built uses a strings.Builder.
func (p *Probe) Built(ctx context.Context, sensors []string) error {
	var b strings.Builder
	b.WriteString("DELETE FROM readings WHERE sensor IN (")
	for i := range sensors {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	b.WriteString(")")
	args := make([]any, len(sensors))
	for i, s := range sensors {
		args[i] = s
	}
	if _, err := p.db.ExecContext(ctx, b.String(), args...); err != nil {
		return err
	}
	return p.publish(ctx, sensors[0]) // want "dualwrite/no-tx"
}

// Squirrel gets its text from a builder.
func (p *Probe) Squirrel(ctx context.Context, sensor string, value int) error {
	query, args, err := squirrel.Insert(readings).Columns("sensor", "value").Values(sensor, value).ToSql()
	if err != nil {
		return err
	}
	if _, err := p.db.ExecContext(ctx, query, args...); err != nil {
		return err
	}
	return p.publish(ctx, sensor) // want "dualwrite/no-tx"
}

// SquirrelRead reads.
func (p *Probe) SquirrelRead(ctx context.Context, sensor string) error {
	query, args, err := squirrel.Select("value").From(readings).Where(squirrel.Eq{"sensor": sensor}).ToSql()
	if err != nil {
		return err
	}
	if _, err := p.db.ExecContext(ctx, query, args...); err != nil {
		return err
	}
	return p.publish(ctx, sensor)
}

// SquirrelRuns lets the builder run its statement in a transaction.
func (p *Probe) SquirrelRuns(ctx context.Context, sensor string, value int) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	update := squirrel.Update(readings).Set("value", value).Where(squirrel.Eq{"sensor": sensor})
	if _, err := update.RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	if err := p.publish(ctx, sensor); err != nil { // want "dualwrite/inside-tx"
		return err
	}
	return tx.Commit()
}

// SquirrelRecorded runs an outbox row in it as well.
func (p *Probe) SquirrelRecorded(ctx context.Context, sensor string, value int) error {
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	update := squirrel.Update(readings).Set("value", value).Where(squirrel.Eq{"sensor": sensor})
	if _, err := update.RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	event := squirrel.Insert("probe_outbox").Columns("id", "payload").Values(sensor, value)
	if _, err := event.RunWith(tx).ExecContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
