package sqltext

import "testing"

var lockCases = []parseCase{
	{"SELECT a FROM t WHERE id = $1 FOR UPDATE", locked(ForUpdate, "id")},
	{"SELECT a FROM t WHERE id = $1 FOR UPDATE NOWAIT", locked(ForUpdate, "id")},
	{"SELECT a FROM t WHERE id = $1 FOR NO KEY UPDATE OF t SKIP LOCKED", locked(SkipLocked, "id")},
	{"SELECT a FROM t WHERE id = $1 for update skip locked", locked(SkipLocked, "id")},
	{"SELECT a FROM t WHERE id = $1 FOR UPDATE §", locked(ForUpdate, "id")},
	{"SELECT a FROM t WHERE id = $1 FOR SHARE", locked(NoLock, "id")},
	{"SELECT a FROM t WHERE id = $1 LOCK IN SHARE MODE", locked(NoLock, "id")},
	{"SELECT a FROM t WITH (UPDLOCK, ROWLOCK) WHERE id = @p1", locked(ForUpdate, "id")},
	{"SELECT a FROM t WITH (UPDLOCK, READPAST) WHERE id = @p1", locked(SkipLocked, "id")},
	{"SELECT a FROM t x (NOLOCK) WHERE id = @p1", locked(NoLock, "id")},
	{"SELECT pg_advisory_lock($1)", one(Statement{Verb: Select, Lock: Advisory})},
	{"SELECT pg_try_advisory_xact_lock(1, 2)", one(Statement{Verb: Select, Lock: Advisory})},
	{"SELECT pg_advisory_unlock($1)", one(Statement{Verb: Select})},
	{"SELECT GET_LOCK('x', 10)", one(Statement{Verb: Select, Lock: Advisory})},
	{"EXEC sp_getapplock @Resource = 'x'", one(Statement{Verb: Call, Lock: Advisory})},
	{"SELECT a FROM t WHERE pg_try_advisory_lock(id) FOR UPDATE", locked(Advisory, "id")},
	{"LOCK TABLE t IN EXCLUSIVE MODE", one(Statement{Verb: Session, Table: "t", Lock: ForUpdate})},
	{"UPDATE t SET a = 1 WHERE id = (SELECT id FROM t LIMIT 1 FOR UPDATE SKIP LOCKED)", one(Statement{
		Verb: Update, Table: "t", Reads: list("t"), Sets: list("a"), Where: list("id"), Lock: SkipLocked,
	})},
	{"INSERT INTO t (a) SELECT a FROM u FOR UPDATE", one(Statement{
		Verb: Insert, Table: "t", Reads: list("u"), Sets: list("a"), Lock: ForUpdate,
	})},
}

// locked is the want of a query of t with that lock.
func locked(l Lock, where ...string) []Statement {
	return one(Statement{Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: where, Lock: l})
}

var sessionCases = []parseCase{
	{"BEGIN", one(Statement{Verb: Begin})},
	{"begin;", one(Statement{Verb: Begin})},
	{"BEGIN IMMEDIATE", one(Statement{Verb: Begin})},
	{"BEGIN TRAN", one(Statement{Verb: Begin})},
	{"BEGIN ISOLATION LEVEL SERIALIZABLE", one(Statement{Verb: Begin})},
	{"START TRANSACTION READ ONLY", one(Statement{Verb: Begin})},
	{"XA START 'x'", one(Statement{Verb: Begin})},
	{"COMMIT", one(Statement{Verb: Commit})},
	{"COMMIT WORK", one(Statement{Verb: Commit})},
	{"END TRANSACTION", one(Statement{Verb: Commit})},
	{"XA COMMIT 'x'", one(Statement{Verb: Commit})},
	{"ROLLBACK", one(Statement{Verb: Rollback})},
	{"ABORT", one(Statement{Verb: Rollback})},
	{"XA ROLLBACK §", one(Statement{Verb: Rollback})},
	{"XA § 'x'", one(Statement{Verb: Session})},
	{"ROLLBACK TO SAVEPOINT a", one(Statement{Verb: Savepoint})},
	{"SAVEPOINT §", one(Statement{Verb: Savepoint})},
	{"RELEASE SAVEPOINT a", one(Statement{Verb: Savepoint})},
	{"SAVE TRANSACTION a", one(Statement{Verb: Savepoint})},
	{"SET search_path TO x", one(Statement{Verb: Session})},
	{"SET LOCAL lock_timeout = '5s'", one(Statement{Verb: Session})},
	{"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", one(Statement{Verb: Session})},
	{"SET @x = 1", one(Statement{Verb: Session})},
	{"SHOW server_version", one(Statement{Verb: Session})},
	{"SHOW TABLES LIKE 'x'", one(Statement{Verb: Session})},
	{"PRAGMA journal_mode = WAL", one(Statement{Verb: Session})},
	{"ANALYZE orders", one(Statement{Verb: Session})},
	{"VACUUM FULL orders", one(Statement{Verb: Session})},
	{"EXPLAIN ANALYZE DELETE FROM t", one(Statement{Verb: Session})},
	{"UPDATE STATISTICS t", nil},
	{"LISTEN orders", one(Statement{Verb: Session, Listen: true})},
	{`LISTEN "§"`, one(Statement{Verb: Session, Listen: true})},
	{"UNLISTEN orders", one(Statement{Verb: Session})},
	{"NOTIFY orders", one(Statement{Verb: Session, Notify: true})},
	{"NOTIFY orders, 'payload'", one(Statement{Verb: Session, Notify: true})},
}

var otherCases = []parseCase{
	{"TRUNCATE orders", one(Statement{Verb: Truncate, Table: "orders"})},
	{"TRUNCATE TABLE ONLY public.orders RESTART IDENTITY CASCADE", one(Statement{Verb: Truncate, Table: "orders"})},
	{"COPY orders (id, total) FROM STDIN WITH CSV", one(Statement{
		Verb: Copy, Table: "orders", Sets: list("id", "total"),
	})},
	{"COPY INTO orders FROM @stage", one(Statement{Verb: Copy, Table: "orders"})},
	{"COPY orders TO STDOUT", one(Statement{Verb: Copy, Reads: list("orders")})},
	{"COPY (SELECT id FROM orders) TO STDOUT", one(Statement{Verb: Copy, Reads: list("orders")})},
	{"LOAD DATA LOCAL INFILE 'x' INTO TABLE orders", one(Statement{Verb: Copy, Table: "orders"})},
	{"CALL place_order($1)", one(Statement{Verb: Call})},
	{"{call place_order(?)}", nil},
	{"EXEC dbo.place_order @id = @p1", one(Statement{Verb: Call})},
	{"EXEC @rc = place_order", one(Statement{Verb: Call})},
	{"EXECUTE stmt USING @a", one(Statement{Verb: Call})},
	{"DO SLEEP(1)", one(Statement{Verb: Call})},
	{"CREATE TABLE IF NOT EXISTS s.orders (id int PRIMARY KEY)", one(Statement{Verb: DDL, Table: "orders"})},
	{"CREATE TABLE a AS WITH x AS (SELECT id FROM b) SELECT id FROM x", one(Statement{
		Verb: DDL, Table: "a", Reads: list("b"),
	})},
	{"ALTER TABLE ONLY orders ADD COLUMN x int", one(Statement{Verb: DDL, Table: "orders"})},
	{"DROP TABLE IF EXISTS orders", one(Statement{Verb: DDL, Table: "orders"})},
	{"CREATE UNIQUE INDEX i ON t (a)", one(Statement{Verb: DDL})},
	{"CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN INSERT INTO t VALUES (1); END $$ LANGUAGE plpgsql", one(Statement{
		Verb: DDL,
	})},
	{"CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE u SET n = n + 1; DELETE FROM v; END; SELECT a FROM t", []Statement{
		{Verb: DDL},
		{Verb: Select, Table: "t", Reads: list("t"), Columns: list("a")},
	}},
	{"GRANT SELECT ON t TO u", one(Statement{Verb: DDL})},
	{"COMMENT ON TABLE t IS 'x'", one(Statement{Verb: DDL})},
}

var batchCases = []parseCase{
	{"BEGIN; UPDATE a SET x = 1; COMMIT;", []Statement{
		{Verb: Begin}, {Verb: Update, Table: "a", Sets: list("x")}, {Verb: Commit},
	}},
	{";;SELECT 1;\n-- nothing\n;", one(Statement{Verb: Select})},
	{"DO $x$ DECLARE n int; BEGIN UPDATE t SET n = n + 1; PERFORM pg_notify('a', 'b'); END $x$", []Statement{
		{Verb: Call}, {Verb: Update, Table: "t", Sets: list("n"), Increments: list("n")}, {Verb: Select, Notify: true},
	}},
	{"DO $$ BEGIN IF x THEN DELETE FROM t; ELSE INSERT INTO t (a) VALUES (1); END IF; SELECT a INTO v FROM t; END $$",
		[]Statement{
			{Verb: Call}, {Verb: Delete, Table: "t"}, {Verb: Insert, Table: "t", Sets: list("a")},
			{Verb: Select, Table: "t", Reads: list("t"), Columns: list("a")},
		}},
	{"IF NOT EXISTS (SELECT 1 FROM inbox WHERE id = @p1) INSERT INTO inbox (id) VALUES (@p1) " +
		"ELSE UPDATE inbox SET n = n + 1 WHERE id = @p1", []Statement{
		{Verb: Insert, Table: "inbox", Reads: list("inbox"), Sets: list("id"), Guards: list(NotExists)},
		{Verb: Update, Table: "inbox", Sets: list("n"), Increments: list("n"), Where: list("id")},
	}},
	{"SET NOCOUNT ON INSERT INTO t (a) VALUES (1) UPDATE u SET b = 2 DELETE FROM v", []Statement{
		{Verb: Session}, {Verb: Insert, Table: "t", Sets: list("a")}, {Verb: Update, Table: "u", Sets: list("b")},
		{Verb: Delete, Table: "v"},
	}},
	{"DECLARE @x int SET @x = 1 INSERT INTO t (a) VALUES (@x)", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"),
	})},
	{"BEGIN INSERT INTO t (a) VALUES (:1); DELETE FROM u; END;", []Statement{
		{Verb: Insert, Table: "t", Sets: list("a")}, {Verb: Delete, Table: "u"},
	}},
	{"BEGIN IF a THEN DELETE FROM t; END IF; DELETE FROM u; END; COMMIT", []Statement{
		{Verb: Delete, Table: "t"}, {Verb: Delete, Table: "u"}, {Verb: Commit},
	}},
	{"BEGIN UNLOGGED BATCH INSERT INTO t (a) VALUES (?); UPDATE u SET c = c + 1 WHERE k = ?; APPLY BATCH", []Statement{
		{Verb: Insert, Table: "t", Sets: list("a")},
		{Verb: Update, Table: "u", Sets: list("c"), Increments: list("c"), Where: list("k")},
	}},
	{"INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = a + 1", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("a"), Increments: list("a"), Conflict: DoUpdate,
	})},
}

func TestLocks(t *testing.T) { checkParse(t, lockCases) }

func TestSession(t *testing.T) { checkParse(t, sessionCases) }

func TestOther(t *testing.T) { checkParse(t, otherCases) }

func TestBatches(t *testing.T) { checkParse(t, batchCases) }
