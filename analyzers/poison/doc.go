// Package poison finds messages that are tried for ever.
//
// # Analyzer poison
//
// poison: find messages that are tried again without end
//
// A message that cannot be handled fails every time: its bytes cannot be decoded, the row that it names is gone, a
// constraint refuses it. A consumer that gives every failed message back to the broker, or tries it in place until it
// succeeds, never gets rid of such a message. It comes back at once and keeps the consumer busy, or those after it wait;
// no error is different from the one before, and nobody is told.
//
// A retry needs an end: a count of the deliveries that is looked at, a limit of the queue or the subscription, and a
// place for the messages that are given up.
//
// The examples below use this consumer:
//
//	type Consumer struct {
//		db     *sql.DB
//		reader *kafka.Reader
//	}
//
//	func (c *Consumer) handle(ctx context.Context, m kafka.Message) error {
//		_, err := c.db.ExecContext(ctx, `INSERT INTO invoices (id) VALUES ($1) ON CONFLICT DO NOTHING`, string(m.Key))
//		return err
//	}
//
// # requeue
//
// What it does: reports a step that gives a message back to the broker after a failure, whatever has failed, where
// nobody counts the deliveries and nothing limits them: Nack and Reject with requeue of RabbitMQ, NackRequeue of
// go-rabbitmq, Nak of NATS, Nack of Pub/Sub, Pulsar and Watermill. An error that is returned to Watermill or sarama
// because the message could not be decoded does the same. It reports a loop that handles a message until that succeeds,
// and settings that take a limit away, such as MaxAttempts = 0 of NSQ.
//
// Why it is bad: a message that fails every time is delivered for ever, most often at full speed. Those behind it wait
// or are handled late, and the failure is one of thousands of equal lines in the log.
//
// Bad:
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			m, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			for {
//				if err := c.handle(ctx, m); err == nil {
//					break
//				}
//				time.Sleep(time.Second)
//			}
//			if err := c.reader.CommitMessages(ctx, m); err != nil {
//				return err
//			}
//		}
//	}
//
// Good:
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			m, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			for range 5 {
//				if err = c.handle(ctx, m); err == nil {
//					break
//				}
//				time.Sleep(time.Second)
//			}
//			if err != nil {
//				if _, err := c.db.ExecContext(ctx, `INSERT INTO dead_letters (id, body) VALUES ($1, $2) ON CONFLICT DO NOTHING`, m.Key, m.Value); err != nil {
//					return err
//				}
//			}
//			if err := c.reader.CommitMessages(ctx, m); err != nil {
//				return err
//			}
//		}
//	}
//
// When it does not report: the way to the step, or a function that it calls, looks at a count of deliveries or attempts
// (a header, the x-death list, Redelivered, NumDelivered, DeliveryAttempt, a field of the message) or writes one; the
// queue is declared in the program with a limit (x-delivery-limit, quorum queues), the consumer with MaxDeliver, the
// subscription with a dead-letter policy, the router with a poison queue or a middleware of the program's own; only
// certain errors bring the message back (errors.Is, errors.As, a function that is given the error); what failed was to
// publish, to begin a transaction or to ask a cache, which fails only as long as the other side is away; the program is
// about to end; nothing has failed. A loop is not reported if it is left for any other reason than success, or if it is
// not run for a message.
//
// Known limits: whether a limit belongs to the very queue is not known: one anywhere in the same program is taken for
// all of its library. Other errors that a handler returns to a library which then delivers the message again are not
// reported. Limits that are configured at the broker (SQS, policies of RabbitMQ) are not seen.
//
// # Tiers
//
// An error is a retry that nothing in the program ends. Advice is a shape that is often but not always wrong:
//
//   - a message that cannot be decoded and is given back, where the subscription is made elsewhere and may have a limit;
//   - an error that is returned because a message cannot be decoded;
//   - a loop that tries a message until it succeeds, or until the program ends.
//
// # Checklist
//
// The rule stands for these items of a delivery review:
//
//   - 10: dead letters are watched and owned: without an end to retries there are none;
//   - 16: what a retry does to order is known.
//
// # What is right
//
// No rule reports a reject without requeue, a message that is skipped or logged, a dead-letter queue, retries with a
// limit, libraries that give up by themselves (asynq, River, NSQ, Service Bus), requests that are no messages, generated
// code and tests.
//
// # Limits
//
// Names decide what is a count of deliveries: attempt, retry, redelivered, delivery count and the like. Under go vet one
// package and those below it are seen: limits that a package above sets are not.
package poison
