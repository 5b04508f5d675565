// Package inboxorder finds checks for redelivered messages that do not hold.
//
// # Analyzer inboxorder
//
// inboxorder: find checks for redelivered messages that do not hold
//
// A consumer that is told of the same message twice has to notice. It keeps a record of the messages that it has
// handled: an inbox, a table of processed messages, a key in Redis, a status of the thing that the message is about.
// The record holds if, and only if, it is made in one transaction with the effect, under a unique key, and if whoever
// finds it there skips the effect. Then either both are there or neither is, and of two deliveries at once one waits
// for the other and fails.
//
// Each of the four rules is one way in which that is missed. A finding is reported at the check or record that does not
// hold, in the innermost function that contains the effect, too. Whoever keeps a table of handled messages is looked
// at, whether a message comes from a broker or as a webhook, and also where the effect is the work of a function that
// is handed in.
//
// The examples below use this consumer:
//
//	type Deposit struct {
//		ID, Account string
//		Amount      int64
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
//			var d Deposit
//			if err := json.Unmarshal(msg.Value, &d); err != nil {
//				return err
//			}
//			if err := c.handle(ctx, d); err != nil {
//				return err
//			}
//			if err := c.reader.CommitMessages(ctx, msg); err != nil {
//				return err
//			}
//		}
//	}
//
// # check-outside
//
// What it does: reports a check whether the message was seen before, or whether its work was done, that is made outside
// the transaction of the effect, when nothing inside that transaction holds a second delivery back. The check is a row
// that is looked up, or a key of a key-value store, a cache or a map in memory, whether it is only looked up or looked
// up and set in one step.
//
// Why it is bad: two deliveries at once both ask, both find nothing, and both apply the effect. Where the store marks
// the message as seen in the same step, a crash between the mark and the effect loses the message instead; and a mark
// that expires, or a map that a restart empties, lets it through again.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		var status string
//		err := c.db.QueryRowContext(ctx, `SELECT status FROM deposits WHERE id = $1`, d.ID).Scan(&status)
//		if err != nil || status == "booked" {
//			return err
//		}
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1`, d.ID); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		res, err := tx.ExecContext(ctx, `UPDATE deposits SET status = 'booked' WHERE id = $1 AND status = 'pending'`, d.ID)
//		if err != nil {
//			return err
//		}
//		if n, err := res.RowsAffected(); err != nil || n == 0 {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the check is made in front of a record that holds, and only saves work; the change is
// harmless when it is made twice, such as an upsert; the check asks for something else than the message or the row that
// is changed; a lock is asked for; a key of a key-value store is taken where no message is handled, which is more often
// a limit of rates.
//
// Known limits: a check without a lock inside the transaction is taken for one that holds, though two deliveries at
// once pass it unless the isolation level forbids that. Which tables hold messages, and which columns say that work was
// done, is told by their names.
//
// # record-outside
//
// What it does: reports a record of the message that is not made in the transaction of the effect: before it, after it,
// or in another store.
//
// Why it is bad: a crash between the two leaves one without the other. If the record comes first, the next delivery is
// skipped and the effect is lost. If it comes last, the next delivery applies the effect again.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		if err := tx.Commit(); err != nil {
//			return err
//		}
//		_, err = c.db.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.ID)
//		return err
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1)`, d.ID); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: another record, or a unique key that is hit, holds inside the transaction; no message is
// handled, and the table is none for that by its name; the effect is harmless when it is made twice and the record
// comes last; the record comes first and what follows is only a trail in a log.
//
// Known limits: an effect that is made by what an unknown function does with the transaction is not seen. A message
// that is skipped because it was recorded by a delivery that then failed is reported even where something else repeats
// the work.
//
// # ignored-conflict
//
// What it does: reports a record of the message whose conflict nobody looks at: ON CONFLICT DO NOTHING, INSERT IGNORE
// or an upsert whose number of rows is thrown away, or an insert whose error is only logged, when the effect is applied
// all the same.
//
// Why it is bad: the record is there and says nothing: a message that comes again meets its row, and its effect is
// applied a second time.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		if _, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.ID); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		res, err := tx.ExecContext(ctx, `INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.ID)
//		if err != nil {
//			return err
//		}
//		if n, err := res.RowsAffected(); err != nil || n == 0 {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the number of rows, a row that is returned or is missing, or the error decides a branch,
// here or in whoever is given it; the insert has no clause for conflicts and its error ends the transaction; nothing
// that follows doubles.
//
// Known limits: which of two branches applies the effect is not judged: code that looks at the answer is taken to have
// understood it.
//
// # no-unique
//
// What it does: reports a record of the message in a table that has no unique key among the columns that are inserted,
// though the table's definition is in sight: in .sql files, in SQL in Go code, in tags of models or in schemas of ent.
//
// Why it is bad: the insert never fails and never meets a conflict. Every delivery looks like the first, and the effect
// is applied each time.
//
// Bad:
//
//	const schema = `CREATE TABLE processed_messages (id bigserial PRIMARY KEY, message_id text NOT NULL)`
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		res, err := tx.ExecContext(ctx, `INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.ID)
//		if err != nil {
//			return err
//		}
//		if n, err := res.RowsAffected(); err != nil || n == 0 {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Good:
//
//	const schema = `CREATE TABLE processed_messages (message_id text PRIMARY KEY, handled_at timestamptz DEFAULT now())`
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		tx, err := c.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		res, err := tx.ExecContext(ctx, `INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, d.ID)
//		if err != nil {
//			return err
//		}
//		if n, err := res.RowsAffected(); err != nil || n == 0 {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the table's definition is not in the repository; a unique key, a primary key or a unique
// index is covered by the columns that are inserted, none of them made on the spot; some definition of the table has
// such a key.
//
// Known limits: what several places say of a table is taken together, and the latest migration wins within one folder.
// A key that a script or another repository adds is not seen.
//
// # Tiers
//
// All findings are errors: on a feasible path a message is lost or its effect is applied twice. What is only likely is
// not reported.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 5: consumers dedupe on a message ID under a unique constraint;
//   - 6: the dedupe record and the effect share one transaction;
//   - 7: no check-then-act dedupe, least of all against another store.
//
// # What is right
//
// A record holds in every form: SQL with ON CONFLICT or INSERT IGNORE whose number of rows is looked at, RETURNING, an
// insert whose error of the driver, or a sentinel that a repository makes of it, decides; a compare-and-set of a status
// or a version; a row that is read FOR UPDATE and whose status decides; a unique _id in a session of MongoDB, an item
// with a condition in a transaction of DynamoDB, an ORM's model. A check before such a record is its fast path and
// silent. So are locks, limits of rates (keys that say so, or that name but a kind of message), caches that are filled
// after a miss, inboxes whose rows are polled and worked off later, generated code and tests.
//
// # Limits
//
// A table holds records of messages by its name (inbox, processed, dedup, idempotency, handled, consumed, seen) or
// because a column of it is a message's ID by its name (message_id, event_id, delivery_id, idempotency_key and the
// like). A key is taken for what the message is known by, whatever it is made of. Under go vet one package and those
// below it are seen: a record in one package and an effect in another that are joined by a package above are reported
// there, where both are in sight, and keys of tables are those of the module around the package.
package inboxorder
