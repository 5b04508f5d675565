// Package relay finds relays that send rows of an outbox twice or lose them.
//
// # Analyzer relay
//
// relay: find relays of an outbox that send rows twice or lose them
//
// An outbox is only as good as its relay: the loop that reads rows which are waiting, publishes them and marks or deletes
// them. A service runs on several machines, and so does its relay. If nothing keeps two of them from the same rows, each
// event is sent twice and events overtake one another. If a row is marked before the broker is known to have it, a crash
// in between loses the event that the outbox was there to save. And if rows are never deleted, the table grows until the
// polling query is slow.
//
// A relay is known by what it does, not by its name: what it publishes was read from rows that it then changes or deletes.
// The query may stand in another package, behind an interface, in a closure that a transaction's runner is given; the SQL
// in text, in a builder, in an ORM. A table that is called an outbox counts as one.
//
// The examples below use this service:
//
//	type Relay struct {
//		db     *sql.DB
//		events *kafka.Writer
//	}
//
// # unlocked
//
// What it does: reports the query by which a relay reads rows that another process can read at the same time.
//
// Why it is bad: every replica publishes every row, and the next tick may read rows that the last one is still about.
// Consumers get each event twice, and an older event after a newer one.
//
// Bad:
//
//	func (r *Relay) Round(ctx context.Context) error {
//		rows, err := r.db.QueryContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 50`)
//		if err != nil {
//			return err
//		}
//		defer rows.Close()
//		for rows.Next() {
//			var id int64
//			var payload []byte
//			if err := rows.Scan(&id, &payload); err != nil {
//				return err
//			}
//			if err := r.events.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
//				return err
//			}
//			if _, err := r.db.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id); err != nil {
//				return err
//			}
//		}
//		return rows.Err()
//	}
//
// Good:
//
//	func (r *Relay) Round(ctx context.Context) error {
//		tx, err := r.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		var id int64
//		var payload []byte
//		row := tx.QueryRowContext(ctx, `SELECT id, payload FROM outbox WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
//		if err := row.Scan(&id, &payload); err != nil {
//			return err
//		}
//		if err := r.events.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE id = $1`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the rows are locked (FOR UPDATE, with SKIP LOCKED or without) in a transaction that lasts until
// they are published; they are claimed first, by UPDATE … RETURNING, by a condition on what is assigned whose number of
// rows is looked at, or by a token that is put only on rows which nobody has, and then read by it; an advisory lock, a
// lock of a table, a lock or key in Redis, etcd or the like is taken by the relay or by somebody around it; one process is
// elected, or a distributed scheduler starts the relay; a message starts it. A query with pieces that are not known, and
// one that takes the rows of one shard or worker, is left alone. A lock that is taken outside a transaction locks nothing,
// and one whose transaction ends before the publish no more: these are reported.
//
// Known limits: a relay of which only one replica is ever deployed looks like any other. A lock that the program takes by
// names which say nothing of it is not seen, and then the relay is reported.
//
// # mark-first
//
// What it does: reports the write by which a relay marks or deletes rows before the broker is known to have their events:
// the mark is committed before the publish; or the publish has only put the message into a queue of the client's and
// nobody waits for the outcome; or the publish failed and the row is marked all the same.
//
// Why it is bad: a crash between the two, or a broker that refuses the message, leaves a row that counts as sent. Nothing
// will ever send it again.
//
// Bad:
//
//	func (r *Relay) Round(ctx context.Context) error {
//		var payload []byte
//		row := r.db.QueryRowContext(ctx, `DELETE FROM outbox WHERE id = (SELECT id FROM outbox ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING payload`)
//		if err := row.Scan(&payload); err != nil {
//			return err
//		}
//		return r.events.WriteMessages(ctx, kafka.Message{Value: payload})
//	}
//
// Good:
//
//	func (r *Relay) Round(ctx context.Context) error {
//		tx, err := r.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		var payload []byte
//		row := tx.QueryRowContext(ctx, `DELETE FROM outbox WHERE id = (SELECT id FROM outbox ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING payload`)
//		if err := row.Scan(&payload); err != nil {
//			return err
//		}
//		if err := r.events.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: the first mark is a claim, since the rows are marked again when the publish went well; the write
// says only who works on the row, until when, or how often it was tried; the code waits for the broker (a delivery report,
// a future, a flush) between the publish and the mark; a failed publish leads another way, or writes down how it ended.
//
// Known limits: an AMQP or NATS publish without confirms counts as sent. A Kafka writer counts as asynchronous if
// the literal that it is made by says so, and is in sight.
//
// # not-pruned
//
// What it does: reports the query of a relay, or the insert of an inbox, whose table is made by the program and from which
// nothing in the program, its migrations or its other files of SQL ever deletes.
//
// Why it is bad: an outbox that keeps every event, and an inbox that keeps every message's ID, grow for as long as the
// service lives. The polling query and the unique index become slow one day, in production.
//
// Bad:
//
//	const schema = `CREATE TABLE parcel_outbox (id BIGSERIAL PRIMARY KEY, payload BYTEA NOT NULL, sent_at TIMESTAMPTZ)`
//
//	func (r *Relay) Migrate(ctx context.Context) error {
//		_, err := r.db.ExecContext(ctx, schema)
//		return err
//	}
//
//	func (r *Relay) Round(ctx context.Context) error {
//		tx, err := r.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		var id int64
//		var payload []byte
//		row := tx.QueryRowContext(ctx, `SELECT id, payload FROM parcel_outbox WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
//		if err := row.Scan(&id, &payload); err != nil {
//			return err
//		}
//		if err := r.events.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE parcel_outbox SET sent_at = now() WHERE id = $1`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// Good:
//
//	const schema = `CREATE TABLE parcel_outbox (id BIGSERIAL PRIMARY KEY, payload BYTEA NOT NULL, sent_at TIMESTAMPTZ)`
//
//	func (r *Relay) Migrate(ctx context.Context) error {
//		_, err := r.db.ExecContext(ctx, schema)
//		return err
//	}
//
//	func (r *Relay) Prune(ctx context.Context) error {
//		_, err := r.db.ExecContext(ctx, `DELETE FROM parcel_outbox WHERE sent_at < now() - interval '7 days'`)
//		return err
//	}
//
//	func (r *Relay) Round(ctx context.Context) error {
//		tx, err := r.db.BeginTx(ctx, nil)
//		if err != nil {
//			return err
//		}
//		defer tx.Rollback()
//		var id int64
//		var payload []byte
//		row := tx.QueryRowContext(ctx, `SELECT id, payload FROM parcel_outbox WHERE sent_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
//		if err := row.Scan(&id, &payload); err != nil {
//			return err
//		}
//		if err := r.events.WriteMessages(ctx, kafka.Message{Value: payload}); err != nil {
//			return err
//		}
//		if _, err := tx.ExecContext(ctx, `UPDATE parcel_outbox SET sent_at = now() WHERE id = $1`, id); err != nil {
//			return err
//		}
//		return tx.Commit()
//	}
//
// When it does not report: anything may delete rows of the table: a statement wherever it stands, one whose table is not
// known, a partition that can be dropped; the table is not made by numbered migrations of the module or in its code, so
// that whoever makes it may prune it; the table is no SQL table, such as a collection with a TTL index.
//
// Known limits: a job outside of the module that deletes rows is not known: that is why this is advice.
//
// # Tiers
//
// An error is a feasible path on which an event is sent twice or lost. Advice is a shape that is often but not always
// wrong:
//
//   - a table that nothing prunes (not-pruned).
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 3: the relay is single-flighted and safe to repeat;
//   - 11: outbox and inbox are pruned;
//   - 20: keys of messages are kept for as long as these can be delivered again, and then expire.
//
// # Limits
//
// Libraries that bring a relay of their own (River, Watermill's SQL subscriber and forwarder) lock their rows themselves
// and are not looked into. Change data capture and LISTEN are no polls. Under go vet one package and those below it are
// seen: a lock that is taken in a package above is not.
package relay
