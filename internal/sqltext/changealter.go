package sqltext

func (c *changes) alterTable(ts tokens) {
	table, next, ok := ts.tableName(2)
	if !ok {
		return
	}
	for action := range ts.from(next).items() {
		c.alterAction(table, action)
	}
}

func (c *changes) alterAction(table string, ts tokens) {
	rest := ts.from(1)
	switch {
	case ts.is(0, "add", "("): // Oracle
		for item := range ts.inside(1).items() {
			c.definition(table, item)
		}
	case ts.is(0, "add"):
		c.definition(table, rest.skip("column").skipAll("if", "not", "exists"))
	case ts.is(0, "drop"):
		c.alterDrop(table, rest)
	case ts.is(0, "rename"):
		c.alterRename(table, rest)
	case ts.is(0, "alter"):
		c.alterColumn(table, rest.skip("column"))
	case ts.is(0, "modify"):
		c.definition(table, rest.skip("column").skipAll("if", "exists"))
	case ts.is(0, "change"):
		rest = rest.skip("column").skipAll("if", "exists")
		if old, next, ok := rest.path(0); ok {
			c.add(Change{Op: RenameColumn, Table: table, Name: old.name, To: rest.nameAt(next)})
			c.definition(table, rest.from(next))
		}
	}
}

// alterDrop reads what follows ALTER TABLE t DROP.
func (c *changes) alterDrop(table string, ts tokens) {
	op := DropColumn
	switch {
	case ts.is(0, "primary", "key"):
		c.add(Change{Op: DropKey, Table: table, Primary: true})
		return
	case ts.oneOf(0, "foreign", "check", "partition", "default"):
		return
	case ts.oneOf(0, "constraint", "index", "key") && len(ts) > 1:
		op, ts = DropKey, ts[1:]
	default:
		ts = ts.skip("column")
	}
	if col, _, ok := ts.skipAll("if", "exists").path(0); ok {
		c.add(Change{Op: op, Table: table, Name: col.name})
	}
}

// alterRename reads what follows ALTER TABLE t RENAME.
func (c *changes) alterRename(table string, ts tokens) {
	op := RenameColumn
	switch {
	case ts.oneOf(0, "to", "as"):
		c.add(Change{Op: RenameTable, Table: table, To: ts.nameAt(1)})
		return
	case ts.oneOf(0, "constraint", "index", "key") && !ts.is(1, "to"):
		op, ts = RenameKey, ts[1:]
	default:
		ts = ts.skip("column").skipAll("if", "exists")
	}
	if old, next, ok := ts.path(0); ok && ts.is(next, "to") {
		c.add(Change{Op: op, Table: table, Name: old.name, To: ts.nameAt(next + 1)})
	}
}

// alterColumn reads what follows ALTER TABLE t ALTER COLUMN, as far as it changes who gives the value.
func (c *changes) alterColumn(table string, ts tokens) {
	col, next, ok := ts.path(0)
	if !ok {
		return
	}
	rest := ts.from(next)
	if rest.generated() || rest.is(0, "set", "default") || rest.is(0, "drop", "default") || rest.is(0, "drop", "identity") {
		c.add(Change{Op: AddColumn, Table: table, Name: col.name, Generated: rest.generated() && !rest.is(0, "drop")})
	}
}
