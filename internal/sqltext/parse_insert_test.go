package sqltext

import "testing"

var insertCases = []parseCase{
	{"INSERT INTO orders (id, total) VALUES ($1, $2)", one(Statement{
		Verb: Insert, Table: "orders", Sets: list("id", "total"),
	})},
	{"-- name: CreateOrder :one\ninsert into Shop.\"Orders\"(\"Id\") values (?) returning id", one(Statement{
		Verb: Insert, Table: "orders", Sets: list("id"), Returning: true,
	})},
	{"/*+ append */ INSERT /*+ parallel */ INTO t VALUES (1)", one(Statement{Verb: Insert, Table: "t"})},
	{"INSERT INTO orders", one(Statement{Verb: Insert, Table: "orders"})},
	{"INSERT INTO events (a, b) FORMAT Values", one(Statement{Verb: Insert, Table: "events", Sets: list("a", "b")})},
	{"INSERT INTO t AS x DEFAULT VALUES", one(Statement{Verb: Insert, Table: "t"})},
	{"INSERT t (a) VALUES (1)", one(Statement{Verb: Insert, Table: "t", Sets: list("a")})},
	{"INSERT INTO t SET a = 1, b = 2", one(Statement{Verb: Insert, Table: "t", Sets: list("a", "b")})},
	{"INSERT INTO t (a) SELECT a FROM u JOIN v ON u.id = v.id WHERE u.b = $1", one(Statement{
		Verb: Insert, Table: "t", Reads: list("u", "v"), Sets: list("a"),
	})},
	{"INSERT INTO t (SELECT a FROM u)", one(Statement{Verb: Insert, Table: "t", Reads: list("u")})},
	{"INSERT INTO t WITH x AS (SELECT a FROM u) SELECT a FROM x", one(Statement{
		Verb: Insert, Table: "t", Reads: list("u"),
	})},
	{"INSERT INTO t (a) VALUES ((SELECT max(a) FROM t))", one(Statement{
		Verb: Insert, Table: "t", Reads: list("t"), Sets: list("a"),
	})},
	{"INSERT INTO [t] WITH (TABLOCK) ([a], [b]) OUTPUT inserted.a VALUES (@p1, @p2)", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a", "b"), Returning: true,
	})},
	{"INSERT BULK t ([a]) VALUES", one(Statement{Verb: Insert, Table: "t", Sets: list("a")})},
	{"INSERT INTO t (a) VALUES (@a) THEN RETURN a", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"), Returning: true,
	})},
	{"INSERT ALL INTO a (x) VALUES (1) INTO b (y) VALUES (2) SELECT 1 FROM dual", one(Statement{
		Verb: Insert, Table: "a", Sets: list("x"),
	})},
	{"INSERT INTO t (a) OVERRIDING SYSTEM VALUE VALUES (1)", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"),
	})},
	{"INSERT OVERWRITE TABLE t PARTITION (d) SELECT a FROM u", one(Statement{
		Verb: Insert, Table: "t", Reads: list("u"),
	})},
	{"INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"), Conflict: DoNothing,
	})},
	{"INSERT INTO t (a) VALUES (1) ON CONFLICT (a) WHERE b IS NULL DO NOTHING RETURNING a", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"), Conflict: DoNothing, Returning: true,
	})},
	{"INSERT INTO t (a) SELECT a FROM u ON CONFLICT ON CONSTRAINT k DO NOTHING", one(Statement{
		Verb: Insert, Table: "t", Reads: list("u"), Sets: list("a"), Conflict: DoNothing,
	})},
	{"INSERT IGNORE INTO t (a) VALUES (?)", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"), Conflict: DoNothing,
	})},
	{"INSERT OR IGNORE INTO t (a) VALUES (?)", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"), Conflict: DoNothing,
	})},
	{"INSERT OR ABORT INTO t (a) VALUES (?)", one(Statement{Verb: Insert, Table: "t", Sets: list("a")})},
	{"INSERT INTO t (a) VALUES (?) IF NOT EXISTS USING TTL 86400", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"), Conflict: DoNothing,
	})},
	{"INSERT INTO t (a) VALUES (?) USING TTL ? AND TIMESTAMP ?", one(Statement{
		Verb: Insert, Table: "t", Sets: list("a"),
	})},
	{"INSERT INTO t (id) VALUES (?) ON DUPLICATE KEY UPDATE id = id", one(Statement{
		Verb: Insert, Table: "t", Sets: list("id"), Conflict: DoNothing,
	})},
}

var upsertCases = []parseCase{
	{"INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n"), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (id, n) VALUES ($1, 2) ON CONFLICT (id) DO UPDATE SET n = t.n + EXCLUDED.n RETURNING n", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n"), Increments: list("n"), Conflict: DoUpdate, Returning: true,
	})},
	{"INSERT INTO t AS c (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = c.n + $2", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n"), Increments: list("n"), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n + 1", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n"), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (id, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = n + VALUES(n), m = VALUES(m)", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n", "m"), Increments: list("n"), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (id, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = VALUES(n) + 1", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n"), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (id, n) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE n = t.n + new.n", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id", "n"), Increments: list("n"), Conflict: DoUpdate,
	})},
	{"REPLACE INTO t (id) VALUES (?)", one(Statement{Verb: Upsert, Table: "t", Sets: list("id"), Conflict: DoUpdate})},
	{"INSERT OR REPLACE INTO t (id) VALUES (?)", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id"), Conflict: DoUpdate,
	})},
	{"INSERT OR UPDATE INTO t (id) VALUES (@id)", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id"), Conflict: DoUpdate,
	})},
	{"UPSERT INTO t (id) VALUES ($1)", one(Statement{Verb: Upsert, Table: "t", Sets: list("id"), Conflict: DoUpdate})},
	{"MERGE INTO t USING s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.n = t.n + s.n " +
		"WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, s.n)", one(Statement{
		Verb: Upsert, Table: "t", Reads: list("s"), Sets: list("n", "id"), Increments: list("n"), Conflict: DoUpdate,
	})},
	{"MERGE t WITH (HOLDLOCK) AS x USING (SELECT @p1 AS id) AS s ON x.id = s.id " +
		"WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id) OUTPUT $action;", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("id"), Conflict: DoNothing, Returning: true,
	})},
	{"MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND t.v < s.v THEN UPDATE SET v = s.v", one(Statement{
		Verb: Upsert, Table: "t", Reads: list("s"), Sets: list("v"), Where: list("v"), Guards: list("v"),
		Conflict: DoUpdate,
	})},
	{"MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN DO NOTHING", one(Statement{
		Verb: Upsert, Table: "t", Reads: list("s"), Conflict: DoUpdate,
	})},
	{"MERGE INTO t USING s ON t.id = s.id WHEN §", one(Statement{
		Verb: Upsert, Table: "t", Reads: list("s"), Conflict: DoUpdate,
	})},
	{"MERGE INTO t USING s ON t.id = s.id §", one(Statement{
		Verb: Upsert, Table: "t", Reads: list("s"), Conflict: DoUpdate,
	})},
}

var cteCases = []parseCase{
	{"WITH x AS (INSERT INTO a (b) SELECT 1 RETURNING b) SELECT b FROM x", []Statement{
		{Verb: Insert, Table: "a", Sets: list("b"), Returning: true},
		{Verb: Select, Columns: list("b")},
	}},
	{"WITH c AS (SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED) " +
		"UPDATE jobs j SET status = 'run' FROM c WHERE j.id = c.id RETURNING j.id", one(Statement{
		Verb: Update, Table: "jobs", Reads: list("jobs"), Sets: list("status"), Where: list("id"),
		Guards: list("status"), Lock: SkipLocked, Returning: true,
	})},
	{"WITH a AS (DELETE FROM t WHERE x = $1 RETURNING id), b AS (UPDATE u SET y = y + 1 FROM a WHERE u.id = a.id) " +
		"INSERT INTO v (id) SELECT id FROM a", []Statement{
		{Verb: Delete, Table: "t", Where: list("x"), Returning: true},
		{Verb: Update, Table: "u", Sets: list("y"), Increments: list("y"), Where: list("id")},
		{Verb: Insert, Table: "v", Sets: list("id")},
	}},
	{"WITH RECURSIVE r (id, n) AS NOT MATERIALIZED (SELECT id, 1 FROM tree UNION ALL SELECT t.id, n FROM tree t " +
		"JOIN r ON r.id = t.parent) SELECT id FROM r", one(Statement{
		Verb: Select, Table: "tree", Reads: list("tree"), Columns: list("id"),
	})},
	{"WITH x AS MATERIALIZED (SELECT a FROM t) SELECT a FROM x, s.x", one(Statement{
		Verb: Select, Table: "t", Reads: list("t", "x"), Columns: list("a"),
	})},
	{"WITH done AS (SELECT id FROM t WHERE seen IS NULL LIMIT 3) SELECT d.id FROM done d", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("id"), Polls: true,
	})},
	{"WITH x AS (SELECT 1) DELETE FROM t WHERE id IN (SELECT 1 FROM x)", one(Statement{
		Verb: Delete, Table: "t", Where: list("id"),
	})},
	{"WITH x AS (SELECT a FROM t) §", one(Statement{Table: Hole, Reads: list("t")})},
	{"WITH x AS (§) UPDATE t SET a = 1", one(Statement{Verb: Update, Table: "t", Sets: list("a")})},
	{"WITH § SELECT a FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t"), Columns: list("a")})},
	{"INSERT INTO t (a) WITH x AS (DELETE FROM u RETURNING a) SELECT a FROM x", []Statement{
		{Verb: Delete, Table: "u", Returning: true},
		{Verb: Insert, Table: "t", Sets: list("a")},
	}},
	{"with the user", nil},
}

func TestInsert(t *testing.T) { checkParse(t, insertCases) }

func TestUpsert(t *testing.T) { checkParse(t, upsertCases) }

func TestCTE(t *testing.T) { checkParse(t, cteCases) }
