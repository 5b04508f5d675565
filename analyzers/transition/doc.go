// Package transition finds message handlers that overwrite a newer state with an older one.
//
// # Analyzer transition
//
// transition: find message handlers that overwrite a newer state with an older one
//
// Messages are delivered late, again, and in another order than that in which things have happened: a consumer that
// crashes begins anew where it has confirmed last, a message that failed comes back after those behind it, and events with
// different keys come through different partitions. A handler that assigns what the message says, whatever is there, takes
// the row back: an order that was cancelled is paid again, a parcel that has arrived is on its way.
//
// A handler asks what the state may follow. It names the states in the condition of the statement, compares a version or
// the time at which the event happened with what is stored, or reads the row and refuses what cannot follow.
//
// The examples below use this consumer:
//
//	type Moved struct {
//		Parcel, Status string
//		Version        int64
//		At             time.Time
//	}
//
//	type Consumer struct {
//		db     *sql.DB
//		reader *kafka.Reader
//	}
//
//	func (c *Consumer) Run(ctx context.Context) error {
//		for {
//			msg, err := c.reader.FetchMessage(ctx)
//			if err != nil {
//				return err
//			}
//			var m Moved
//			if err := json.Unmarshal(msg.Value, &m); err != nil {
//				return err
//			}
//			if err := c.handle(ctx, m); err != nil {
//				return err
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// # blind-assign
//
// What it does: reports a write in a message handler that assigns a status, state, stage or phase, where neither the
// statement nor anything on the way from the handler asks for the state, the version or the time of what is there. The
// state is read from the message, or it is a constant and several handlers assign it, one for each kind of event. It also
// reports a document that is replaced whole though it has a version or a time of change, and a row that is read, given the
// version of the message, and written back, without comparing the two.
//
// Why it is bad: an event that comes late, or again, wins over one that happened after it. Nothing fails and nothing is
// logged; the row just says what was true some time ago.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, m Moved) error {
//		_, err := c.db.ExecContext(ctx, `UPDATE parcels SET status = $2 WHERE id = $1`, m.Parcel, m.Status)
//		return err
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, m Moved) error {
//		_, err := c.db.ExecContext(ctx, `UPDATE parcels SET status = $2, version = $3 WHERE id = $1 AND version < $3`, m.Parcel, m.Status, m.Version)
//		return err
//	}
//
// When it does not report: the condition of the statement has a state or a version in it; a function on the way, or one
// that it calls, compares the state, the version or the time of change of anything but a message, or calls what is named
// for it (CanShip, a transition, a machine of states); rows are read by their state; only one handler assigns constants; the
// handler notes how work of its own has ended; the table keeps books of the program's own work (outboxes, jobs, imports,
// deliveries); the handler's messages are jobs; no message is handled.
//
// Known limits: whether events can overtake each other is decided by topics, keys and partitions, which are not known:
// that is why this is advice. A check of the state of something else counts as a check.
//
// # arrival-time
//
// What it does: reports a write in a message handler that depends on whether the row was changed before the time at which
// the handler runs: changed_at < now(), a parameter that is time.Now(), row.UpdatedAt.Before(time.Now()).
//
// Why it is bad: the row was always changed before now. The condition looks as if it kept late events out and lets all of
// them in; where the clocks of two consumers differ it also refuses some that are newer.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, m Moved) error {
//		now := time.Now()
//		_, err := c.db.ExecContext(ctx, `UPDATE parcels SET status = $2, changed_at = $3 WHERE id = $1 AND changed_at < $3`, m.Parcel, m.Status, now)
//		return err
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, m Moved) error {
//		_, err := c.db.ExecContext(ctx, `UPDATE parcels SET status = $2, changed_at = $3 WHERE id = $1 AND changed_at < $3`, m.Parcel, m.Status, m.At)
//		return err
//	}
//
// When it does not report: the time that is compared comes from the message; updated_at is only set to now beside the rest;
// what is compared is a time at which something ends or is due, or a time some while ago; no message is handled.
//
// Known limits: a clock that is read behind an interface or in another function is not told from the event's time.
//
// # Tiers
//
// Both rules are advice: the shape is often but not always wrong. What it costs depends on whether events of one thing can
// come in another order.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 9: a consumer validates the transition, it does not assign the state;
//   - 15: where order is not guaranteed the handler does not depend on it.
//
// # What is right
//
// No rule reports statements that name the states they follow, optimistic locks, writes that compare an event's version or
// time, domain objects that refuse a transition, inserts, deletes, counters, requests that are no messages, jobs, generated
// code and tests.
//
// # Limits
//
// Names decide what is a state (status, state, stage and phase as the last word of a name) and what is a version. Under go
// vet one package and those below it are seen: the handler that calls a write from a package above is not.
package transition
