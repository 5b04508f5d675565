package schema

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

func TestWhoMakesAndPrunesTables(t *testing.T) {
	fsys := fstest.MapFS{
		"migrations/001_init.up.sql":  {Data: []byte(`CREATE TABLE outbox (id bigint PRIMARY KEY); CREATE TABLE inbox (id text PRIMARY KEY);`)},
		"migrations/002_prune.up.sql": {Data: []byte(`SELECT cron.schedule('prune', '@daily', $$DELETE FROM outbox WHERE sent$$);`)},
		"docs/schema.sql":             {Data: []byte(`CREATE TABLE letters (id bigint PRIMARY KEY)`)},
		"store/store.go":              {Data: []byte("package store\n\nconst schema = `CREATE TABLE bulletins (id bigint PRIMARY KEY)`\n")},
	}
	s := &Schema{tables: map[string][]*table{}}
	s.read(fsys)
	for name, want := range map[string][3]bool{ // migrated, owned, shed
		"outbox":    {true, true, true},
		"inbox":     {true, true, false},
		"letters":   {false, false, false},
		"bulletins": {false, true, false},
		"nowhere":   {},
	} {
		assert.Equal(t, want, [3]bool{s.Migrates(name), s.Owns(name), s.Sheds(name)}, name)
	}
	var none *Schema
	assert.False(t, none.Owns("outbox") || none.Migrates("outbox") || none.Sheds("outbox"))
}
