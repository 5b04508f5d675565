package sqltext

// insert reads INSERT, REPLACE and UPSERT.
func (d *draft) insert(ts tokens) bool {
	d.Verb = Insert
	if !ts.is(0, "insert") {
		d.Verb, d.Conflict = Upsert, DoUpdate
	}
	ts, into := d.insertModifiers(ts.from(1))
	col, next, ok := ts.path(0)
	if !ok || ts.oneOf(0, "values", "select") {
		return false
	}
	d.Table = col.name
	d.target.name = col.name
	ts = d.insertAlias(ts.from(next))
	ts = d.insertColumns(ts)
	if !ts.continuesInsert() && (len(ts) > 0 || !into && col.name != Hole) {
		return false
	}
	from, to := ts.source()
	for key, clause := range ts[:from].clauses(insertClauses) {
		d.insertClause(key, clause)
	}
	if from < to {
		d.notExists = d.sub(ts[from:to]).notExists || d.notExists
	}
	for key, clause := range ts[to:].clauses(insertTail) {
		d.insertClause(key, clause)
	}
	return true
}

// insertModifiers skips what may stand between INSERT and the table, and reports whether INTO was there.
func (d *draft) insertModifiers(ts tokens) (rest tokens, into bool) {
	for {
		switch {
		case ts.is(0, "or"):
			d.onConflictWord(ts.at(1).text)
			ts = ts.from(2)
		case ts.is(0, "ignore"):
			d.onConflictWord("ignore")
			ts = ts.from(1)
		case ts.is(1, "into") && (ts.at(0).isHole() || ts.oneOf(0, "all", "first")): // Oracle's several tables
			ts = ts.from(1)
		case ts.oneOf(0, "into", "overwrite"):
			return ts.from(1).skip("table"), true
		case ts.is(0, "bulk") && ts.at(1).isName(): // SQL Server
			return ts.from(1), true
		default:
			rest = ts.modifiers()
			if len(rest) == len(ts) {
				return rest, false
			}
			ts = rest
		}
	}
}

// onConflictWord reads the word of INSERT OR word.
func (d *draft) onConflictWord(word string) {
	switch word {
	case "ignore":
		d.Conflict = DoNothing
	case "replace", "update":
		d.Verb, d.Conflict = Upsert, DoUpdate
	}
}

// insertAlias reads the alias behind the table. One without AS and with nothing behind it is prose, and left there.
func (d *draft) insertAlias(ts tokens) tokens {
	explicit := ts.is(0, "as")
	rest := ts.skip("as")
	t := rest.at(0)
	if !t.isName() || t.isHole() || t.kind == word && (notAlias[t.text] || afterColumns[t.text]) {
		return ts
	}
	if len(rest) == 1 && !explicit {
		return ts
	}
	d.target.alias = t.text
	return rest[1:]
}

// insertColumns reads hints and the column list.
func (d *draft) insertColumns(ts tokens) tokens {
	for ts.is(0, "partition", "(") || ts.is(0, "with", "(") {
		ts = ts.from(ts.next(1))
	}
	if !ts.is(0, "(") || ts.opensQuery(0) || ts.is(1, "(") {
		return ts
	}
	for _, col := range ts.inside(0).names() {
		d.Sets = add(d.Sets, col.name)
	}
	return ts.from(ts.next(0))
}

// continuesInsert reports whether ts can follow table and columns; prose cannot.
func (ts tokens) continuesInsert() bool {
	t := ts.at(0)
	return t.isHole() || t.is("(") || t.is("{") || t.kind == param || ts.isAny(0, afterColumns)
}

var afterColumns = wordsOf(`values value select with set default on returning output table exec execute overriding
	format if using settings from partition as`)

// source finds the query that yields the rows, up to the clauses of INSERT itself.
func (ts tokens) source() (from, to int) {
	from = len(ts)
	for i := range ts.outer() {
		switch {
		case from == len(ts) && (ts.is(i, "select") || ts.is(i, "with") && !ts.is(i+1, "(")):
			from = i
		case ts.is(i, "returning"), ts.is(i, "on", "conflict"), ts.is(i, "on", "duplicate"), ts.is(i, "then", "return"):
			return min(from, i), i
		}
	}
	return from, len(ts)
}

func (d *draft) insertClause(key string, ts tokens) {
	switch key {
	case "set":
		d.assign(ts)
	case "on":
		d.onConflict(ts)
	case "returning", "output", "then":
		d.Returning = true
		d.scan(ts)
	case "if": // CQL
		if ts.is(0, "not", "exists") {
			d.Conflict = DoNothing
		}
	default:
		d.scan(ts)
	}
}

// onConflict reads ON CONFLICT ... DO and ON DUPLICATE KEY UPDATE. A hole in the place of the action is taken for the
// one that does not drop duplicates.
func (d *draft) onConflict(ts tokens) {
	if ts.is(0, "duplicate", "key", "update") {
		d.assign(ts[3:])
		if !d.keepsOld(ts[3:]) {
			d.Verb, d.Conflict = Upsert, DoUpdate
		} else if d.Verb == Insert {
			d.Conflict = DoNothing
		}
		return
	}
	action := ts.from(ts.find("do") + 1)
	if ts.is(0, "conflict") && action.is(0, "nothing") {
		d.Conflict = DoNothing
		return
	}
	d.Verb, d.Conflict = Upsert, DoUpdate
	d.doUpdate(action)
}

// keepsOld reports whether the assignments change nothing, MySQL's way to write DO NOTHING: id = id.
func (d *draft) keepsOld(ts tokens) bool {
	for item := range ts.items() {
		left, next, _ := item.path(0)
		right, end, ok := item.path(next + 1)
		if !ok || end != len(item) || left.name != right.name || !d.ofTarget(right.qual) || left.name == Hole {
			return false
		}
	}
	return len(ts) > 0
}

// doUpdate reads UPDATE SET ... WHERE ... inside another statement.
func (d *draft) doUpdate(ts tokens) {
	for key, clause := range ts.skip("update").clauses(updateClauses) {
		switch key {
		case "set":
			d.assign(clause)
		case "where":
			d.where(clause)
		}
	}
}
