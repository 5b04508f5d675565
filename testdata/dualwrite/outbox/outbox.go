// Package outbox holds events that are written down in the transaction of the change, in every form.
package outbox

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/segmentio/kafka-go"
)

// A Meter counts what a household uses.
type Meter struct {
	ID, Household string
	Units         int
}

// A Grid has meters.
type Grid struct {
	db    *sql.DB
	other *sql.DB
	queue *kafka.Writer
}

// NewGrid makes a grid of two databases.
func NewGrid(db, other *sql.DB, queue *kafka.Writer) *Grid {
	return &Grid{db: db, other: other, queue: queue}
}

func (g *Grid) send(ctx context.Context, m Meter) error {
	return g.queue.WriteMessages(ctx, kafka.Message{Key: []byte(m.ID), Value: []byte(m.Household)})
}

func (g *Grid) install(ctx context.Context, tx *sql.Tx, m Meter) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO meters (id, household) VALUES ($1, $2)`, m.ID, m.Household)
	return err
}

// Install has a row beside the change; the publish is only the fast path.
func (g *Grid) Install(ctx context.Context, m Meter) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := g.install(ctx, tx, m); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO grid_outbox (id, payload) VALUES ($1, $2)`, m.ID, m.Household); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return g.send(ctx, m)
}

// InstallAudited has a row that nobody reads.
func (g *Grid) InstallAudited(ctx context.Context, m Meter) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := g.install(ctx, tx, m); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO grid_audit (id, household) VALUES ($1, $2)`, m.ID, m.Household); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return g.send(ctx, m) // want "dualwrite/after-commit"
}

// InstallLearned has a row of a table whose name says nothing: a relay in another package reads it.
func (g *Grid) InstallLearned(ctx context.Context, m Meter) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := g.install(ctx, tx, m); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO grid_news (id, body) VALUES ($1, $2)`, m.ID, m.Household); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return g.send(ctx, m)
}

// InstallApart writes the row when the transaction is over: a crash in between loses it.
func (g *Grid) InstallApart(ctx context.Context, m Meter) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := g.install(ctx, tx, m); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = g.db.ExecContext(ctx, `INSERT INTO grid_outbox (id, payload) VALUES ($1, $2)`, m.ID, m.Household) // want "dualwrite/after-commit"
	return err
}

// InstallElsewhere writes it to another database, which no transaction covers.
func (g *Grid) InstallElsewhere(ctx context.Context, m Meter) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := g.install(ctx, tx, m); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = g.other.ExecContext(ctx, `INSERT INTO grid_outbox (id, payload) VALUES ($1, $2)`, m.ID, m.Household) // want "dualwrite/after-commit"
	return err
}

// Read has no transaction at all around its two statements.
func (g *Grid) Read(ctx context.Context, m Meter) error {
	if _, err := g.db.ExecContext(ctx, `UPDATE meters SET units = $2 WHERE id = $1`, m.ID, m.Units); err != nil {
		return err
	}
	_, err := g.db.ExecContext(ctx, `INSERT INTO grid_outbox (id, payload) VALUES ($1, $2)`, m.ID, m.Household) // want "dualwrite/no-tx"
	return err
}

// ReadAtOnce writes both in one statement.
func (g *Grid) ReadAtOnce(ctx context.Context, m Meter) error {
	_, err := g.db.ExecContext(ctx, `
		WITH changed AS (UPDATE meters SET units = $2 WHERE id = $1 RETURNING id)
		INSERT INTO grid_outbox (id, payload) SELECT id, $3 FROM changed`, m.ID, m.Units, m.Household)
	return err
}

// Events is an outbox behind an interface: what takes a transaction is no broker.
type Events interface {
	Publish(ctx context.Context, tx *sql.Tx, m Meter) error
}

type table struct{}

// NewEvents makes the outbox.
func NewEvents() Events { return table{} }

func (table) Publish(ctx context.Context, tx *sql.Tx, m Meter) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO grid_outbox (id, payload) VALUES ($1, $2)`, m.ID, m.Household)
	return err
}

// Move publishes, by name, through the transaction.
func (g *Grid) Move(ctx context.Context, events Events, m Meter) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := g.install(ctx, tx, m); err != nil {
		return err
	}
	if err := events.Publish(ctx, tx, m); err != nil {
		return err
	}
	return tx.Commit()
}

// ReadingArgs are a job of River's.
type ReadingArgs struct {
	Meter string `json:"meter"`
}

// Kind implements river.JobArgs.
func (ReadingArgs) Kind() string { return "reading" }

// A Plant uses River and PostgreSQL's notifications.
type Plant struct {
	pool *pgxpool.Pool
	jobs *river.Client[pgx.Tx]
}

// Schedule inserts a job through its own connection.
func (p *Plant) Schedule(ctx context.Context, m Meter) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE plants SET meter = $1`, m.ID); err != nil {
			return err
		}
		_, err := p.jobs.Insert(ctx, ReadingArgs{Meter: m.ID}, nil) // want "dualwrite/inside-tx"
		return err
	})
}

// ScheduleRecorded inserts it through the transaction.
func (p *Plant) ScheduleRecorded(ctx context.Context, m Meter) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE plants SET meter = $1`, m.ID); err != nil {
			return err
		}
		_, err := p.jobs.InsertTx(ctx, tx, ReadingArgs{Meter: m.ID}, nil)
		return err
	})
}

// Signal notifies through the pool while the change may still be taken back.
func (p *Plant) Signal(ctx context.Context, m Meter) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE plants SET meter = $1`, m.ID); err != nil {
			return err
		}
		_, err := p.pool.Exec(ctx, `SELECT pg_notify('plants', $1)`, m.ID) // want "dualwrite/inside-tx"
		return err
	})
}

// SignalRecorded notifies through the transaction: PostgreSQL delivers it at the commit.
func (p *Plant) SignalRecorded(ctx context.Context, m Meter) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE plants SET meter = $1`, m.ID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `SELECT pg_notify('plants', $1)`, m.ID)
		return err
	})
}
