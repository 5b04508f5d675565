package sqltext

// ddl reads CREATE, ALTER and DROP, and notes the table. ClickHouse changes rows with ALTER TABLE t UPDATE and DELETE.
func (d *draft) ddl(ts tokens) bool {
	d.Verb = DDL
	if !ts.isAny(1, objects) && !ts.at(1).isHole() {
		return false
	}
	at := ts.find("table")
	if at < 0 {
		return true
	}
	table, next, ok := ts.tableName(at + 1)
	if !ok {
		return true
	}
	d.Table = table
	switch rest := ts.from(next); {
	case !ts.is(0, "alter"):
		d.createAs(rest)
	case rest.is(0, "update"):
		d.Verb, d.target.name = Update, table
		for key, clause := range rest[1:].prefixed("set").clauses(updateClauses) {
			if key == "set" {
				d.assign(clause)
				continue
			}
			d.changeClause(key, clause)
		}
	case rest.is(0, "delete", "where"):
		d.Verb = Delete
		d.where(rest[2:])
	}
	return true
}

// createAs reads the query of CREATE TABLE t AS SELECT, where AS may be missing.
func (d *draft) createAs(ts tokens) {
	for i := range ts.outer() {
		if ts.is(i, "select") || ts.is(i-1, "as") && ts[i:].isQuery() {
			d.sub(ts[i:])
			return
		}
	}
}

// objects are what DDL creates, alters and drops, and the words before it.
var objects = wordsOf(`table index unique view materialized or temp temporary unlogged global local schema database
	extension type domain sequence function procedure proc trigger role user policy publication subscription server
	foreign aggregate cast collation operator rule event language tablespace keyspace columnfamily virtual external
	clustered nonclustered fulltext spatial dictionary statistics change default if column system`)

func (d *draft) grant(ts tokens) bool {
	d.Verb = DDL
	return ts.find("to") > 0 || ts.find("from") > 0
}

// tableName reads [IF [NOT] EXISTS] [ONLY] name at i, and returns the position behind it.
func (ts tokens) tableName(i int) (table string, next int, ok bool) {
	for ts.oneOf(i, "if", "not", "exists", "only") {
		i++
	}
	col, next, ok := ts.path(i)
	return col.name, next, ok
}

// truncate reads TRUNCATE [TABLE] t.
func (d *draft) truncate(ts tokens) bool {
	d.Verb = Truncate
	ts = ts.from(1).skipAll("table", "only")
	col, next, ok := ts.path(0)
	d.Table = col.name
	t := ts.at(next)
	return ok && (t.kind != word || t.isHole() ||
		ts.oneOf(next, "restart", "continue", "cascade", "restrict", "partition", "on"))
}

// copy reads COPY t FROM, and COPY ... TO, which reads only and has no Table.
func (d *draft) copy(ts tokens) bool {
	d.Verb = Copy
	ts = ts.from(1).skip("into")
	if ts.is(0, "(") {
		d.scan(ts)
		return ts.is(ts.next(0), "to")
	}
	col, next, ok := ts.path(0)
	cols := ts.inside(next).names()
	if ts.is(next, "(") {
		next = ts.next(next)
	}
	switch {
	case !ok || !ts.from(next+1).isFile() && !ts.at(next).isHole():
		return false
	case ts.is(next, "to"):
		d.Reads = add(d.Reads, col.name)
		return true
	case !ts.is(next, "from") && !ts.at(next).isHole():
		return false
	}
	d.Table = col.name
	for _, c := range cols {
		d.Sets = add(d.Sets, c.name)
	}
	return true
}

// isFile reports whether ts is what COPY copies from or to.
func (ts tokens) isFile() bool {
	t := ts.at(0)
	return t.kind == str || t.kind == param || t.isHole() || t.is("@") || t.is("(") ||
		ts.oneOf(0, "stdin", "stdout", "program", "local")
}

// load reads LOAD DATA ... INTO TABLE t.
func (d *draft) load(ts tokens) bool {
	d.Verb = Copy
	i := ts.find("into", "table")
	if !ts.oneOf(1, "data", "xml") || i < 0 {
		return false
	}
	col, _, ok := ts.path(i + 2)
	d.Table = col.name
	return ok
}

// call reads CALL p(...) and EXEC p @x = 1.
func (d *draft) call(ts tokens) bool {
	d.Verb = Call
	d.scan(ts)
	if ts.at(1).kind == param && ts.is(2, "=") { // EXEC @result = p
		return true
	}
	_, next, ok := ts.path(1)
	t := ts.at(next)
	return ok && (t.kind != word || t.isHole() || ts.oneOf(next, "using", "into"))
}

// do reads DO $$ ... $$ and MySQL's DO f(x). The statements of a block are read by the batch.
func (d *draft) do(ts tokens) bool {
	d.Verb = Call
	d.scan(ts)
	return ts.is(1, "language") || ts.at(1).kind == str || ts.at(1).isHole() || ts.isFunction(1)
}
