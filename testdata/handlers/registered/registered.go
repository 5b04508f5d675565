// Package registered holds handlers that a library is given: functions, methods, closures and objects.
package registered

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/hibiken/asynq"
	"github.com/nats-io/nats.go"
	"github.com/nsqio/go-nsq"
	"github.com/riverqueue/river"
	"go.temporal.io/sdk/worker"
)

type Shop struct{ db *sql.DB }

func (s *Shop) book(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO bookings (id) VALUES ($1)`, id)
	return err
}

// A method value, a closure, and a closure that a constructor makes.
func (s *Shop) Tasks(mux *asynq.ServeMux) {
	mux.HandleFunc("paid", s.paid)
	mux.HandleFunc("sent", func(ctx context.Context, t *asynq.Task) error { return s.book(ctx, t.Type()) }) // handler: registered with asynq.(*ServeMux).HandleFunc at 30
	mux.HandleFunc("lost", newLost(s))
	mux.Handle("found", &found{s})
	mux.Handle("kept", asynq.HandlerFunc(s.kept))
	mux.Use(logged)
}

func (s *Shop) paid(ctx context.Context, t *asynq.Task) error { return s.book(ctx, t.Type()) } // handler: registered with asynq.(*ServeMux).HandleFunc at 29

func newLost(s *Shop) func(context.Context, *asynq.Task) error {
	return func(ctx context.Context, t *asynq.Task) error { return s.book(ctx, t.Type()) } // handler: registered with asynq.(*ServeMux).HandleFunc at 31
}

type found struct{ s *Shop }

func (f *found) ProcessTask(ctx context.Context, t *asynq.Task) error { return f.s.book(ctx, t.Type()) } // handler: registered with asynq.(*ServeMux).Handle at 32

func (s *Shop) kept(ctx context.Context, t *asynq.Task) error { return s.book(ctx, t.Type()) } // handler: registered with asynq.(*ServeMux).Handle at 33

// A middleware stands around handlers and is none.
func logged(next asynq.Handler) asynq.Handler {
	return asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error { return next.ProcessTask(ctx, t) })
}

type group struct{ s *Shop }

func (g *group) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *group) Cleanup(sarama.ConsumerGroupSession) error { return nil }
func (g *group) ConsumeClaim(ss sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error { // handler: registered with sarama.ConsumerGroup.Consume at 69
	for m := range c.Messages() {
		if err := g.s.book(ss.Context(), string(m.Key)); err != nil {
			return err
		}
		ss.MarkMessage(m, "")
	}
	return nil
}

func (s *Shop) Join(ctx context.Context, g sarama.ConsumerGroup) error {
	return g.Consume(ctx, []string{"orders"}, &group{s})
}

type tail struct{ s *Shop }

func (t *tail) HandleMessage(m *nsq.Message) error { // handler: registered with nsq.(*Consumer).AddHandler at 79
	return t.s.book(context.Background(), string(m.Body))
}

func (s *Shop) Tail(c *nsq.Consumer) {
	c.AddHandler(&tail{s})
}

type Stock struct{ ID string }

func (Stock) Kind() string { return "stock" }

type stocker struct {
	river.WorkerDefaults[Stock]
	s *Shop
}

func (w *stocker) Work(ctx context.Context, job *river.Job[Stock]) error { // handler: registered with river.AddWorker at 97
	return w.s.book(ctx, job.Args.ID)
}

func (s *Shop) Workers() *river.Workers {
	ws := river.NewWorkers()
	river.AddWorker(ws, &stocker{s: s})
	return ws
}

// Every exported method of the object is an activity; the workflow that calls them is replayed and no handler.
type Activities struct{ s *Shop }

func (a *Activities) Charge(ctx context.Context, id string) error { return a.s.book(ctx, id) } // handler: registered with worker.ActivityRegistry.RegisterActivity at 112
func (a *Activities) Refund(ctx context.Context, id string) (string, error) { // handler: registered with worker.ActivityRegistry.RegisterActivity at 112
	return id, a.s.book(ctx, id)
}
func (a *Activities) note(ctx context.Context, id string) error { return a.s.book(ctx, id) }

func (s *Shop) Temporal(w worker.Worker) {
	a := &Activities{s}
	w.RegisterActivity(a)
	_ = a.note
}

// Behind a router of the program's own: the closure is what the library calls, the handlers are what it dispatches to.
func (s *Shop) Route(r *message.Router, sub message.Subscriber) {
	s.on(r, sub, "paid", s.routed)
	r.AddConsumerHandler("sent", "sent", sub, s.sent)
}

func (s *Shop) on(r *message.Router, sub message.Subscriber, topic string, h func(ctx context.Context, id string) error) {
	r.AddConsumerHandler(topic, topic, sub, func(m *message.Message) error { // handler: registered with message.(*Router).AddConsumerHandler at 123
		return h(m.Context(), m.UUID)
	})
}

func (s *Shop) routed(ctx context.Context, id string) error { return s.book(ctx, id) } // handler: dispatched from registered.(*Shop).on$1 at 124

func (s *Shop) sent(m *message.Message) error { return s.book(m.Context(), m.UUID) } // handler: registered with message.(*Router).AddConsumerHandler at 119

type Paid struct{ ID string }

func (s *Shop) onPaid(ctx context.Context, e *Paid) error { return s.book(ctx, e.ID) } // handler: registered with cqrs.NewEventHandler at 137

func (s *Shop) Events(p *cqrs.EventProcessor) error {
	return p.AddHandlers(cqrs.NewEventHandler("paid", s.onPaid))
}

func (s *Shop) Nats(nc *nats.Conn) error {
	_, err := nc.QueueSubscribe("paid", "shop", func(m *nats.Msg) { _ = s.book(context.Background(), m.Subject) }) // handler: registered with nats.(*Conn).QueueSubscribe at 141
	return err
}

func (s *Shop) queue(ctx context.Context, e events.SQSEvent) error { // handler: registered with lambda.Start at 154
	return s.book(ctx, e.Records[0].MessageId)
}

// A request through a gateway is no message.
func (s *Shop) request(ctx context.Context, e events.APIGatewayProxyRequest) error {
	return s.book(ctx, e.Path)
}

func (s *Shop) Queue() { lambda.Start(s.queue) }

func (s *Shop) Gateway() { lambda.Start(s.request) }
