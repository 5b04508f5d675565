package sqltext

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzParse checks what holds for any text: Parse ends, agrees with Looks, and gives names in lower case, few of them.
func FuzzParse(f *testing.F) {
	for _, c := range allCases() {
		f.Add(c.sql())
	}
	for _, c := range changeCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements := Parse(text)
		if len(statements) > 0 {
			require.True(t, Looks(text))
		}
		for _, s := range statements {
			checkStatement(t, s)
		}
		for _, c := range Changes(text) {
			checkNames(t, append([]string{c.Table, c.Name, c.To}, c.Columns...))
			require.Equal(t, c.Op == AddKey, len(c.Columns) > 0)
		}
	})
}

func checkStatement(t *testing.T, s Statement) {
	for _, names := range [][]string{{s.Table}, s.Reads, s.Sets, s.Increments, s.Columns, s.Where, s.Guards} {
		checkNames(t, names)
		require.LessOrEqual(t, len(names), maxNames)
	}
	for _, col := range s.Increments {
		require.Contains(t, s.Sets, col)
	}
	for _, col := range s.Guards {
		guessed := versions[col] && slices.ContainsFunc(s.Sets, HasHole)
		require.True(t, col == NotExists || guessed || contains(s.Sets, col), "guard %q is not assigned", col)
	}
	require.False(t, s.Polls && s.Verb != Select)
	if s.Writes() {
		require.NotEmpty(t, s.Table)
	}
}

func checkNames(t *testing.T, names []string) {
	for _, n := range names {
		require.Equal(t, strings.ToLower(n), n)
	}
}

func contains(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return false
}

// TestLongTexts holds Parse to a second for a megabyte of statements, and for a quarter of one of anything. The work is
// linear: a text on which it is not takes minutes.
func TestLongTexts(t *testing.T) {
	const size, limit = 256 << 10, time.Second
	statements := strings.Repeat("UPDATE t SET a = a + 1, b = $1 WHERE id = $2 AND status = 'new';\n", 4*size/64)
	assert.Len(t, Parse(statements), 4*size/64)
	assert.Less(t, quickest(limit, func() { Parse(statements) }), limit)

	for name, c := range map[string]struct{ head, body string }{
		"rows":         {"INSERT INTO t (a, b, c) VALUES ", "(1, 'x''y', $3), "},
		"statements":   {"", "UPDATE t SET a = a + 1 WHERE id = $1 AND status = 'new';\n"},
		"unseparated":  {"", "UPDATE t SET a = a + 1 WHERE id = 1 "},
		"tables":       {"SELECT 1 FROM a", ", b JOIN c ON true"},
		"columns":      {"SELECT a", ", b"},
		"conditions":   {"UPDATE t SET a = 1 WHERE b = 2", " AND (c = 1 OR d IS NULL)"},
		"assignments":  {"UPDATE t SET a = 1", ", b = COALESCE(b, 0) + 1"},
		"parentheses":  {"SELECT ", "("},
		"sub-selects":  {"SELECT * FROM ", "(SELECT * FROM a, "},
		"nested sets":  {"UPDATE t SET a = ", "(a, "},
		"row sets":     {"UPDATE t SET (a, b, c) = (", "a, b, c, "},
		"ctes":         {"WITH x AS (SELECT 1)", ", y AS (SELECT 1 FROM x)"},
		"nested ctes":  {"", "WITH x AS ("},
		"unions":       {"SELECT 1", " UNION SELECT a FROM b WHERE c"},
		"cases":        {"UPDATE t SET a = ", "CASE WHEN a "},
		"conflicts":    {"INSERT INTO t VALUES (1)", " ON CONFLICT (a) DO UPDATE SET b = b + 1"},
		"withs":        {"", "WITH "},
		"ifs":          {"", "IF NOT EXISTS (SELECT 1) "},
		"elses":        {"", "ELSE "},
		"begins":       {"", "BEGIN IF "},
		"triggers":     {"", "CREATE TRIGGER x BEGIN "},
		"dots":         {"SELECT ", "a."},
		"quotes":       {"SELECT ", `"."`},
		"mixed quotes": {"SELECT ", "a\"b`c'd"},
		"backticks":    {"SELECT ", "`a` "},
		"brackets":     {"SELECT ", "[a"},
		"braces":       {"SELECT ", "{{a"},
		"hints":        {"SELECT ", "@{a"},
		"dollars":      {"SELECT ", "$a "},
		"dollar tags":  {"SELECT ", "$a$b$"},
		"operators":    {"SELECT ", "?|:@%#-+"},
		"signs":        {"SELECT 1 ", "=:a"},
		"slashes":      {"SELECT ", "a/*b/"},
		"bangs":        {"SELECT ", "a!b@c#"},
		"zeros":        {"SELECT ", "\x00"},
		"bytes":        {"SELECT ", "\xff\xc3"},
		"holes":        {"", Hole},
		"spaced holes": {"", Hole + " "},
		"comments":     {"", "-- a\n"},
		"starts":       {"", "/*"},
		"tables made":  {"CREATE TABLE t (", "a int PRIMARY KEY, "},
		"semicolons":   {"", ";"},
		"in lists":     {"SELECT a FROM t WHERE b IN (", "1, "},
		"blocks":       {"DO $$ BEGIN ", "UPDATE t SET a = a + 1; "},
		"ands":         {"UPDATE t SET a = 1 WHERE ", "AND NOT "},
	} {
		text := c.head + strings.Repeat(c.body, size/len(c.body))
		assert.Less(t, quickest(limit, func() { Parse(text) }), limit, name)
		assert.Less(t, quickest(limit, func() { Changes(text) }), limit, name)
	}
}

// quickest returns how long f takes at best, since the machine may be busy. It tries again only above limit.
func quickest(limit time.Duration, f func()) time.Duration {
	best := time.Hour
	for range 5 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
		if best < limit {
			break
		}
	}
	return best
}

func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"select", "SELECT id, payload FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED"},
		{"upsert", "INSERT INTO t (id, n) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET n = t.n + EXCLUDED.n RETURNING n"},
		{"cte", "WITH c AS (SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED) " +
			"UPDATE jobs j SET status = 'run' FROM c WHERE j.id = c.id RETURNING j.id"},
		{"prose", "could not find the user"},
		{"schema", strings.Repeat("CREATE TABLE t (id uuid PRIMARY KEY, a text, b int, UNIQUE (a, b));\n", 100)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				Parse(bench.text)
			}
		})
	}
}
