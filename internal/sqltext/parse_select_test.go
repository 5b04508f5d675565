package sqltext

import "testing"

var selectCases = []parseCase{
	{"SELECT 1", one(Statement{Verb: Select})},
	{"SELECT f($1)", one(Statement{Verb: Select})},
	{"SELECT * FROM orders", one(Statement{Verb: Select, Table: "orders", Reads: list("orders")})},
	{"select id, o.total, o.note as n, status::text, paid p FROM Orders o", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id", "total", "note", "status", "paid"),
	})},
	{"SELECT COUNT(*) FROM orders WHERE id = $1", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Where: list("id"), Exists: true,
	})},
	{"SELECT count(id) > 0 AS found FROM orders", one(Statement{Verb: Select, Table: "orders", Reads: list("orders"), Exists: true})},
	{"SELECT true FROM orders", one(Statement{Verb: Select, Table: "orders", Reads: list("orders"), Exists: true})},
	{"SELECT 1", one(Statement{Verb: Select})},
	{"SELECT COUNT(*), max(id) FROM orders", one(Statement{Verb: Select, Table: "orders", Reads: list("orders")})},
	{"SELECT id, count(*) n FROM orders GROUP BY id HAVING count(*) > 1", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"),
	})},
	{"SELECT o.*, 1 FROM orders o", one(Statement{Verb: Select, Table: "orders", Reads: list("orders")})},
	{"SELECT DISTINCT ON (a) b FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t"), Columns: list("b")})},
	{`SELECT "Id" FROM "public"."Orders"`, one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"),
	})},
	{`SELECT id FROM public."my orders" WHERE "a b" = $1`, one(Statement{
		Verb: Select, Table: "my orders", Reads: list("my orders"), Columns: list("id"), Where: list("a b"),
	})},
	{"SELECT `id` FROM `shop`.`orders` WHERE `id`=?", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"), Where: list("id"),
	})},
	{"SELECT [id] FROM [dbo].[Orders] AS [o] WHERE [o].[id] = @p1", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"), Where: list("id"),
	})},
	{"SELECT a FROM t1 x, t2 AS y JOIN t3 ON x.id = y.id LEFT OUTER JOIN s.t4 USING (id, k) CROSS JOIN t5", one(Statement{
		Verb: Select, Table: "t1", Reads: list("t1", "t2", "t3", "t4", "t5"), Columns: list("a"),
	})},
	{"SELECT 1 FROM (a JOIN b ON a.x = b.x) JOIN (c) ON true", one(Statement{
		Verb: Select, Exists: true, Table: "a", Reads: list("a", "b", "c"),
	})},
	{"SELECT 1 FROM t JOIN u ON (t.a, t.b) = (u.a, u.b)", one(Statement{Verb: Select, Exists: true, Table: "t", Reads: list("t", "u")})},
	{"SELECT x.id FROM (SELECT id FROM orders WHERE paid = $1) AS x WHERE x.id > $2", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"), Where: list("paid", "id"),
	})},
	{"SELECT id, (SELECT count(*) FROM items i WHERE i.order_id = o.id) FROM orders o", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders", "items"), Columns: list("id"),
	})},
	{"SELECT EXISTS(SELECT 1 FROM processed WHERE event_id = $1)", one(Statement{
		Verb: Select, Exists: true, Table: "processed", Reads: list("processed"), Where: list("event_id"),
	})},
	{"SELECT id FROM a WHERE id IN (SELECT a_id FROM b WHERE c = $1)", one(Statement{
		Verb: Select, Table: "a", Reads: list("a", "b"), Columns: list("id"), Where: list("id"),
	})},
	{"SELECT a FROM t UNION ALL SELECT b FROM u WHERE c = ?", one(Statement{
		Verb: Select, Table: "t", Reads: list("t", "u"), Columns: list("a"), Where: list("c"),
	})},
	{"(SELECT a FROM t) UNION (SELECT a FROM u)", one(Statement{Verb: Select, Table: "t", Reads: list("t", "u")})},
	{"((SELECT a FROM t))", one(Statement{Verb: Select, Table: "t", Reads: list("t")})},
	{"SELECT n FROM generate_series(1, $1) AS g(n)", one(Statement{Verb: Select, Columns: list("n")})},
	{"SELECT v FROM (VALUES (1), (2)) AS x(v), LATERAL f(x.v) y, t", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("v"),
	})},
	{"SELECT u.k FROM unnest($1::text[]) WITH ORDINALITY AS u(k, i) JOIN ONLY t ON t.k = u.k", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("k"),
	})},
	{"SELECT extract(epoch FROM created) FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t")})},
	{"SELECT sysdate FROM dual", one(Statement{Verb: Select})},
	{"SELECT * FROM t FINAL WHERE a = {id:UInt64}", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Where: list("a"),
	})},
	{"SELECT a FROM t@{FORCE_INDEX=i} WHERE b = @b", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b"),
	})},
	{"@{LOCK_SCANNED_RANGES=exclusive} SELECT a FROM t", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"),
	})},
	{"SELECT offset, limit FROM t WHERE offset > $1 AND limit IS DISTINCT FROM 3", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("offset"), Where: list("offset"),
	})},
	{"SELECT a FROM t WHERE x = ANY($1) AND (y LIKE ? OR f(z) < now() - INTERVAL '1 day') AND w BETWEEN $2 AND $3 " +
		"AND v::date = DATE '2024-01-01' AND $4 = u AND (r, s) > ($5, $6) AND q IS NOT DISTINCT FROM $7", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"),
		Where: list("x", "y", "z", "w", "v", "u", "r", "s", "q"),
	})},
	{"SELECT a FROM t WHERE d > NOW() - INTERVAL ? DAY AND e = CAST(? AS SIGNED) AND f = ? COLLATE nocase", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("d", "e", "f"),
	})},
	{"SELECT a FROM t WHERE d AT TIME ZONE 'utc' > $1 AND e AT TIME ZONE $2 = f", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("d", "e", "f"),
	})},
	{"SELECT id INTO archive FROM orders", one(Statement{
		Verb: Insert, Table: "archive", Reads: list("orders"), Columns: list("id"),
	})},
	{"SELECT id INTO #tmp FROM orders", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"),
	})},
	{"SELECT id INTO @v FROM orders", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"),
	})},
	{"SELECT id FROM orders INTO OUTFILE '/tmp/x'", one(Statement{
		Verb: Select, Table: "orders", Reads: list("orders"), Columns: list("id"),
	})},
	{"SELECT pg_notify('orders', $1)", one(Statement{Verb: Select, Notify: true})},
	{"SELECT pg_notify_x($1)", one(Statement{Verb: Select})},
	{"DECLARE c CURSOR FOR SELECT id FROM t", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("id"),
	})},
}

var pollCases = []parseCase{
	{"SELECT id FROM outbox ORDER BY id", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT id FROM outbox LIMIT 10", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT TOP (10) id FROM outbox", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT TOP 10 id FROM outbox", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT id FROM outbox OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE ROWNUM <= 5", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE published_at IS NULL", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("published_at"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE published_at IS NOT NULL", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("published_at"),
	})},
	{"SELECT id FROM outbox WHERE deleted_at IS NULL AND id = $1", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("deleted_at", "id"),
	})},
	{"SELECT id FROM outbox WHERE sent = false", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("sent"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE NOT sent", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("sent"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE sent IS NOT TRUE", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("sent"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE status = 'new'", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE status='new'", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status"), Polls: true,
	})},
	{`SELECT id FROM outbox WHERE status = "new" OR status IN ("a", "b")`, one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE status = N'new'", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE status != 'done'", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE status IN (0, 1)", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status"), Polls: true,
	})},
	{"SELECT id FROM outbox WHERE status = $1 AND kind IN ($2, $3)", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Where: list("status", "kind"),
	})},
	{"SELECT row_number() OVER (ORDER BY id) FROM outbox WHERE 1=1", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"),
	})},
	{"SELECT 1 LIMIT 1", one(Statement{Verb: Select})},
	{"SELECT * FROM (SELECT id FROM outbox ORDER BY id LIMIT 5) x", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Polls: true,
	})},
	{"SELECT id FROM a WHERE id IN (SELECT id FROM a WHERE sent IS NULL LIMIT 9)", one(Statement{
		Verb: Select, Table: "a", Reads: list("a"), Columns: list("id"), Where: list("id"), Polls: true,
	})},
	{"SELECT EXISTS (SELECT 1 FROM a WHERE id = $1 LIMIT 1)", one(Statement{
		Verb: Select, Exists: true, Table: "a", Reads: list("a"), Where: list("id"),
	})},
	{"SELECT id FROM a WHERE id = (SELECT max(id) FROM b ORDER BY 1 LIMIT 1)", one(Statement{
		Verb: Select, Table: "a", Reads: list("a", "b"), Columns: list("id"), Where: list("id"),
	})},
}

func TestSelect(t *testing.T) { checkParse(t, selectCases) }

func TestPolls(t *testing.T) { checkParse(t, pollCases) }
