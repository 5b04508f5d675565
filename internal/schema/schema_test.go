package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// files are the files of a module, by name.
type files map[string]string

func (fs files) schema() *Schema {
	m := fstest.MapFS{}
	for name, text := range fs {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s := &Schema{tables: map[string][]*table{}}
	s.read(m)
	return s
}

// keysOf writes what is known of a table: "id*; a b" has a generated id, and a question mark says that there may be more.
func keysOf(s *Schema, table string) string {
	keys, known := s.Keys(table)
	generated := map[string]bool{}
	for _, col := range s.Generated(table) {
		generated[col] = true
	}
	var out []string
	for _, k := range keys {
		for i, col := range k {
			if generated[col] {
				k = append(append(append([]string{}, k[:i]...), col+"*"), k[i+1:]...)
			}
		}
		out = append(out, strings.Join(k, " "))
	}
	text := strings.Join(out, "; ")
	if !known {
		text += "?"
	}
	return text
}

func TestNothingIsKnownOfNothing(t *testing.T) {
	var s *Schema
	assert.Equal(t, "?", keysOf(s, "t"))
	assert.Empty(t, s.Tables())
	assert.Empty(t, s.Columns("t"))
	assert.Zero(t, s.Failed())
	assert.Nil(t, Find(t.TempDir()))
	assert.Nil(t, Find(filepath.Join(t.TempDir(), "missing")))
	assert.Nil(t, Around(""))
}

func TestNormal(t *testing.T) {
	for _, pair := range [][2]string{
		{"order", "orders"}, {"inbox", "inboxes"}, {"category", "categories"}, {"movie", "movies"}, {"status", "statuses"},
		{"address", "addresses"}, {"cache", "caches"}, {"purchase", "purchases"}, {"key", "keys"}, {"person", "people"},
		{"outbox_message", "outbox_messages"}, {"o_auth_token", "oauth_tokens"}, {"bus", "bus"},
	} {
		assert.Equal(t, normal(pair[0]), normal(pair[1]), pair)
	}
	for _, pair := range [][2]string{{"order", "border"}, {"order", "order_item"}, {"inbox", "outbox"}, {"user", "use"}} {
		assert.NotEqual(t, normal(pair[0]), normal(pair[1]), pair)
	}
}

func TestSameTable(t *testing.T) {
	assert.True(t, SameTable("seen_message", "seen_messages"), "a model's name may be singular")
	assert.True(t, SameTable("SeenMessages", "seenmessages"))
	assert.False(t, SameTable("seen_messages", "messages"))
	assert.False(t, SameTable("", ""))
}

func TestLookup(t *testing.T) {
	s := files{
		"a/schema.sql": "CREATE TABLE log (id int PRIMARY KEY); CREATE TABLE logs (n int PRIMARY KEY)",
		"b/schema.sql": "CREATE TABLE log (id int, at int, UNIQUE (at))",
		"m/m.go": "package m\ntype Log struct { Code string `gorm:\"unique\"` }\n" +
			"type Box struct { ID int `gorm:\"primaryKey\"` }",
	}.schema()
	assert.Equal(t, "id; at; code", keysOf(s, "log"), "two histories and a model")
	assert.Equal(t, "n; code", keysOf(s, "LOGS"))
	assert.Equal(t, []string{"id", "at", "code"}, s.Columns("log"))
	assert.Equal(t, "id*?", keysOf(s, "boxes"), "nothing in the module creates it")
	assert.Equal(t, "?", keysOf(s, "dmlint_hole_"))
	assert.Equal(t, "?", keysOf(s, ""))
	assert.Equal(t, []string{"box", "log", "logs"}, s.Tables())
}

func TestFilesThatAreLeftOut(t *testing.T) {
	create := func(name string) string { return fmt.Sprintf("CREATE TABLE %s (id int PRIMARY KEY);", name) }
	s := files{
		"go.mod": "", "db/schema.sql": "\ufeff" + create("a"), "vendor/x/b.sql": create("b"), "node_modules/c.sql": create("c"),
		"testdata/d.sql": create("d"), ".git/e.sql": create("e"), "_old/f.sql": create("f"), "tools/go.mod": "module x",
		"tools/db/g.sql": create("g"), "h.txt": create("h"), "i_test.go": "package i\nvar s = `" + create("i") + "`",
		"big.sql": create("j") + strings.Repeat(" ", maxFileSize),
	}.schema()
	assert.Equal(t, []string{"a"}, s.Tables())
	assert.Equal(t, 1, s.Failed())
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.sql"), []byte("CREATE TABLE t (id int UNIQUE)"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.sql"), []byte("CREATE TABLE u (id int)"), 0o000))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "c"), 0o000))
	require.NoError(t, os.Symlink(filepath.Join(dir, "missing"), filepath.Join(dir, "d.sql")))
	s := Find(dir, filepath.Join(dir, "missing"))
	assert.Equal(t, "id", keysOf(s, "t"))
	assert.Positive(t, s.Failed())
}

func TestAroundReadsTheModuleOnce(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.sql"), []byte("CREATE TABLE t (id int UNIQUE)"), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "internal", "store"), 0o700))
	s := Around(filepath.Join(dir, "internal", "store"))
	assert.Equal(t, "id", keysOf(s, "t"))
	assert.Same(t, s, Around(dir))
}
