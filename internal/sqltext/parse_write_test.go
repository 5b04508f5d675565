package sqltext

import "testing"

var updateCases = []parseCase{
	{"UPDATE orders SET status = $1 WHERE id = $2", one(Statement{
		Verb: Update, Table: "orders", Sets: list("status"), Where: list("id"),
	})},
	{"update ONLY public.orders AS o set status='x', note = 'a, b' where o.id=:id returning o.id", one(Statement{
		Verb: Update, Table: "orders", Sets: list("status", "note"), Where: list("id"), Returning: true,
	})},
	{"UPDATE `orders` o JOIN users u ON u.id = o.user_id SET o.name = u.name WHERE u.id = ?", one(Statement{
		Verb: Update, Table: "orders", Reads: list("users"), Sets: list("name"), Where: list("id"),
	})},
	{"UPDATE a, b SET a.x = b.x WHERE a.id = b.id", one(Statement{
		Verb: Update, Table: "a", Reads: list("b"), Sets: list("x"), Where: list("id"),
	})},
	{"UPDATE o SET o.x = 1 FROM dbo.Orders AS o INNER JOIN u ON u.id = o.u WHERE u.y = @p1", one(Statement{
		Verb: Update, Table: "orders", Reads: list("u"), Sets: list("x"), Where: list("y"),
	})},
	{"UPDATE orders SET x = s.x FROM orders s WHERE s.id = orders.parent", one(Statement{
		Verb: Update, Table: "orders", Reads: list("orders"), Sets: list("x"), Where: list("id", "parent"),
	})},
	{"UPDATE t SET (a, b) = (SELECT x, y FROM u WHERE u.id = t.id), c = DEFAULT", one(Statement{
		Verb: Update, Table: "t", Reads: list("u"), Sets: list("a", "b", "c"),
	})},
	{"UPDATE [dbo].[orders] SET [status] = N'x' OUTPUT inserted.id, deleted.status WHERE [id] = @p1", one(Statement{
		Verb: Update, Table: "orders", Sets: list("status"), Where: list("id"), Returning: true,
	})},
	{"UPDATE t SET a = @a WHERE b = @b THEN RETURN a", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b"), Returning: true,
	})},
	{"UPDATE OR IGNORE t SET a = ? WHERE b = ? LIMIT 1", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b"),
	})},
	{"UPDATE LOW_PRIORITY IGNORE t SET limit = 3, set = 4", one(Statement{
		Verb: Update, Table: "t", Sets: list("limit", "set"),
	})},
	{"UPDATE TOP (5) t SET @v = a = 1", one(Statement{Verb: Update, Table: "t", Sets: list("a")})},
	{"UPDATE t USING TTL 60 SET a = ? WHERE k = ?", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("k"),
	})},
	{"UPDATE t SET m['k'] = ? WHERE k = ?", one(Statement{Verb: Update, Table: "t", Sets: list("m"), Where: list("k")})},
	{"UPDATE t SET a = CASE WHEN b THEN 1 ELSE 2 END, from_date = $1 WHERE c = $2", one(Statement{
		Verb: Update, Table: "t", Sets: list("a", "from_date"), Where: list("c"),
	})},
	{"ALTER TABLE t UPDATE n = n + 1 WHERE id = 3", one(Statement{
		Verb: Update, Table: "t", Sets: list("n"), Increments: list("n"), Where: list("id"),
	})},
	{"ALTER TABLE t DELETE WHERE id = 3", one(Statement{Verb: Delete, Table: "t", Where: list("id")})},
}

func TestUpdate(t *testing.T) { checkParse(t, updateCases) }

// increment is the want of an update of t that increments x.
func increment(where ...string) []Statement {
	return one(Statement{Verb: Update, Table: "t", Sets: list("x"), Increments: list("x"), Where: where})
}

func assignment(where ...string) []Statement {
	return one(Statement{Verb: Update, Table: "t", Sets: list("x"), Where: where})
}

var incrementCases = []parseCase{
	{"UPDATE t SET x = x + 1", increment()},
	{"UPDATE t SET x=x+1", increment()},
	{"UPDATE t SET x=x-1", increment()},
	{"UPDATE t SET x = x - $1 WHERE id = $2", increment("id")},
	{"UPDATE t SET x=x-$1 WHERE id=$2", increment("id")},
	{"UPDATE t SET x=x+? WHERE id=?", increment("id")},
	{"UPDATE t SET x=x+:n WHERE id=:id", increment("id")},
	{"UPDATE t SET x=x+@n WHERE id=@id", increment("id")},
	{"UPDATE t SET x = x * 2", increment()},
	{"UPDATE t SET x = $1 + x", increment()},
	{"UPDATE t SET x = t.x - $1", increment()},
	{"UPDATE public.t AS a SET x = a.x - $1", increment()},
	{`UPDATE "T" SET "X" = "T"."X" + 1`, increment()},
	{"UPDATE `t` SET `x` = `x` + 1", increment()},
	{"UPDATE [t] SET [x] = [x] + 1", increment()},
	{"UPDATE t SET x = COALESCE(x, 0) + $1", increment()},
	{"UPDATE t SET x = IFNULL(t.x,0)+1", increment()},
	{"UPDATE t SET x = COALESCE(CAST(x AS int), 0) + 1", increment()},
	{"UPDATE t SET x = GREATEST(x - $1, 0)", increment()},
	{"UPDATE t SET x = CASE WHEN x > 0 THEN x - 1 ELSE 0 END", increment()},
	{"UPDATE t SET x = (x + 1)", increment()},
	{"UPDATE t SET x = x::int + 1", increment()},
	{"UPDATE t SET x = ((x->>'n')::int + 1)::text", increment()},
	{"UPDATE t SET x = x + (SELECT n FROM u)", one(Statement{
		Verb: Update, Table: "t", Reads: list("u"), Sets: list("x"), Increments: list("x"),
	})},
	{"UPDATE t SET x += 1", increment()},
	{"UPDATE t SET x -= @p1", increment()},
	{"UPDATE t SET x = x § $1", increment()},
	{"UPDATE t JOIN u ON t.id = u.id SET u.x = u.x + 1", one(Statement{
		Verb: Update, Table: "t", Reads: list("u"), Sets: list("x"), Increments: list("x"),
	})},
	{"UPDATE t SET (x, y) = (x + 1, $1)", one(Statement{
		Verb: Update, Table: "t", Sets: list("x", "y"), Increments: list("x"),
	})},
	{"UPDATE t SET c = c + 1 WHERE k = ?", one(Statement{
		Verb: Update, Table: "t", Sets: list("c"), Increments: list("c"), Where: list("k"),
	})},

	{"UPDATE t SET x = y + 1", assignment()},
	{"UPDATE t SET x = x", assignment()},
	{"UPDATE t SET x = -x", assignment()},
	{"UPDATE t SET x = $1 - 1", assignment()},
	{"UPDATE t SET x = COALESCE(x, $1 + 1)", assignment()},
	{"UPDATE t SET x = CASE WHEN now() - x > $1 THEN now() ELSE x END", assignment()},
	{"UPDATE t SET x = x || $1", assignment()},
	{"UPDATE t SET x = x - 'key'", assignment()},
	{"UPDATE t SET x = x + {'a'} WHERE k = ?", assignment("k")},
	{"UPDATE t SET x = 'x + 1'", assignment()},
	{"UPDATE t SET x = §", assignment()},
	{"UPDATE t SET x = x(1) + 1", assignment()},
	{"UPDATE t SET x = s.x + 1 FROM s", one(Statement{Verb: Update, Table: "t", Reads: list("s"), Sets: list("x")})},
}

func TestIncrements(t *testing.T) { checkParse(t, incrementCases) }

var guardCases = []parseCase{
	{"UPDATE t SET status = 'b' WHERE id = $1 AND status = 'a'", one(Statement{
		Verb: Update, Table: "t", Sets: list("status"), Where: list("id", "status"), Guards: list("status"),
	})},
	{"UPDATE t SET a = $1, version = version + 1 WHERE id = $2 AND version = $3", one(Statement{
		Verb: Update, Table: "t", Sets: list("a", "version"), Increments: list("version"), Where: list("id", "version"),
		Guards: list("version"),
	})},
	{"UPDATE t SET paid_at = now() WHERE id = $1 AND paid_at IS NULL", one(Statement{
		Verb: Update, Table: "t", Sets: list("paid_at"), Where: list("id", "paid_at"), Guards: list("paid_at"),
	})},
	{"UPDATE t SET seen = $1 WHERE id = $2 AND seen < $1", one(Statement{
		Verb: Update, Table: "t", Sets: list("seen"), Where: list("id", "seen"), Guards: list("seen"),
	})},
	{"UPDATE t SET status = $1 WHERE id = $2 AND status NOT IN ('x', 'y')", one(Statement{
		Verb: Update, Table: "t", Sets: list("status"), Where: list("id", "status"), Guards: list("status"),
	})},
	{"UPDATE stock SET n = n - $1 WHERE id = $2 AND n >= $1", one(Statement{ // enough is no proof of once
		Verb: Update, Table: "stock", Sets: list("n"), Increments: list("n"), Where: list("id", "n"),
	})},
	{"UPDATE t SET a = 1 WHERE b = 2", one(Statement{Verb: Update, Table: "t", Sets: list("a"), Where: list("b")})},
	{"UPDATE t SET status = 'b' FROM u WHERE u.status = 'a' AND u.id = t.id", one(Statement{
		Verb: Update, Table: "t", Reads: list("u"), Sets: list("status"), Where: list("status", "id"),
	})},
	{"UPDATE t SET " + Hole + " WHERE id = $1 AND version = $2", one(Statement{
		Verb: Update, Table: "t", Sets: list(Hole), Where: list("id", "version"), Guards: list("version"),
	})},
	{"UPDATE t SET x = x + 1 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM seen WHERE event = $2)", one(Statement{
		Verb: Update, Table: "t", Reads: list("seen"), Sets: list("x"), Increments: list("x"), Where: list("id"),
		Guards: list(NotExists),
	})},
	{"UPDATE t SET x = x + 1 WHERE EXISTS (SELECT 1 FROM seen WHERE event = $2)", one(Statement{
		Verb: Update, Table: "t", Reads: list("seen"), Sets: list("x"), Increments: list("x"),
	})},
	{"UPDATE t SET status = 'run' WHERE id IN (SELECT id FROM t WHERE status = 'new' LIMIT 5)", one(Statement{
		Verb: Update, Table: "t", Reads: list("t"), Sets: list("status"), Where: list("id"), Guards: list("status"),
	})},
	{"UPDATE t SET status = 'run' WHERE id IN (SELECT id FROM u WHERE status = 'new')", one(Statement{
		Verb: Update, Table: "t", Reads: list("u"), Sets: list("status"), Where: list("id"),
	})},
	{"UPDATE t SET status = ? WHERE id = ? IF status = ?", one(Statement{
		Verb: Update, Table: "t", Sets: list("status"), Where: list("id", "status"), Guards: list("status"),
	})},
	{"UPDATE t SET a = if(b, 1, 2) WHERE id = ?", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("id"),
	})},
	{"INSERT INTO t (id) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE id = $1)", one(Statement{
		Verb: Insert, Table: "t", Reads: list("t"), Sets: list("id"), Guards: list(NotExists),
	})},
	{"INSERT INTO t (id, n, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET n = EXCLUDED.n, at = EXCLUDED.at " +
		"WHERE t.at < EXCLUDED.at", one(Statement{
		Verb: Upsert, Table: "t", Conflict: DoUpdate, Sets: list("id", "n", "at"), Where: list("at"), Guards: list("at"),
	})},
	{"SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u)", one(Statement{
		Verb: Select, Table: "t", Reads: list("t", "u"), Columns: list("a"),
	})},
}

func TestGuards(t *testing.T) { checkParse(t, guardCases) }

var deleteCases = []parseCase{
	{"DELETE FROM orders", one(Statement{Verb: Delete, Table: "orders"})},
	{"delete from ONLY public.orders as o where o.id = $1 returning *", one(Statement{
		Verb: Delete, Table: "orders", Where: list("id"), Returning: true,
	})},
	{"DELETE FROM orders o USING users u WHERE u.id = o.user_id", one(Statement{
		Verb: Delete, Table: "orders", Reads: list("users"), Where: list("id", "user_id"),
	})},
	{"DELETE o FROM users u JOIN orders o ON u.id = o.uid WHERE u.gone = ?", one(Statement{
		Verb: Delete, Table: "orders", Reads: list("users"), Where: list("gone"),
	})},
	{"DELETE a, b FROM a INNER JOIN b USING (id)", one(Statement{Verb: Delete, Table: "a", Reads: list("b")})},
	{"DELETE orders WHERE id = :1", one(Statement{Verb: Delete, Table: "orders", Where: list("id")})},
	{"DELETE TOP (10) FROM orders OUTPUT deleted.id WHERE x = @p1", one(Statement{
		Verb: Delete, Table: "orders", Where: list("x"), Returning: true,
	})},
	{"DELETE email FROM users WHERE id = ? IF EXISTS", one(Statement{Verb: Delete, Table: "users", Where: list("id")})},
	{"DELETE FROM users USING TIMESTAMP 1 WHERE id = ?", one(Statement{Verb: Delete, Table: "users", Where: list("id")})},
	{"DELETE FROM t WHERE id IN (SELECT id FROM t ORDER BY id LIMIT 5)", one(Statement{
		Verb: Delete, Table: "t", Reads: list("t"), Where: list("id"),
	})},
}

func TestDelete(t *testing.T) { checkParse(t, deleteCases) }
