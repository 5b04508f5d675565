// Package dualwrite finds changes of a database and events about them that are not atomic.
//
// # Analyzer dualwrite
//
// dualwrite: find database writes and publishes that are not atomic
//
// A service changes its database and tells others about it through a broker or a queue. No transaction spans the two: a
// process that dies between them, or a transaction that is rolled back, leaves one without the other. The outbox pattern
// closes the gap: the event is inserted into a table in the transaction of the change, and a relay publishes what is in
// the table until the broker has it.
//
// Each of the five rules is one order of the two steps. A finding is a window: the step that comes first, the step that
// comes second, and the path between them, through helpers, interfaces, closures and other packages. It is reported at
// the publish (for escaped-write at the write), in the innermost function that contains both steps.
//
// The examples below use this service:
//
//	type Service struct {
//		db     *sql.DB
//		events *kafka.Writer
//	}
//
// # after-commit
//
// What it does: reports a publish that follows the commit of a transaction which has written something and holds no
// outbox row.
//
// Why it is bad: a crash, a deploy or an unreachable broker between the commit and the publish loses the event. The
// change is there and nobody is told; nothing will ever repeat the publish.
//
// Bad:
//
//	func (s *Service) Place(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, id); err != nil {
//			return err
//		}
//		if err := tx.Commit(); err != nil {
//			return err
//		}
//		return s.events.WriteMessages(ctx, kafka.Message{Topic: "order-placed", Key: []byte(id)})
//	}
//
// Good:
//
//	func (s *Service) Place(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `INSERT INTO orders (id) VALUES ($1)`, id); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `INSERT INTO outbox (topic, key) VALUES ('order-placed', $1)`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the transaction also inserts an outbox row (a table that is an outbox by its name or because
// its rows are polled and published, or a library's own: River's InsertTx, Watermill's SQL publisher on a transaction,
// pg_notify); nothing was committed on the path that publishes; the publisher is in the process.
//
// Known limits: a publish beside an outbox row is taken for the fast path of the same event, though it may announce
// another one.
//
// # inside-tx
//
// What it does: reports a publish while a transaction is open that writes something, before the publish or after it.
//
// Why it is bad: the transaction may still be rolled back, by a later error, by a failing commit or by a crash. The event
// is out and announces something that never happened. Consumers may also act on it before the change can be seen.
//
// Bad:
//
//	func (s *Service) Cancel(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'cancelled' WHERE id = $1`, id); err != nil {
//			return err
//		}
//		if err := s.events.WriteMessages(ctx, kafka.Message{Topic: "order-cancelled", Key: []byte(id)}); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Good:
//
//	func (s *Service) Cancel(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'cancelled' WHERE id = $1`, id); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `INSERT INTO outbox (topic, key) VALUES ('order-cancelled', $1)`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the publisher writes a table through the transaction and is an outbox itself; the publish is
// that of a relay, which publishes rows and marks or deletes them in the same transaction; the transaction only reads.
//
// Known limits: a function that is given a transaction is taken to run in an open one, even if its callers have ended it.
//
// # no-tx
//
// What it does: reports a publish that follows a write which commits by itself.
//
// Why it is bad: as with after-commit, a crash between the two loses the event. There is not even a transaction that an
// outbox row could join.
//
// Bad:
//
//	func (s *Service) Rename(ctx context.Context, id, name string) error {
//		if _, err := s.db.ExecContext(ctx, `UPDATE customers SET name = $2 WHERE id = $1`, id, name); err != nil {
//			return err
//		}
//		return s.events.WriteMessages(ctx, kafka.Message{Topic: "customer-renamed", Key: []byte(id)})
//	}
//
// Good:
//
//	func (s *Service) Rename(ctx context.Context, id, name string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE customers SET name = $2 WHERE id = $1`, id, name); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `INSERT INTO outbox (topic, key) VALUES ('customer-renamed', $1)`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the path that publishes is one on which the write has failed; the write is no state that an
// event could announce (a lock, a lease, a counter of attempts, a time of the last visit, a migration, the record of a
// processed message).
//
// Known limits: which tables and columns are no state is known by their names.
//
// # before-write
//
// What it does: reports a publish that a write follows, outside a transaction or in one that is opened after the publish.
//
// Why it is bad: a crash or a write that fails leaves an event about something that never happened. Consumers that look
// the thing up do not find it.
//
// Bad:
//
//	func (s *Service) Ship(ctx context.Context, id string) error {
//		if err := s.events.WriteMessages(ctx, kafka.Message{Topic: "order-shipped", Key: []byte(id)}); err != nil {
//			return err
//		}
//		_, err := s.db.ExecContext(ctx, `UPDATE orders SET status = 'shipped' WHERE id = $1`, id)
//		return err
//	}
//
// Good:
//
//	func (s *Service) Ship(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'shipped' WHERE id = $1`, id); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `INSERT INTO outbox (topic, key) VALUES ('order-shipped', $1)`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the write marks or deletes the rows that were published, as a relay does; the write has
// nothing to do with an event, as under no-tx; a message is received in between, which begins a new unit of work.
//
// Known limits: a handler that only puts a job on a queue and lets the worker write is right and silent, but one that
// also writes an unrelated row afterwards may be reported when the two share a value.
//
// # escaped-write
//
// What it does: reports a write through the database's own handle while a transaction on the same database is open.
//
// Why it is bad: the write is durable at once, whatever becomes of the transaction: a rollback keeps it, and an outbox or
// inbox row that is written this way no longer belongs to the change. With a small pool the extra connection can
// deadlock, too.
//
// Bad:
//
//	func (s *Service) Pay(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'paid' WHERE id = $1`, id); err != nil {
//			return err
//		}
//		if _, err := s.db.ExecContext(ctx, `INSERT INTO payments (order_id) VALUES ($1)`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Good:
//
//	func (s *Service) Pay(ctx context.Context, id string) error {
//		tx, err := s.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'paid' WHERE id = $1`, id); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `INSERT INTO payments (order_id) VALUES ($1)`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the handle belongs to another database, or it is not known which database it belongs to.
//
// Known limits: two handles are the same database where fields, parameters and globals that hold them are assigned to
// one another. Where that is not seen but there is only one database in sight, the finding is advice.
//
// # Tiers
//
// An error is a feasible path on which an event is lost or invented. Advice is a shape that is often but not always
// wrong:
//
//   - the write and the publish have no value in common;
//   - one of them is more than six calls away;
//   - a nearer write, in a function that is called, is what the publish announces;
//   - the publish starts a workflow, or goes through Redis pub/sub or pg_notify, while no transaction is open;
//   - a message handler publishes after a write that a redelivered message repeats;
//   - the write of escaped-write goes to what is only likely the same database.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 1: an event leaves through an outbox row written in the transaction of the state change;
//   - 2: nothing is published while a transaction may still roll back;
//   - 6: the record by which a consumer knows a message again and the message's effect share one transaction.
//
// # What is right
//
// No rule reports in-process buses, caches and their invalidation, metrics, logs, traces and websockets; relays; reads;
// message handlers that publish after an upsert, since a redelivered message repeats both; work that is deleted from its
// table once it has been handed on; generated code, tests and packages that only serve tests. Functions that start
// something are no units of work: main, init, start, serve, setup, bootstrap, seed, migrate, and a run that is given
// nothing but a context. Leases, locks, heartbeats, counters of attempts and records of processed messages are no state.
//
// # Limits
//
// A library that has no model does nothing, as far as dmlint knows. Statements whose SQL cannot be found, and unknown
// functions that are given a transaction, are counted in the last line of a run. Under go vet one package and those below
// it are seen: implementations that stand in packages above are not, and neither are the windows through them.
package dualwrite
