// Package sideeffect finds calls to the outside in message handlers that a redelivered message makes again.
//
// # Analyzer sideeffect
//
// sideeffect: find calls to the outside in message handlers that a redelivered message makes again
//
// A broker that promises to deliver a message at least once delivers some of them twice. What the handler does to its
// own database it can undo, or guard in the same transaction. A charge, a mail, a request to a partner is out when it is
// made: no transaction holds it, a broker's exactly-once ends at the broker, and a record of the message can only be
// written before the call or after it. The one thing that holds is a key that goes with the call and is the same for
// every delivery, so that the other side knows the second one.
//
// The examples below use this consumer:
//
//	type Order struct {
//		ID, Address string
//		Amount      int64
//	}
//
//	type Consumer struct {
//		http   *http.Client
//		reader *kafka.Reader
//	}
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			msg, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			var o Order
//			if err := json.Unmarshal(msg.Value, &o); err != nil {
//				return err
//			}
//			if err := c.handle(ctx, o); err != nil {
//				return err
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// # no-key
//
// What it does: reports a call to a payment API, a mail, a text or chat message, or an HTTP request with POST that the
// handling of a message leads to, through helpers, interfaces, closures and other packages, when nothing that goes with
// it is a key from the message. A key that is made on the spot, from a UUID, a random number or the clock, is none. A
// command that the handler sends on with such a key, or a message with such a deduplication ID, is reported as well.
//
// Why it is bad: the process dies after the call and before the message is confirmed, the message is delivered again and
// the card is charged twice. It happens at every deploy, and no error is logged.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, o Order) error {
//		body := strings.NewReader(fmt.Sprintf("amount=%d&currency=eur", o.Amount))
//		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.stripe.com/v1/charges", body)
//		if err != nil {
//			return err
//		}
//		resp, err := c.http.Do(req)
//		if err != nil {
//			return err
//		}
//		return resp.Body.Close()
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, o Order) error {
//		body := strings.NewReader(fmt.Sprintf("amount=%d&currency=eur", o.Amount))
//		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.stripe.com/v1/charges", body)
//		if err != nil {
//			return err
//		}
//		req.Header.Set("Idempotency-Key", "order-"+o.ID)
//		resp, err := c.http.Do(req)
//		if err != nil {
//			return err
//		}
//		return resp.Body.Close()
//	}
//
// When it does not report: a header, a field, a setter or a parameter that calls itself a key (idempotency, deduplication,
// message, event or request ID) is given something that is not made on the spot, in the handler or in a helper; the body
// has a field with the ID of what is sent (id, event_id, reference; not for payments, whose APIs look at the key only);
// the method is GET, PUT, PATCH or DELETE, which say what is to be and not what is to be done once more, or is not known;
// the request only asks (search, query, token, login, GraphQL) or tells what goes on (metrics, logs, traces), going by its
// address or the names of the functions and packages on the way; the handler looks up, before the call, whether the message was
// handled; the work is done where no message is handled: HTTP requests, schedules, commands.
//
// Known limits: whether the other side looks at the key is not known. A raw payload that is passed on may hold an ID by
// which the other side knows it; without a header that says so it is reported. Calls of gRPC clients are not known to
// change anything.
//
// # Tiers
//
// An error is a call to a payment API. Advice is:
//
//   - any other call: a second mail or request is a nuisance more often than a loss;
//   - a payment that is made after a check whether the message was handled: it only doubles where the process dies
//     between the call and the record.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 8: an effect outside the database carries its own idempotency key;
//   - 19: a broker's exactly-once ends at the broker: effects outside it still dedupe.
//
// # What is right
//
// No rule reports a call with a key from the message, calls that may be repeated as they are, what only asks, what is
// written to the handler's own database, publishes, logs and metrics, requests that no message has caused, generated
// code and tests.
//
// # Limits
//
// What leaves the process is known for the libraries that have a model. The path to the call is not looked at, only the
// functions that lead there. Under go vet one package and those below it are seen.
package sideeffect
