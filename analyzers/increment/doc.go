// Package increment finds changes in message handlers that a redelivered message makes again.
//
// # Analyzer increment
//
// increment: find changes in message handlers that a redelivered message makes again
//
// A broker that promises to deliver a message at least once delivers some of them twice: after a crash between the
// effect and the confirmation, after a timeout, a rebalance or a replay. So a handler has to make the second delivery
// harmless. A change that adds to what is stored does not come out the same when it is made again: the balance grows
// twice, a second row appears.
//
// A handler guards such a change by what it does in the transaction of the change: it records the message's ID under a
// unique key and looks at the answer, compares a status or a version in the statement that changes it, or asks for the
// row under a lock. dmlint follows a handler from where the message comes in to the change, through helpers,
// interfaces, closures and other packages, and reports the changes that nothing guards. Where something tries to, and
// does not hold, that is said by inboxorder and not here: one window is one finding. Only an addition before which
// nothing asks, and which is recorded too late in another file, is reported here as well.
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
// # unguarded
//
// What it does: reports a change in a message handler that adds to what is stored, when nothing in the change's
// transaction notices a message that was seen before. It adds where the statement says so (SET n = n + 1, gorm.Expr,
// $inc, ADD), where a row is read, added to and written back, also by a method of the row or in a closure that an
// update function is given, where an ID is put at the end of a list of IDs whatever is in it, and where a row is
// inserted under a key that is made on the spot and the table has no key that the message could hit.
//
// Why it is bad: the message is delivered again and its effect is applied twice: the account is credited twice, the
// stock shrinks by an item that nobody took. It happens at every deploy, and no error is logged.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		_, err := c.db.ExecContext(ctx, `UPDATE accounts SET balance = balance + $2 WHERE id = $1`, d.Account, d.Amount)
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
// When it does not report: the message's ID is inserted through the same transaction, and a row that is there already
// makes the insert fail or decides a branch; the change is guarded by a condition on a version, a status or a value
// that it takes the place of, and the number of changed rows is looked at; a row is read in the same transaction and
// its status decides; a row of the same transaction has a key from the message that would be hit; the work is done
// where no message is handled. Counters that nobody minds (versions, attempts, retries, failures, times of the last
// visit) are left out.
//
// Known limits: how the broker, or a middleware, makes a message unique is not known. A check of a row that decides
// whether the change is made counts as a guard, even where it asks for something else than the message. An addition
// that is made outside of Go, by a trigger or a procedure, is not seen.
//
// # unkeyed-insert
//
// What it does: reports a row that a message handler inserts without anything that could tell the message again: no key
// of the row comes from the message, no guard stands in the transaction, and it is not known which keys the table has.
//
// Why it is bad: if the database makes the key, the second delivery inserts a second row: two entries in a ledger, two
// letters to a customer.
//
// Bad:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		_, err := c.db.ExecContext(ctx, `INSERT INTO entries (account, amount) VALUES ($1, $2)`, d.Account, d.Amount)
//		return err
//	}
//
// Good:
//
//	func (c *Consumer) handle(ctx context.Context, d Deposit) error {
//		_, err := c.db.ExecContext(ctx, `INSERT INTO entries (deposit_id, account, amount) VALUES ($1, $2, $3)
//			ON CONFLICT (deposit_id) DO NOTHING`, d.ID, d.Account, d.Amount)
//		return err
//	}
//
// When it does not report: the row has a key from the message: its id, the ID of the message or event, or a unique key
// of the table as migrations, models or schemas define it; the insert says what to do on a conflict; a guard stands in
// the same transaction, as under unguarded; the table keeps a trail (logs, audits, histories, failures, sessions, attempts,
// jobs, locks) or outbox rows; the row goes to ClickHouse, which merges rows later. Where the table's definition is in sight
// and has no key that the row brings along, or the row's id is made on the spot, the rule is unguarded.
//
// Known limits: a row whose columns are not known is not reported. Whether a unique key that is defined outside of the
// repository saves the insert is not known: that is why this is advice.
//
// # Tiers
//
// An error is a feasible path on which a second delivery applies the effect again. Advice is a shape that is often but
// not always wrong:
//
//   - an insert into a table whose keys are not known (unkeyed-insert);
//   - a counter in a key-value store, such as INCR of Redis.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 5: consumers dedupe on a message ID under a unique constraint;
//   - 15: where order is not guaranteed the handler does not depend on it: an increment may come in any order, but only
//     once.
//
// # What is right
//
// No rule reports upserts under a key from the message, assignments of values that the message brings, deletes, writes
// that are guarded by a status or a version, inserts that hit a unique key of the table, inbox and outbox rows, logs
// and trails, requests that are no messages, generated code and tests. An inbox counts in every form: SQL with ON
// CONFLICT or INSERT IGNORE, RETURNING, an error of the driver or a sentinel that a repository makes of it, an ORM's
// model, a unique _id in a session of MongoDB, an item with a condition in a transaction of DynamoDB, the transaction
// that Watermill hands to a handler or River completes a job in.
//
// # Limits
//
// What a message is, is known for the libraries that have a model; another handler is declared by a line
// //dmlint:handler above it. Keys are taken for the message's by the names of their columns (id, order_id in the table
// orders, message_id, event_id and the like), unless the table's definition says more. Under go vet one package and
// those below it are seen: the handler that calls a change from a package above is not, and nothing is reported there.
package increment
