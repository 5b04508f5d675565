package sqltext

import "strings"

// definition reads the definition of a column or a constraint in a table.
func (c *changes) definition(table string, ts tokens) {
	key := Change{Table: table}
	if ts.is(0, "constraint") {
		col, next, _ := ts.path(1)
		key.Name, ts = col.name, ts.from(next)
	}
	switch {
	case ts.is(0, "primary", "key"), ts.is(0, "unique") && !ts.isAny(1, types):
		c.constraint(key, ts)
		return
	case ts.is(0, "like") && !ts.isAny(1, types):
		if ts.has("all", "indexes") {
			c.add(Change{Op: CopyTable, Table: table, To: ts.nameAt(1)})
		}
		return
	case ts.isAny(0, constraints) && !ts.isAny(1, types):
		return
	}
	col, next, ok := ts.path(0)
	if !ok {
		return
	}
	c.add(Change{Op: AddColumn, Table: table, Name: col.name, Generated: ts.from(next).generated()})
	for i := next; i < len(ts); i = ts.next(i) {
		if ts.oneOf(i, "primary", "unique") {
			c.addKey(Change{Table: table, Columns: []string{col.name}, Primary: ts.is(i, "primary")})
		}
	}
}

// constraint reads PRIMARY KEY (a, b), UNIQUE KEY k (a, b) and UNIQUE USING INDEX k.
func (c *changes) constraint(key Change, ts tokens) {
	key.Primary = ts.is(0, "primary")
	if i := ts.find("using", "index"); i >= 0 && ts.at(i+2).isName() {
		if key.Name != "" {
			c.add(Change{Op: RenameKey, Table: key.Table, Name: ts.nameAt(i + 2), To: key.Name})
		}
		return
	}
	if named := ts[1:].skip("key").skip("index"); key.Name == "" && !key.Primary && !named.oneOf(0, "nulls", "using", "clustered", "nonclustered") {
		col, _, _ := named.path(0)
		key.Name = col.name
	}
	key.Columns = ts.keyColumns()
	c.addKey(key)
}

// constraints begin what stands in a table's definition and is no column, unless a type follows.
var constraints = wordsOf("foreign check exclude key index fulltext spatial like period primary unique constraint partition")

// types tell a column from a constraint where the column is called key or index.
var types = wordsOf(`text varchar char character uuid int integer bigint smallint serial bigserial bytea blob json jsonb
	bool boolean timestamp timestamptz date numeric decimal binary varbinary nvarchar string bytes int64`)

// generated reports whether the database itself gives the column with this definition a value that no other row has.
func (ts tokens) generated() bool {
	if ts.isAny(0, serials) || ts.has("identity", "auto_increment", "autoincrement") {
		return true
	}
	after := false
	for i := range ts {
		after = after || ts.is(i, "default")
		if after && ts[i].isName() && ts.is(i+1, "(") && makesUnique(ts[i].text) {
			return true
		}
	}
	return false
}

var serials = wordsOf("serial bigserial smallserial serial2 serial4 serial8")

// makesUnique reports whether a function makes a value that no other row has: nextval, gen_random_uuid, NEWID, …
func makesUnique(function string) bool {
	for _, part := range [...]string{"uuid", "ulid", "nextval", "newid", "newsequentialid", "unique_rowid"} {
		if strings.Contains(function, part) {
			return function != "uuid_nil"
		}
	}
	return false
}

// keyColumns reads the first list of columns in ts. Nested lists, as in CQL, are flattened, and an expression is the
// first name in it that is not a function's.
func (ts tokens) keyColumns() []string {
	open := ts.find("(")
	if open < 0 {
		return nil
	}
	var cols []string
	for item := range ts.inside(open).items() {
		if item.is(0, "(") && item.inside(0).find(",") > 0 {
			for _, col := range item.inside(0).names() {
				cols = append(cols, col.name)
			}
		} else if col, ok := item.firstColumn(); ok {
			cols = append(cols, col)
		}
	}
	return cols
}

func (ts tokens) firstColumn() (string, bool) {
	for i := range ts {
		col, next, ok := ts.path(i)
		prefix := ts.at(next+1).kind == num && ts.is(next+2, ")") // name(191), a part of the column in MySQL
		if ok && (!ts.is(next, "(") || prefix) {
			return col.name, true
		}
	}
	return "", false
}

// dollarBody returns the body of DO $$ ... $$.
func (ts tokens) dollarBody() (string, bool) {
	for _, t := range ts {
		if t.kind == str && strings.HasPrefix(t.text, "$") {
			tag := t.text[:strings.Index(t.text[1:], "$")+2]
			return strings.TrimSuffix(strings.TrimPrefix(t.text, tag), tag), true
		}
	}
	return "", false
}
