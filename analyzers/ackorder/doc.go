// Package ackorder finds messages that are confirmed although their effect has not happened.
//
// # Analyzer ackorder
//
// ackorder: find messages that are confirmed although their effect has not happened
//
// A broker delivers a message again until it is confirmed: by an ack, by the commit of an offset, or because the handler
// has returned. So the confirmation has to come last. One that comes before the effect, or that comes although the effect
// has failed, turns "at least once" into "at most once": the message is gone and nothing has happened.
//
// dmlint follows a handler from where a message comes in to where it is confirmed, through helpers, interfaces, closures
// and other packages. It knows the libraries that confirm by themselves, when a message is handed out or when the handler
// returns, and the options that change that.
//
// The examples below use this consumer:
//
//	type Shipment struct {
//		ID, Address string
//	}
//
//	type Consumer struct {
//		db     *sql.DB
//		reader *kafka.Reader
//	}
//
//	func (c *Consumer) store(ctx context.Context, msg kafka.Message) error {
//		var s Shipment
//		if err := json.Unmarshal(msg.Value, &s); err != nil {
//			return nil // nobody can ever read it
//		}
//		_, err := c.db.ExecContext(ctx, `UPDATE shipments SET address = $2 WHERE id = $1`, s.ID, s.Address)
//		return err
//	}
//
// # ack-first
//
// What it does: reports a confirmation before the effect: an ack, a commit of an offset or a mark that comes first; a
// consumer that is told to confirm messages when it hands them out (autoAck of AMQP, ReadMessage of a kafka-go reader in
// a group, enable.auto.commit of confluent-kafka-go, GreedyAutoCommit of franz-go, AckNone of NATS); a function that takes
// a message, confirms it and then returns it (advice, where no effect of its callers is in sight); and work that a
// handler starts as a goroutine, or puts on a channel, and does not wait for, when the message is confirmed at once or by
// the handler's return.
//
// Why it is bad: a crash, a deploy or an error between the two loses the message. Nobody delivers it again, and no error is
// logged.
//
// Bad:
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			msg, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//			if err := c.store(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// Good:
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			msg, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			if err := c.store(ctx, msg); err != nil {
//				return err
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// When it does not report: nothing that matters follows (reads, caches, metrics, logs); the confirmation is deferred, or
// shares the transaction of the effect; the goroutine is waited for, or confirms the message itself; the work that is
// handed on brings a channel or a function along that tells how it went; a setting that is named for a promise of delivery
// (at least once, at most once, async) was asked on the way.
//
// Known limits: settings that come from elsewhere than the call, and brokers that are told in their own configuration, are
// not known. A hand-off is recognised by the type of what is sent; texts and numbers are not followed.
//
// # swallowed-error
//
// What it does: reports an effect that fails and a message that is confirmed all the same: the error is logged and dropped
// before the ack, or before the handler returns nil to a library that takes this for success. With offsets, which confirm
// all that came before them, it reports the commit that passes over a message whose effect has failed.
//
// Why it is bad: the database is away for a minute, and all messages of that minute are lost.
//
// Bad:
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			msg, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			if err := c.store(ctx, msg); err != nil {
//				log.Printf("store: %v", err)
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// Good:
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			msg, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			for try := 1; ; try++ {
//				err := c.store(ctx, msg)
//				if err == nil {
//					break
//				}
//				if try == 5 {
//					return err // the next process begins with this message
//				}
//				time.Sleep(time.Second)
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// When it does not report: the message could not be read, or is not valid; the kind of the error was asked for (not found,
// a duplicate, permanent), or how often the message has come; something was written, published or called after the failure
// (a dead letter, a retry topic, a row that records it, another try); what failed is kept in a list, a counter, a channel
// or a field; the process ends; the messages that went well were collected and only these are confirmed; the error is
// joined to others and returned; what failed only records that the message was handled.
//
// Known limits: an error that nobody looks at is not reported. Whatever succeeds after a failure is taken to make up for
// it, also where it has nothing to do with it.
//
// # Tiers
//
// An error is a feasible path on which a message is confirmed and its effect missing. Advice is a shape that is often but
// not always wrong:
//
//   - a part of the work is done before the message is confirmed, or before something else fails: the rest may be a notice;
//   - what fails is one of many in a loop, and none of it has come with the message: the next round of the job may come to it;
//   - an event could not be published, and a helper of the handler keeps quiet about that;
//   - a message is confirmed by the function that returns it, and no effect of a caller is in sight;
//   - messages of a broker that keeps nothing (core NATS), on which an effect rests.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 12: no part of the design rests on exactly-once delivery;
//   - 16: what a retry does to order is known, or the retry is in place;
//   - 18: the ack or the commit of the offset comes after the effect, or the loss is meant.
//
// # What is right
//
// No rule reports an ack after the effect in any form, acks of messages that are dropped on purpose, failures that are
// given back, retried, dead-lettered or recorded, consumers that stop on an error, acks in the transaction of the effect,
// and tests.
//
// # Limits
//
// What a message is, is known for the libraries that have a model; another handler is declared by a line
// //dmlint:handler above it. Under go vet one package and those below it are seen.
package ackorder
