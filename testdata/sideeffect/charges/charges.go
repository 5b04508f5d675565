// Package charges moves money in the handlers of tasks.
package charges

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/paymentintent"
	"github.com/stripe/stripe-go/v82/refund"
)

type due struct {
	Bill, Customer string
	Cents          int64
}

func read(t *asynq.Task) (due, error) {
	var d due
	return d, json.Unmarshal(t.Payload(), &d)
}

// Worker has a method for each kind of task.
type Worker struct {
	db      *sql.DB
	cashier Cashier
}

// Routes registers the methods.
func Routes(mux *asynq.ServeMux, w *Worker) {
	mux.HandleFunc("bare", w.bare)
	mux.HandleFunc("keyed", w.keyed)
	mux.HandleFunc("literal", w.literal)
	mux.HandleFunc("fresh", w.fresh)
	mux.HandleFunc("clock", w.clock)
	mux.HandleFunc("digest", w.digest)
	mux.HandleFunc("two", w.two)
	mux.HandleFunc("deep", w.deep)
	mux.HandleFunc("deepkeyed", w.deepKeyed)
	mux.HandleFunc("guarded", w.guarded)
	mux.HandleFunc("captured", w.captured)
	mux.HandleFunc("handed", w.handed)
	mux.HandleFunc("handedfresh", w.handedFresh)
	mux.HandleFunc("closure", w.closure)
}

func (w *Worker) bare(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	_, err = paymentintent.New(paramsFor(d)) // want "sideeffect/no-key"
	return err
}

func paramsFor(d due) *stripe.PaymentIntentParams {
	return &stripe.PaymentIntentParams{Amount: stripe.Int64(d.Cents), Customer: stripe.String(d.Customer), Currency: stripe.String("eur")}
}

func (w *Worker) keyed(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	params := paramsFor(d)
	params.SetIdempotencyKey("bill-" + d.Bill)
	_, err = paymentintent.New(params)
	return err
}

func (w *Worker) literal(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	_, err = refund.New(&stripe.RefundParams{
		Params: stripe.Params{IdempotencyKey: stripe.String(d.Bill)},
		Amount: stripe.Int64(d.Cents),
	})
	return err
}

func (w *Worker) fresh(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	params := paramsFor(d)
	params.SetIdempotencyKey(uuid.NewString())
	_, err = paymentintent.New(params) // want "sideeffect/no-key"
	return err
}

func (w *Worker) clock(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	params := &stripe.RefundParams{Amount: stripe.Int64(d.Cents)}
	params.SetIdempotencyKey(stamped(d))
	_, err = refund.New(params) // want "sideeffect/no-key"
	return err
}

func stamped(d due) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s@%d", d.Bill, time.Now().Unix())))
	return hex.EncodeToString(sum[:])
}

func (w *Worker) digest(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	params := &stripe.RefundParams{Amount: stripe.Int64(d.Cents)}
	params.SetIdempotencyKey(summed(d))
	_, err = refund.New(params)
	return err
}

func summed(d due) string {
	sum := sha256.Sum256([]byte(d.Bill + d.Customer))
	return hex.EncodeToString(sum[:])
}

// two gives one call a key and the other none.
func (w *Worker) two(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	back := &stripe.RefundParams{Amount: stripe.Int64(d.Cents)}
	back.SetIdempotencyKey("back-" + d.Bill)
	if _, err := refund.New(back); err != nil {
		return err
	}
	again := &stripe.PaymentIntentParams{Amount: stripe.Int64(d.Cents)}
	_, err = paymentintent.New(again) // want "sideeffect/no-key"
	return err
}

// Cashier is implemented by the one below.
type Cashier interface {
	Charge(ctx context.Context, customer string, cents int64) error
	ChargeOnce(ctx context.Context, idempotencyKey, customer string, cents int64) error
}

type stripeCashier struct{}

// NewWorker makes a worker with the real cashier.
func NewWorker(db *sql.DB) *Worker { return &Worker{db: db, cashier: stripeCashier{}} }

func (stripeCashier) Charge(ctx context.Context, customer string, cents int64) error {
	return submit(&stripe.PaymentIntentParams{Customer: stripe.String(customer), Amount: stripe.Int64(cents)}) // want "sideeffect/no-key"
}

func (stripeCashier) ChargeOnce(ctx context.Context, idempotencyKey, customer string, cents int64) error {
	params := &stripe.PaymentIntentParams{Customer: stripe.String(customer), Amount: stripe.Int64(cents)}
	params.IdempotencyKey = &idempotencyKey
	return submit(params)
}

func submit(params *stripe.PaymentIntentParams) error {
	_, err := paymentintent.New(params)
	return err
}

func (w *Worker) deep(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	return w.cashier.Charge(ctx, d.Customer, d.Cents)
}

func (w *Worker) deepKeyed(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	return w.cashier.ChargeOnce(ctx, d.Bill, d.Customer, d.Cents)
}

func (w *Worker) handed(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	return withKey(d.Bill, d)
}

func (w *Worker) handedFresh(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	return withFreshKey(uuid.NewString(), d) // want "sideeffect/no-key"
}

func withKey(key string, d due) error {
	params := paramsFor(d)
	params.SetIdempotencyKey("charge:" + key)
	return submit(params)
}

func withFreshKey(key string, d due) error {
	params := paramsFor(d)
	params.SetIdempotencyKey("charge:" + key)
	return submit(params)
}

// guarded asks first: the charge only doubles where the process dies before the record.
func (w *Worker) guarded(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	var status string
	if err := w.db.QueryRowContext(ctx, `SELECT status FROM bills WHERE id = $1`, d.Bill).Scan(&status); err != nil {
		return err
	}
	if status == "paid" {
		return nil
	}
	if _, err := paymentintent.New(paramsFor(d)); err != nil { // want advice "sideeffect/no-key"
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE bills SET status = 'paid' WHERE id = $1`, d.Bill)
	return err
}

// captured is refused by the other side when it comes again.
func (w *Worker) captured(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	_, err = paymentintent.Capture(d.Bill, nil)
	return err
}

func (w *Worker) closure(ctx context.Context, t *asynq.Task) error {
	d, err := read(t)
	if err != nil {
		return err
	}
	return retry(func() error {
		_, err := paymentintent.New(paramsFor(d)) // want "sideeffect/no-key"
		return err
	})
}

func retry(f func() error) error {
	var err error
	for range 3 {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}

// Pay serves a request: nobody delivers it again.
func Pay(w http.ResponseWriter, r *http.Request) {
	if _, err := paymentintent.New(paramsFor(due{Bill: r.FormValue("bill")})); err != nil {
		http.Error(w, "pay", http.StatusBadGateway)
	}
}
