package sqltext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A parseCase is a text, with § for a hole, and the statements that Parse must find in it.
type parseCase struct {
	text string
	want []Statement
}

func (c parseCase) sql() string { return strings.ReplaceAll(c.text, "§", Hole) }

func checkParse(t *testing.T, cases []parseCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			require.Equal(t, c.want, Parse(c.sql()))
		})
	}
}

// one is the want of a text with a single statement.
func one(s Statement) []Statement { return []Statement{s} }

func list(names ...string) []string { return names }

// allCases are the seeds of the fuzz test and the corpus of the benchmark.
func allCases() []parseCase {
	var all []parseCase
	for _, cases := range [][]parseCase{
		selectCases, pollCases, updateCases, incrementCases, guardCases, deleteCases, insertCases, upsertCases, cteCases,
		lockCases, sessionCases, otherCases, batchCases, holeCases, proseCases, lexCases,
	} {
		all = append(all, cases...)
	}
	return all
}

func TestEnoughCases(t *testing.T) {
	assert.Greater(t, len(allCases()), 250)
}

func TestWrites(t *testing.T) {
	for text, want := range map[string][]bool{
		"INSERT INTO t VALUES (1)":   {true},
		"UPDATE t SET a = 1":         {true},
		"DELETE FROM t":              {true},
		"REPLACE INTO t VALUES (1)":  {true},
		"TRUNCATE t":                 {true},
		"COPY t FROM STDIN":          {true},
		"COPY t TO STDOUT":           {false},
		"SELECT * INTO u FROM t":     {true},
		"SELECT 1":                   {false},
		"SELECT * FROM t FOR UPDATE": {false},
		"WITH x AS (DELETE FROM t RETURNING *) SELECT 1": {true, false},
		"CALL p()":                          {false},
		"CREATE TABLE t (a int)":            {false},
		"BEGIN; UPDATE t SET a = 1; COMMIT": {false, true, false},
		"SET x = 1":                         {false},
		"LISTEN c":                          {false},
		"NOTIFY c":                          {false},
	} {
		var got []bool
		for _, s := range Parse(text) {
			got = append(got, s.Writes())
		}
		assert.Equal(t, want, got, text)
	}
}

func TestLooks(t *testing.T) {
	for _, text := range []string{
		"SELECT 1", " \n\tselect x", "-- name: Get :one\nSELECT 1", "/* a */ # b\n (SELECT 1)", "COMMIT", "begin", "VACUUM",
		"@{FORCE_INDEX=x} SELECT 1", Hole + " WHERE id = 1", Hole + "WHERE id = 1", "%s FROM t", "{{if .X}}SELECT 1{{end}}",
		"update the user", // only Parse can tell
	} {
		assert.True(t, Looks(text), text)
	}
	for _, text := range []string{
		"", " ", "hello world", "selection", "SELECT", "update", "-- only a comment", "/* unclosed SELECT 1", Hole,
		Hole + " and " + Hole, "the SELECT list", "100%", "%d items", "Ünsert into t", "from t",
	} {
		assert.False(t, Looks(text), text)
	}
}

func TestNames(t *testing.T) {
	assert.Equal(t, "upsert", Upsert.String())
	assert.Equal(t, "savepoint", Savepoint.String())
	assert.Equal(t, "unknown", Verb(200).String())
	assert.Equal(t, "do nothing", DoNothing.String())
	assert.Equal(t, "skip locked", SkipLocked.String())
	assert.True(t, HasHole("outbox_"+Hole))
	assert.False(t, HasHole("outbox"))
}
