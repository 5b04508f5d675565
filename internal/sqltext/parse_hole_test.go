package sqltext

import "testing"

var holeCases = []parseCase{
	{"§", nil},
	{"§ §", nil},
	{"§, §", nil},
	{"§(a, b) VALUES (?, ?)", one(Statement{Verb: Insert, Table: Hole, Sets: list("a", "b")})},
	{"§: user not found", nil},
	{"§ is over the limit (§)", nil},
	{"SELECT §", one(Statement{Verb: Select})},
	{"SELECT § FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t")})},
	{"SELECT id, § FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t")})},
	{"SELECT id FROM §", one(Statement{Verb: Select, Table: Hole, Reads: list(Hole), Columns: list("id")})},
	{"SELECT id FROM %s WHERE id = %d", one(Statement{
		Verb: Select, Table: Hole, Reads: list(Hole), Columns: list("id"), Where: list("id"),
	})},
	{"SELECT id FROM {{.Table}} WHERE id = $1", one(Statement{
		Verb: Select, Table: Hole, Reads: list(Hole), Columns: list("id"), Where: list("id"),
	})},
	{"SELECT id FROM `§`.`§`", one(Statement{Verb: Select, Table: Hole, Reads: list(Hole), Columns: list("id")})},
	{"SELECT id FROM §.outbox o", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"),
	})},
	{"SELECT id FROM §outbox", one(Statement{
		Verb: Select, Table: Hole + "outbox", Reads: list(Hole + "outbox"), Columns: list("id"),
	})},
	{"SELECT id FROM outbox_§ WHERE a = 1", one(Statement{
		Verb: Select, Table: "outbox_" + Hole, Reads: list("outbox_" + Hole), Columns: list("id"), Where: list("a"),
		Polls: true,
	})},
	{"SELECT id FROM outbox§", one(Statement{Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id")})},
	{"SELECT id FROM outbox §", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"),
	})},
	{"SELECT id FROM outbox §ORDER BY id", one(Statement{
		Verb: Select, Table: "outbox", Reads: list("outbox"), Columns: list("id"), Polls: true,
	})},
	{"SELECT id FROM t JOIN § ON § WHERE §", one(Statement{
		Verb: Select, Table: "t", Reads: list("t", Hole), Columns: list("id"), Where: list(Hole),
	})},
	{"SELECT id FROM t WHERE a = $1 § ORDER BY §", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("id"), Where: list("a", Hole), Polls: true,
	})},
	{"SELECT id FROM t WHERE a = § AND b IN (§) AND § = $1 AND (§)", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("id"), Where: list("a", "b", Hole),
	})},
	{"SELECT id FROM t WHERE a = @id§", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("id"), Where: list("a", Hole),
	})},
	{"SELECT id FROM t WHERE a = $§ AND b = @p§ AND c = :§", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("id"), Where: list("a", "b", "c"),
	})},
	{"SELECT id FROM t WHERE a IN (SELECT b FROM u WHERE §", one(Statement{
		Verb: Select, Table: "t", Reads: list("t", "u"), Columns: list("id"), Where: list("a"),
	})},
	{"SELECT id FROM (§) x", one(Statement{Verb: Select, Table: Hole, Reads: list(Hole), Columns: list("id")})},
	{"§ FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t")})},
	{"§ WHERE id = $1", one(Statement{Table: Hole, Where: list("id")})},
	{"§ WHERE id = $1 FOR UPDATE", one(Statement{Verb: Select, Table: Hole, Where: list("id"), Lock: ForUpdate})},
	{"§ FOR UPDATE SKIP LOCKED", one(Statement{Verb: Select, Table: Hole, Lock: SkipLocked})},
	{"§ ORDER BY id LIMIT 5", one(Statement{Verb: Select, Table: Hole})},
	{"§ RETURNING id", one(Statement{Table: Hole, Returning: true})},
	{"§ SELECT a FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t"), Columns: list("a")})},
	{"§UPDATE t SET a = 1", one(Statement{Verb: Update, Table: "t", Sets: list("a")})},
	{"§ INTO t (a) VALUES (1)", one(Statement{Verb: Insert, Table: "t", Sets: list("a")})},
	{"§ (a) VALUES (1)", one(Statement{Verb: Insert, Table: Hole, Sets: list("a")})},
	{"§ VALUES (1)", one(Statement{Verb: Insert, Table: Hole})},
	{"§ ON CONFLICT (id) DO NOTHING", one(Statement{Verb: Insert, Table: Hole, Conflict: DoNothing})},
	{"§ SET a = a + 1 WHERE id = $1", one(Statement{
		Verb: Update, Table: Hole, Sets: list("a"), Increments: list("a"), Where: list("id"),
	})},
	{"§ t SET a = 1", one(Statement{Verb: Update, Table: "t", Sets: list("a")})},

	{"UPDATE §", one(Statement{Verb: Update, Table: Hole})},
	{"UPDATE t §", one(Statement{Verb: Update, Table: "t"})},
	{"UPDATE § SET a = 1", one(Statement{Verb: Update, Table: Hole, Sets: list("a")})},
	{"UPDATE t SET §", one(Statement{Verb: Update, Table: "t", Sets: list(Hole)})},
	{"UPDATE t SET § WHERE id = $1", one(Statement{Verb: Update, Table: "t", Sets: list(Hole), Where: list("id")})},
	{"UPDATE t SET a = §, § = $1 WHERE §", one(Statement{
		Verb: Update, Table: "t", Sets: list("a", Hole), Where: list(Hole),
	})},
	{"UPDATE t SET § = § + 1", one(Statement{Verb: Update, Table: "t", Sets: list(Hole)})},
	{"UPDATE § SET n = x.n + 1, m = s.m + 1 FROM s", one(Statement{
		Verb: Update, Table: Hole, Reads: list("s"), Sets: list("n", "m"), Increments: list("n"),
	})},
	{"UPDATE (SELECT a FROM t) SET a = 1", one(Statement{
		Verb: Update, Table: Hole, Reads: list("t"), Sets: list("a"),
	})},
	{"UPDATE § SET n = §.n + 1 WHERE §", one(Statement{
		Verb: Update, Table: Hole, Sets: list("n"), Increments: list("n"), Where: list(Hole),
	})},
	{"DELETE §", one(Statement{Verb: Delete, Table: Hole})},
	{"DELETE FROM §", one(Statement{Verb: Delete, Table: Hole})},
	{"DELETE FROM t §", one(Statement{Verb: Delete, Table: "t"})},
	{"DELETE FROM t WHERE §", one(Statement{Verb: Delete, Table: "t", Where: list(Hole)})},
	{"DELETE § FROM t WHERE a = 1", one(Statement{Verb: Delete, Table: "t", Where: list("a")})},
	{"INSERT §", one(Statement{Verb: Insert, Table: Hole})},
	{"INSERT § INTO t (a) VALUES (1)", one(Statement{Verb: Insert, Table: "t", Sets: list("a")})},
	{"INSERT INTO §", one(Statement{Verb: Insert, Table: Hole})},
	{"INSERT INTO § (§) VALUES (§)", one(Statement{Verb: Insert, Table: Hole, Sets: list(Hole)})},
	{"INSERT INTO t §", one(Statement{Verb: Insert, Table: "t"})},
	{"INSERT INTO t (a, §) VALUES (?, ?) ON CONFLICT §", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("a", Hole), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (a) VALUES § ON CONFLICT DO §", one(Statement{
		Verb: Upsert, Table: "t", Sets: list("a"), Conflict: DoUpdate,
	})},
	{"INSERT INTO t (a) VALUES (1) §", one(Statement{Verb: Insert, Table: "t", Sets: list("a")})},
	{"TRUNCATE §", one(Statement{Verb: Truncate, Table: Hole})},
	{"COPY § FROM STDIN", one(Statement{Verb: Copy, Table: Hole})},
	{"CREATE TABLE § (id int)", one(Statement{Verb: DDL, Table: Hole})},
	{"CALL §", one(Statement{Verb: Call})},
	{"SELECT 1; §; DELETE FROM t", []Statement{{Verb: Select}, {Verb: Delete, Table: "t"}}},
}

// proseCases begin like SQL and are none.
var proseCases = []parseCase{
	{"", nil},
	{"hello world", nil},
	{"Update the user", nil},
	{"update user %d failed: %v", nil},
	{"Update the settings and set the clock", nil},
	{"UPDATE failed", nil},
	{"insert failed", nil},
	{"Insert into the list", nil},
	{"insert coin into slot", nil},
	{"Insert values here", nil},
	{"delete the file", nil},
	{"Delete file from disk", nil},
	{"delete from the cart", nil},
	{"DELETE /orders/{id}", nil},
	{"merge branch into main", nil},
	{"replace the disk", nil},
	{"copy file from a to b", nil},
	{"call the doctor", nil},
	{"do it", nil},
	{"Execute the plan now", nil},
	{"create a user", nil},
	{"drop it", nil},
	{"set the value", nil},
	{"set foo: %w", nil},
	{"show me the way", nil},
	{"start the engine", nil},
	{"Begin the work", nil},
	{"commit failed: %w", nil},
	{"end of file", nil},
	{"rollback failed", nil},
	{"release the lock now", nil},
	{"notify the user", nil},
	{"listen on port", nil},
	{"lock the door", nil},
	{"truncate the log file", nil},
	{"grant access", nil},
	{"load the page", nil},
	{"declare victory", nil},
	{"if you select it", nil},
	{"explain this", nil},
	{"\x00\xff", nil},
	{"with", nil},
}

// lexCases are about tokens.
var lexCases = []parseCase{
	{"UPDATE t SET a = 'it''s; SET b = 2', c = E'x\\'y; z' WHERE d = $1", one(Statement{
		Verb: Update, Table: "t", Sets: list("a", "c"), Where: list("d"),
	})},
	{`UPDATE t SET a = 'it\'s; DELETE FROM u' WHERE b = ?`, one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b"),
	})},
	{`UPDATE t SET a = '\' WHERE b = $1`, one(Statement{Verb: Update, Table: "t", Sets: list("a"), Where: list("b")})},
	{"UPDATE t SET a = $q$ x; DELETE FROM u; $q$ WHERE b = 1", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b"),
	})},
	{"UPDATE t SET a = $name WHERE b = $other", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b"),
	})},
	{"UPDATE t -- SET x = 1\nSET a = 1 /* WHERE c = 3; */ WHERE b != 'y'", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b"),
	})},
	{"UPDATE t SET a=1 WHERE b!=2 AND c<>? AND d>=:e AND f<=@g AND h=:i::int", one(Statement{
		Verb: Update, Table: "t", Sets: list("a"), Where: list("b", "c", "d", "f", "h"),
	})},
	{"SELECT a FROM t/*x*/WHERE b/c > 1", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b", "c"),
	})},
	{"SELECT*FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t")})},
	{"SELECT a FROM t WHERE j->>'k' = $1 AND l @> $2 AND m ?| $3 AND n[1] = 4", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("j", "l", "m", "n"),
	})},
	{"SELECT a FROM t WHERE b = ARRAY [c] AND d = ANY(ARRAY[e])", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b", "c", "d", "e"),
	})},
	{"SELECT größe FROM Übersicht", one(Statement{
		Verb: Select, Table: "übersicht", Reads: list("übersicht"), Columns: list("größe"),
	})},
	{"SELECT a FROM t WHERE b = 'unclosed", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b"), Polls: true,
	})},
	{`SELECT a FROM "unclosed`, one(Statement{Verb: Select, Columns: list("a")})},
	{"SELECT a FROM `unclosed", one(Statement{
		Verb: Select, Table: "unclosed", Reads: list("unclosed"), Columns: list("a"),
	})},
	{"SELECT a FROM `p.d.t`, x..y", one(Statement{
		Verb: Select, Table: "t", Reads: list("t", "y"), Columns: list("a"),
	})},
	{"SELECT a\x00FROM t", one(Statement{Verb: Select, Table: "t", Reads: list("t"), Columns: list("a")})},
	{"SELECT a FROM t WHERE b = 1 -- it's", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b"), Polls: true,
	})},
	{"SELECT a FROM t WHERE (((b = 1)", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b"), Polls: true,
	})},
	{"SELECT a FROM t) WHERE b = 1", one(Statement{
		Verb: Select, Table: "t", Reads: list("t"), Columns: list("a"), Where: list("b"), Polls: true,
	})},
}

func TestHoles(t *testing.T) { checkParse(t, holeCases) }

func TestProse(t *testing.T) { checkParse(t, proseCases) }

func TestTokens(t *testing.T) { checkParse(t, lexCases) }
