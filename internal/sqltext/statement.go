package sqltext

// statement reads one statement and reports whether it is one.
func (d *draft) statement(ts tokens) bool {
	for len(ts) > 1 && ts[0].isHole() && ts.isAny(1, complete) { // a comment, or a prefix that decides nothing
		ts = ts[1:]
	}
	if d.nest > maxNest || !d.read(ts) {
		return false
	}
	d.finish()
	return true
}

// complete are the words that begin a statement by themselves, whatever stands before them.
var complete = wordsOf("select insert update delete merge with truncate")

// read reads the statement by its first word. It returns false for what only looks like SQL.
func (d *draft) read(ts tokens) bool {
	if ts.is(0, "(") {
		return ts.isQuery() && d.query(ts)
	}
	switch first := ts.at(0); {
	case first.isHole():
		return d.fragment(ts)
	case first.kind != word:
		return false
	}
	switch ts[0].text {
	case "with":
		return d.with(ts)
	case "select", "perform":
		return d.query(ts)
	case "insert", "replace", "upsert":
		return d.insert(ts)
	case "update":
		return d.update(ts)
	case "delete":
		return d.delete(ts)
	case "merge":
		return d.merge(ts)
	case "truncate":
		return d.truncate(ts)
	case "copy":
		return d.copy(ts)
	case "load":
		return d.load(ts)
	case "call", "exec", "execute":
		return d.call(ts)
	case "do":
		return d.do(ts)
	case "create", "alter", "drop":
		return d.ddl(ts)
	case "grant", "revoke":
		return d.grant(ts)
	case "set", "declare", "lock", "notify", "listen", "pragma", "prepare":
		return d.session(ts)
	}
	return d.plain(ts)
}

// isQuery reports whether ts is a query, perhaps in parentheses.
func (ts tokens) isQuery() bool {
	i := 0
	for i < maxNest && ts.is(i, "(") {
		i++
	}
	return ts.oneOf(i, "select", "with")
}

// with reads WITH name AS (...), ... and the statement that uses them.
func (d *draft) with(ts tokens) bool {
	for i := range ts.outer() {
		switch {
		case ts[i].is("("):
			d.define(ts, i)
		case i > 0 && ts.isAny(i, complete) && !ts.is(i+1, "as"), i > 0 && ts.oneOf(i, "replace", "upsert"):
			return d.read(ts[i:])
		}
	}
	d.Table = Hole // the rest is in a hole, or in another text
	return len(d.defined) > 0
}

// define reads the CTE whose body stands in the parenthesis at i, if it is one.
func (d *draft) define(ts tokens, i int) {
	as := i - 1
	for as > 0 && ts.oneOf(as, "materialized", "not") {
		as--
	}
	at := as - 1
	for at > 0 && ts[at].jump < 0 { // the list of columns
		at += ts[at].jump - 1
	}
	if at < 1 || !ts.is(as, "as") {
		return
	}
	d.defined = add(d.defined, ts[at].text)
	child := d.child()
	switch {
	case !child.statement(ts.inside(i)):
	case child.Writes():
		d.extra = append(append(d.extra, child.extra...), child.Statement)
	default:
		d.absorb(child)
		d.Polls = d.Polls || child.Polls
	}
}

// fragment reads a statement whose beginning is a hole, by the clauses that follow.
func (d *draft) fragment(ts tokens) bool {
	rest := ts.from(1)
	i := rest.findAny(tails)
	switch {
	case i < 0:
		return false
	case rest.is(0, "into"):
		return d.insert(rest.prefixed("insert"))
	case rest.is(i, "set") && i < 2:
		return d.update(ts.from(i).prefixed("update"))
	case (i < 2 || i == rest.next(0)) && (rest.is(i, "values") || rest.beginsClause(i, insertTail) && rest.is(i, "on")):
		return d.insert(ts.prefixed("insert"))
	case !rest[:i].holes(): // prose
		return false
	case rest.beginsClause(i, selectClauses):
		return d.unknown(ts)
	}
	d.Table = Hole
	d.Returning = rest.is(i, "returning") || rest.is(i, "output", "inserted")
	return d.Returning
}

// prefixed returns ts with a verb in front.
func (ts tokens) prefixed(verb string) tokens {
	return append(tokens{{kind: word, text: verb}}, ts...)
}

// unknown reads the clauses of a statement whose beginning is a hole. FROM, ORDER BY and a lock make it a query.
func (d *draft) unknown(ts tokens) bool {
	d.query(ts.prefixed("select"))
	if len(d.tables) == 0 && len(d.Reads) == 0 {
		d.Table = Hole
	}
	if ts.find("from") < 0 && ts.find("order", "by") < 0 && d.Lock == NoLock {
		d.Verb = Unknown
	}
	return true
}
