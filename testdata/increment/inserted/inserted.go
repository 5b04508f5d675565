// Package inserted inserts rows under keys that are made on the spot, made by the database, or taken from the message.
// schema.sql defines some of the tables.
package inserted

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid/v2"
	"github.com/riverqueue/river"
)

type Deposit struct {
	ID, Account string
	Amount      int64
}

func (Deposit) Kind() string { return "deposit" }

type Worker struct {
	river.WorkerDefaults[Deposit]
	pool *pgxpool.Pool
}

func Register(ws *river.Workers, pool *pgxpool.Pool) { river.AddWorker(ws, &Worker{pool: pool}) }

func (w *Worker) Work(ctx context.Context, job *river.Job[Deposit]) error {
	d := job.Args
	for _, do := range []func(context.Context, Deposit) error{w.freshID, w.freshULID, w.passed, w.either} {
		if err := do(ctx, d); err != nil {
			return err
		}
	}
	if err := w.unknownTable(ctx, d); err != nil {
		return err
	}
	if err := w.serial(ctx, d); err != nil {
		return err
	}
	return w.fine(ctx, d)
}

func (w *Worker) freshID(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO fees (id, deposit_id, amount) VALUES ($1, $2, $3)`, uuid.New(), d.ID, d.Amount) // want "increment/unguarded"
	return err
}

func (w *Worker) freshULID(ctx context.Context, d Deposit) error {
	id := ulid.Make().String()
	_, err := w.pool.Exec(ctx, `INSERT INTO unknown_fees (id, deposit_id, amount) VALUES ($1, $2, $3)`, id, d.ID, d.Amount) // want "increment/unguarded"
	return err
}

// passed makes the key in one function and inserts it in another.
func (w *Worker) passed(ctx context.Context, d Deposit) error {
	return w.insert(ctx, newFee(d))
}

type fee struct {
	ID, DepositID string
	Amount        int64
}

func newFee(d Deposit) fee { return fee{ID: uuid.NewString(), DepositID: d.ID, Amount: d.Amount} }

func (w *Worker) insert(ctx context.Context, f fee) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO fees (id, deposit_id, amount) VALUES ($1, $2, $3)`, f.ID, f.DepositID, f.Amount) // want "increment/unguarded"
	return err
}

// either makes the key on both ways.
func (w *Worker) either(ctx context.Context, d Deposit) error {
	id := ulid.Make().String()
	if d.Amount < 0 {
		id = uuid.NewString()
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO fees (id, deposit_id, amount) VALUES ($1, $2, $3)`, id, d.ID, d.Amount) // want "increment/unguarded"
	return err
}

// serial has a table whose only key the database makes.
func (w *Worker) serial(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO charges (account, amount) VALUES ($1, $2)`, d.Account, d.Amount) // want "increment/unguarded"
	return err
}

// unknownTable may have a key somewhere.
func (w *Worker) unknownTable(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO letters (account, amount) VALUES ($1, $2)`, d.Account, d.Amount) // want advice "increment/unkeyed-insert"
	return err
}

// fine is what hits a row that is there, or is only a line in a trail.
func (w *Worker) fine(ctx context.Context, d Deposit) error {
	for _, do := range []func(context.Context, Deposit) error{w.natural, w.declared, w.conflict, w.upsert, w.derived, w.given, w.absent, w.trail, w.failed} {
		if err := do(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) natural(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO bookings (id, amount) VALUES ($1, $2)`, d.ID, d.Amount)
	return err
}

// declared relies on the unique key that schema.sql shows.
func (w *Worker) declared(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO receipts (deposit_id, amount) VALUES ($1, $2)`, d.ID, d.Amount)
	return err
}

func (w *Worker) conflict(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO notes (deposit_id, amount) VALUES ($1, $2) ON CONFLICT (deposit_id) DO NOTHING`, d.ID, d.Amount)
	return err
}

func (w *Worker) upsert(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO profiles (account, last_amount) VALUES ($1, $2) ON CONFLICT (account) DO UPDATE SET last_amount = EXCLUDED.last_amount`, d.Account, d.Amount)
	return err
}

// derived makes the same UUID of the same message.
func (w *Worker) derived(ctx context.Context, d Deposit) error {
	id := uuid.NewSHA1(uuid.NameSpaceOID, []byte(d.ID))
	_, err := w.pool.Exec(ctx, `INSERT INTO vouchers (id, amount) VALUES ($1, $2)`, id, d.Amount)
	return err
}

// given makes a key only where the message has none.
func (w *Worker) given(ctx context.Context, d Deposit) error {
	id := d.ID
	if id == "" {
		id = uuid.NewString()
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO fees (id, deposit_id, amount) VALUES ($1, $2, $3)`, id, d.ID, d.Amount)
	return err
}

// absent looks for the row in the statement itself.
func (w *Worker) absent(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO fees (id, deposit_id, amount)
		SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM fees WHERE deposit_id = $2)`, uuid.New(), d.ID, d.Amount)
	return err
}

func (w *Worker) trail(ctx context.Context, d Deposit) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = w.pool.Exec(ctx, `INSERT INTO audit_log (line) VALUES ($1)`, text)
	return err
}

// failed notes for whoever reads on what went wrong.
func (w *Worker) failed(ctx context.Context, d Deposit) error {
	_, err := w.pool.Exec(ctx, `INSERT INTO delivery_failures (account, reason) VALUES ($1, $2)`, d.Account, "unreachable")
	return err
}
