package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// migrated makes a file of a package whose module creates tables from models.
func migrated(body string) files {
	return files{
		"m/m.go": "package m\n" + strings.NewReplacer("'", "`", "~", "'").Replace(body),
		"db.go": "package db\nfunc f() { db.AutoMigrate(&Plain{}, &m.T{}); db.NewCreateTable().Model(x); engine.Sync2(x); " +
			"db.Model(x).CreateTable(nil) }",
	}
}

func TestTags(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		// gorm
		{`ID uint; Name string 'gorm:"size:10"'`, "id*"},
		{`ID string 'gorm:"type:uuid"'`, "id"},
		{`ID string 'gorm:"type:uuid;default:gen_random_uuid()"'`, "id*"},
		{`ID int64 'gorm:"primaryKey;autoIncrement:false"'`, "id"},
		{`ID int 'gorm:"-"'; Code string 'gorm:"column:product_code;primary_key"'`, "product_code"},
		{`gorm.Model; Mail string 'gorm:"uniqueIndex"'`, "id*; mail"},
		{`gorm.Model; Mail string 'gorm:"index"'`, "id*"},
		{`A int 'gorm:"primaryKey"'; B int 'gorm:"primaryKey"'`, "a b"},
		{`ID int; A int 'gorm:"uniqueIndex:u,priority:2"'; B int 'gorm:"not null;uniqueIndex:u,priority:1;unique"'`, "id*; a b; b"},
		{`ID int; A int 'gorm:"index:u,unique"'; B int 'gorm:"index:u"'; C int 'gorm:"index:v"'`, "id*; a b"},
		{`ID int; A int 'gorm:"index:,unique,composite:x"'; B int 'gorm:"uniqueIndex:,composite:x"'; C int 'gorm:"unique_index"'`, "id*; a b; c"},
		{`Base; A int 'gorm:"unique"'`, "key*; a"},
		{`B Base 'gorm:"embedded"'; A int 'gorm:"unique"'`, "key*; a"},
		{`B Base 'gorm:"foreignKey:X"'; A int 'gorm:"unique"'`, "a"},
		{`ID uint; Name string`, "id*"}, // AutoMigrate names it
		// bun
		{`bun.BaseModel 'bun:"table:t,alias:x"'; ID int64 'bun:"id,pk,autoincrement"'; A string 'bun:",unique"'`, "id*; a"},
		{`ID string 'bun:"id,pk,type:uuid,default:gen_random_uuid()"'; A string 'bun:"a_b,unique:g"'; B string 'bun:",unique:g"'`, "id*; a_b b"},
		{`ID string; A string 'bun:",notnull"'`, "id"},
		// go-pg
		{`tableName struct{} 'pg:"s.t,alias:x"'; Key int64 'pg:"key,pk"'; A string 'pg:",unique"'`, "key*; a"},
		{`ID string 'pg:"type:uuid"'; A string 'pg:"a,notnull"'`, "id"},
		// xorm
		{`Id int64 'xorm:"pk autoincr"'; A string 'xorm:"varchar(10) ~a_b~ unique notnull"'; C int 'xorm:"unique(g)"'; D int 'xorm:"unique(g)"'`, "id*; a_b; c d"},
		{`Id int64; A string 'xorm:"index"'`, "id"},
		{`Id string; A string 'xorm:"notnull"'`, ""},
		// others
		{`ID int 'json:"id" db:"id"'`, "id*"},
	} {
		s := migrated("type T struct { " + c.fields + " }\ntype Base struct { Key int 'gorm:\"primaryKey\"' }").schema()
		assert.Equal(t, c.want, keysOf(s, "t"), c.fields)
	}
}

func TestModelsOfNoLibrary(t *testing.T) {
	s := migrated(`type Order struct { ID int 'json:"id"' }` + "\ntype Line interface{}\ntype Empty struct { x int 'gorm:\"unique\"' }").schema()
	assert.Empty(t, s.Tables())
}

func TestTableNames(t *testing.T) {
	for _, c := range []struct{ code, table, want string }{
		{"func (T) TableName() string { return \"s.`Orders`\" }", "orders", "id*"},
		{"func (*T) TableName() string { return table }\nconst table = \"orders\"", "order", "id*"},
		{"func (T) TableName() string { return name() }", "t", "id*"},
		{"func (T) TableName() string { return \"orders\" }", "t", "?"},
		{"", "ts", "id*"},
		{"", "u", "?"},
	} {
		s := files{
			"m/m.go": "package m\ntype T struct { ID int `gorm:\"primaryKey\"` }", "m/name.go": "package m\n" + c.code,
			"db.go": "package db\nfunc f() { db.AutoMigrate(all...) }",
		}.schema()
		assert.Equal(t, c.want, keysOf(s, c.table), c)
	}
}

func TestSQLInGo(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"const schema = `\n-- tables\nCREATE TABLE IF NOT EXISTS t (id bigserial PRIMARY KEY);`", "id*"},
		{"func f() { db.Exec(\"create table t (\" + \"id int primary key)\") }", "id"},
		{"const name = \"t\"\nfunc f() { db.Exec(\"CREATE TABLE \" + name + \" (id int UNIQUE)\") }", "id"},
		{"func f(name string) { db.Exec(\"CREATE TABLE \" + name + \" (id int UNIQUE)\") }", "?"},
		{"func f(cols string) { db.Exec(\"CREATE TABLE t (id int UNIQUE, \" + cols + \")\") }", "id?"},
		{"var all = []string{`CREATE TABLE t (id int)`, `ALTER TABLE t ADD UNIQUE (id)`, `DROP TABLE t`}", "id"},
		{"func down() { db.Exec(`CREATE TABLE t (id int)`) }", "?"},
		{"func f() { log.Print(\"cannot create table t (id int unique)\") }", "?"},
		{"type s struct { a int `CREATE TABLE t (id int)` }", "?"},
		{"func f( { `CREATE TABLE t (id int)` ", "?"},
	} {
		assert.Equal(t, c.want, keysOf(files{"a.go": "package a\n" + c.code}.schema(), "t"), c.code)
	}
}
