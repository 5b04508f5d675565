package sqltext

// query reads a SELECT, or a parenthesis around one.
func (d *draft) query(ts tokens) bool {
	d.Verb = Select
	if ts.is(0, "(") {
		d.derived(ts.inside(0))
		ts = ts.from(ts.next(0))
	} else {
		ts = ts.from(1)
	}
	var list tokens
	for key, clause := range ts.clauses(selectClauses) {
		if key == "" {
			list = clause
			d.Columns = d.quantifiers(list).simpleColumns()
			continue
		}
		d.selectClause(key, clause)
	}
	d.Exists = d.quantifiers(list).onlyAsks() && (len(d.tables) > 0 || list.find("exists") >= 0)
	d.scan(list) // after FROM, so that the tables there come first
	d.Polls = d.Polls && (len(d.Reads) > 0 || len(d.tables) > 0)
	return true
}

func (d *draft) selectClause(key string, ts tokens) {
	switch key {
	case "into":
		d.into(ts)
	case "from":
		d.from(ts)
	case "where", "prewhere":
		d.where(ts)
		d.Polls = d.Polls || ts.find("rownum") >= 0
	case "for":
		d.lockClause(ts)
	case "order", "limit", "fetch":
		d.Polls = true
		d.scan(ts)
	default: // after UNION the clauses of the next SELECT are read as those of this one
		d.scan(ts)
	}
}

// simpleColumns returns the columns of a select list, nil if they are not known.
func (ts tokens) simpleColumns() []string {
	var cols []string
	for item := range ts.items() {
		if item.at(0).isHole() || item.at(-1).is("*") {
			return nil
		}
		if col, ok := item.simpleColumn(); ok {
			cols = add(cols, col)
		}
	}
	return cols
}

// onlyAsks reports whether a select list has one item, and that tells of rows no more than that they are there.
func (ts tokens) onlyAsks() bool {
	items := 0
	for range ts.items() {
		items++
	}
	switch {
	case items != 1:
		return false
	case ts.oneOf(0, "exists", "count"), ts.is(0, "not", "exists"), ts.is(0, "case", "when", "exists"):
		return true
	}
	constant := ts.at(0).kind == num || ts.at(0).kind == str || ts.is(0, "true")
	return constant && (len(ts) == 1 || ts.is(1, "as"))
}

// simpleColumn returns the column of x, t.x, x::type, x AS y and x y.
func (ts tokens) simpleColumn() (string, bool) {
	col, next, ok := ts.path(0)
	if !ok || ts.is(next, "(") || next == 1 && ts.isAny(0, operators) {
		return "", false
	}
	if ts.is(next, "::") {
		next += 2
	}
	alias := next == len(ts)-1 && ts[next].kind != op
	return col.name, next >= len(ts) || ts.is(next, "as") || alias
}

// quantifiers skips what may stand between SELECT and its list.
func (d *draft) quantifiers(ts tokens) tokens {
	for {
		switch {
		case ts.is(0, "distinct", "on", "("):
			ts = ts.from(ts.next(2))
		case ts.is(0, "top", "("):
			d.Polls = true
			ts = ts.from(ts.next(1))
		case ts.is(0, "top") && (ts.at(1).kind == num || ts.at(1).kind == param || ts.at(1).isHole()):
			d.Polls = true
			ts = ts.from(2)
		case ts.oneOf(0, "distinct", "all", "sql_no_cache", "sql_calc_found_rows", "straight_join", "percent"):
			ts = ts.from(1)
		default:
			return ts
		}
	}
}

// into reads SELECT ... INTO: a new table in SQL Server and PostgreSQL, a variable or a file elsewhere, and inside a
// block. A table #t lives as long as its connection and is no state.
func (d *draft) into(ts tokens) {
	ts = ts.skipAll("temp", "temporary", "unlogged", "table")
	col, next, ok := ts.path(0)
	if ok && next == len(ts) && col.name != "" && col.name[0] != '#' && d.nest == 0 {
		d.Verb, d.Table = Insert, col.name
	}
}

// lockClause reads FOR UPDATE and what follows it.
func (d *draft) lockClause(ts tokens) {
	switch {
	case !ts.is(0, "update") && !ts.is(0, "no", "key", "update"):
	case ts.find("skip", "locked") >= 0:
		d.lock(SkipLocked)
	default:
		d.lock(ForUpdate)
	}
}
