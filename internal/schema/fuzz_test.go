package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRead checks what holds for any files: reading them ends, and what it gives is in lower case and not empty.
func FuzzRead(f *testing.F) {
	f.Add("-- +goose Up\nCREATE TABLE t (id serial PRIMARY KEY, a int UNIQUE);", "package a\ntype T struct { ID int `gorm:\"primaryKey;uniqueIndex:a,b\"` }")
	f.Add("COPY t FROM stdin;\n1\n\\.\nALTER TABLE t RENAME a TO b, DROP b; DROP INDEX a; CREATE TABLE t LIKE t",
		"package a\ntype T struct { ent.Schema }\nfunc (T) Fields() []ent.Field { return []ent.Field{field.Int(\"a\").Unique()} }\nfunc (T) Mixin() []ent.Mixin { return []ent.Mixin{T{}} }")
	f.Add("CREATE UNIQUE INDEX ON t (a); ALTER INDEX i RENAME TO j", "package a\ntype T struct { T; X []int `xorm:\"' unique( pk\" bun:\",unique:\"` }\nvar x = \"CREATE TABLE \" + y")
	f.Fuzz(func(t *testing.T, sql, code string) {
		s := files{"m/1.sql": sql, "m/2.sql": sql, "a/a.go": code}.schema()
		for _, name := range s.Tables() {
			require.NotEmpty(t, name)
			keys, _ := s.Keys(name)
			for _, k := range keys {
				require.NotEmpty(t, k)
				for _, col := range k {
					require.Equal(t, strings.ToLower(col), col)
				}
			}
			s.Generated(name)
		}
	})
}
