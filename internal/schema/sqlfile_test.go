package schema

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDialects has for each way to write migrations a table t that is there in the end, and what of it is taken back.
func TestDialects(t *testing.T) {
	const up, down = "CREATE TABLE t (id serial PRIMARY KEY, a int, b int UNIQUE);\n", "DROP TABLE t;\n"
	for name, fs := range map[string]files{
		"goose": {"1.sql": "-- +goose Up\n-- +goose StatementBegin\n" + up + "-- +goose StatementEnd\n-- +goose Down\n" + down,
			"2.sql": "--+goose up\nALTER TABLE t ADD UNIQUE (a);\n"},
		"golang-migrate": {"1_a.up.sql": up, "1_a.down.sql": down, "2_b.up.sql": "CREATE UNIQUE INDEX i ON t (a);", "2_b.down.sql": "DROP INDEX i;"},
		"sql-migrate": {"1.sql": "-- +migrate Up notransaction\n" + up + "-- +migrate Down\n" + down,
			"2.sql": "-- +migrate Up\nALTER TABLE t ADD UNIQUE (a);\n-- +migrate Down\nALTER TABLE t DROP CONSTRAINT t_a_key;\n"},
		"dbmate":                      {"1.sql": "-- migrate:up transaction:false\n" + up + "-- migrate:down\n" + down, "2.sql": "-- migrate:up\nALTER TABLE t ADD UNIQUE (a);"},
		"tern":                        {"1.sql": up + "---- create above / drop below ----\n" + down, "2.sql": "ALTER TABLE t ADD UNIQUE (a);"},
		"atlas":                       {"1.sql": "-- Create \"t\" table\n" + up, "2.sql": "-- Modify\nALTER TABLE t ADD UNIQUE (a);", "atlas.sum": "h1:"},
		"rambler, and down before up": {"1.sql": "-- rambler down\n" + down + "-- rambler up\n" + up, "2.sql": "-- Down\n" + down + "-- Up:\nALTER TABLE t ADD UNIQUE (a);"},
		"prisma":                      {"m/1_a/migration.sql": up, "m/2_b/migration.sql": "CREATE UNIQUE INDEX i ON t (a);", "m/10_c/migration.sql": "SELECT 1"},
		"flyway":                      {"V2__b.sql": "ALTER TABLE t ADD UNIQUE (a);", "V1__a.sql": up, "U1__a.sql": down},
		"numbers":                     {"9.sql": up, "10_drop_index.sql": "DROP INDEX i;ALTER TABLE t ADD UNIQUE (a)", "9_a.sql": "CREATE UNIQUE INDEX i ON t (a, b)"},
		"plain": {"db/schema.sql": up + "CREATE UNIQUE INDEX ON t (a);", "db/drop.sql": down, "db/teardown_all.sql": down,
			"db/down/1.sql": down, "db/x.rollback.sql": down},
		"dump": {"dump.sql": "\\restrict x\nCREATE TABLE public.t (id integer, a int, b int);\nCOPY public.t (a) FROM stdin;\nit's; a (\n\\.\n" +
			"ALTER TABLE ONLY public.t ALTER COLUMN id SET DEFAULT nextval('s'::regclass);\n" +
			"ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id);\nALTER TABLE t ADD CONSTRAINT k UNIQUE (b);\nALTER TABLE t ADD UNIQUE (a);"},
	} {
		assert.Equal(t, "id*; b; a", keysOf(fs.schema(), "t"), name)
	}
}

// TestHistories has what later steps of one history leave.
func TestHistories(t *testing.T) {
	const create = "CREATE TABLE t (id int PRIMARY KEY, a int UNIQUE, b int, CONSTRAINT k UNIQUE (a, b));"
	for _, c := range []struct{ text, want string }{
		{"", "id; a; a b"},
		{"DROP TABLE t", "?"},
		{"DROP TABLE u", "id; a; a b"},
		{"DROP TABLE t; CREATE TABLE t (n int)", ""},
		{"CREATE TABLE IF NOT EXISTS t (id int PRIMARY KEY)", "id; a; a b"},
		{"ALTER TABLE t DROP CONSTRAINT k", "id; a"},
		{"ALTER TABLE t DROP CONSTRAINT unknown", "id; a; a b"},
		{"ALTER TABLE t DROP CONSTRAINT t_a_key", "id; a b"},
		{"ALTER TABLE t DROP CONSTRAINT t_pkey", "a; a b"},
		{"ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (b)", "a; a b; b"},
		{"ALTER TABLE t DROP INDEX a", "id; a b"},
		{"DROP INDEX k", "id; a"},
		{"DROP INDEX k ON u", "id; a; a b"},
		{"ALTER TABLE t DROP COLUMN b", "id; a"},
		{"ALTER TABLE t RENAME COLUMN a TO c", "id; c; c b"},
		{"ALTER TABLE t RENAME CONSTRAINT k TO l; ALTER TABLE t DROP CONSTRAINT l", "id; a"},
		{"ALTER INDEX k RENAME TO l; DROP INDEX k", "id; a; a b"},
		{"ALTER TABLE t RENAME TO u; CREATE TABLE t (LIKE u INCLUDING ALL)", "id; a; a b"},
		{"ALTER TABLE t RENAME TO u", "?"},
		{"CREATE TABLE n (id serial PRIMARY KEY); DROP TABLE t; ALTER TABLE n RENAME TO t", "id*"},
		{"ALTER TABLE t ALTER id ADD GENERATED ALWAYS AS IDENTITY", "id*; a; a b"},
		{"ALTER TABLE t ALTER id SET DEFAULT nextval('s'); ALTER TABLE t RENAME id TO n", "n*; a; a b"},
		{"ALTER TABLE t MODIFY id int AUTO_INCREMENT; ALTER TABLE t ALTER id DROP DEFAULT", "id; a; a b"},
	} {
		assert.Equal(t, c.want, keysOf(files{"1.sql": create, "2.sql": c.text}.schema(), "t"), c.text)
	}
}

func TestPartsOfATable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"ALTER TABLE t ADD UNIQUE (a)", "a?"},
		{"CREATE UNIQUE INDEX i ON t (a)", "a?"},
		{"CREATE INDEX i ON t (a); ALTER TABLE t DROP COLUMN b", "?"},
		{"CREATE TABLE t (LIKE u INCLUDING ALL)", "?"},
		{"CREATE TABLE t (LIKE u)", ""},
		{"CREATE TABLE t PARTITION OF u DEFAULT", "?"},
		{"SELECT * FROM t", "?"},
		{"CREATE TABLE t (a int, {{ .Columns }})", "?"},
	} {
		assert.Equal(t, c.want, keysOf(files{"1.sql": c.text}.schema(), "t"), c.text)
	}
}

func TestPostgresName(t *testing.T) {
	assert.Equal(t, "t_a_b_key", postgresName("t", "_a_b", "key"))
	got := postgresName("a_table_with_a_name_that_is_rather_long", "_and_a_column_with_another_long_name", "key")
	assert.Equal(t, "a_table_with_a_name_that_is_r_and_a_column_with_another_lon_key", got)
	assert.Len(t, got, 63)
}

func TestCompareNatural(t *testing.T) {
	want := []string{"001_a", "2_a", "2_b", "10", "10_a", "a", "a2", "a10"}
	got := []string{"a10", "10_a", "2_b", "a", "10", "001_a", "a2", "2_a"}
	slices.SortFunc(got, compareNatural)
	assert.Equal(t, want, got)
}
