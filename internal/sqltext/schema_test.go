package sqltext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func keys(cols ...string) [][]string {
	var all [][]string
	for _, c := range cols {
		all = append(all, strings.Fields(c))
	}
	return all
}

var schemaCases = []struct {
	text string
	want []TableSchema
}{
	{"", nil},
	{"SELECT 1", nil},
	{"DROP TABLE t", nil},
	{"CREATE TABLE t (a int, b text)", []TableSchema{{Name: "t"}}},
	{"CREATE TABLE IF NOT EXISTS s.\"Inbox\" (\"Id\" uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
		[]TableSchema{{Name: "inbox", Unique: keys("id")}}},
	{"create table t (id serial primary key, mail varchar(255) unique not null, n numeric(10, 2))",
		[]TableSchema{{Name: "t", Unique: keys("id", "mail")}}},
	{"CREATE TABLE t (a int, b int, CONSTRAINT pk PRIMARY KEY (a, b), UNIQUE (b), CHECK (a > 0), " +
		"FOREIGN KEY (a) REFERENCES u(a))",
		[]TableSchema{{Name: "t", Unique: keys("a b", "b")}}},
	{"CREATE TABLE `t` (`id` int NOT NULL AUTO_INCREMENT, `k` int, PRIMARY KEY (`id`), " +
		"UNIQUE KEY `uk` (`k`, `id`) USING BTREE, KEY `ix` (`k`)) ENGINE=InnoDB",
		[]TableSchema{{Name: "t", Unique: keys("id", "k id")}}},
	{"CREATE TABLE [dbo].[t] ([id] int IDENTITY(1,1), CONSTRAINT [pk] PRIMARY KEY CLUSTERED ([id] ASC))",
		[]TableSchema{{Name: "t", Unique: keys("id")}}},
	{"CREATE TABLE t (a text, b int, c text, PRIMARY KEY ((a, b), c)) WITH CLUSTERING ORDER BY (c DESC)",
		[]TableSchema{{Name: "t", Unique: keys("a b c")}}},
	{"CREATE TABLE t (a STRING(36) NOT NULL, b INT64) PRIMARY KEY (a, b DESC)",
		[]TableSchema{{Name: "t", Unique: keys("a b")}}},
	{"CREATE TABLE t (key text PRIMARY KEY, index int UNIQUE)", []TableSchema{{Name: "t", Unique: keys("key", "index")}}},
	{"CREATE TABLE t (a int, UNIQUE NULLS NOT DISTINCT (a))", []TableSchema{{Name: "t", Unique: keys("a")}}},
	{"CREATE TABLE t AS SELECT 1", nil},
	{"CREATE TABLE t (LIKE u INCLUDING ALL)", []TableSchema{{Name: "t"}}},
	{"CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY s.t USING btree (a, lower(b), c DESC) WHERE d IS NULL",
		[]TableSchema{{Name: "t", Unique: keys("a b c")}}},
	{"CREATE UNIQUE NONCLUSTERED INDEX i ON t (a) INCLUDE (b)", []TableSchema{{Name: "t", Unique: keys("a")}}},
	{"CREATE INDEX i ON t (a)", nil},
	{"CREATE TABLE t (a int); CREATE TABLE u (b int); CREATE UNIQUE INDEX i ON t (a)",
		[]TableSchema{{Name: "t", Unique: keys("a")}, {Name: "u"}}},
	{"ALTER TABLE ONLY s.t ADD CONSTRAINT k UNIQUE (a, b), ADD COLUMN IF NOT EXISTS c uuid UNIQUE, " +
		"ADD d int, DROP COLUMN e",
		[]TableSchema{{Name: "t", Unique: keys("a b", "c")}}},
	{"ALTER TABLE t ADD PRIMARY KEY (a)", []TableSchema{{Name: "t", Unique: keys("a")}}},
	{"ALTER TABLE t ADD UNIQUE INDEX k (a)", []TableSchema{{Name: "t", Unique: keys("a")}}},
	{"ALTER TABLE t ADD COLUMN a int", nil},
	{"CREATE TABLE " + Hole + " (id int PRIMARY KEY)", []TableSchema{{Name: Hole, Unique: keys("id")}}},
	{"CREATE TABLE t (" + Hole + ", UNIQUE (" + Hole + "))", []TableSchema{{Name: "t", Unique: keys(Hole)}}},
	{"-- +goose Up\nCREATE TABLE t (\n  id int -- the key\n  PRIMARY KEY\n);\n-- +goose Down\nDROP TABLE t;",
		[]TableSchema{{Name: "t", Unique: keys("id")}}},
	{"CREATE TABLE t (id int PRIMARY KEY, a int", []TableSchema{{Name: "t", Unique: keys("id")}}},
}

func TestParseSchema(t *testing.T) {
	for _, c := range schemaCases {
		assert.Equal(t, c.want, ParseSchema(c.text), c.text)
	}
}
