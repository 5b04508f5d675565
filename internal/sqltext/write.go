package sqltext

import "slices"

// update reads UPDATE t SET ... in all its forms.
func (d *draft) update(ts tokens) bool {
	d.Verb = Update
	ts = ts.from(1).modifiers()
	var assignments tokens
	evident := false // prose has no assignment
	for key, clause := range ts.clauses(updateClauses) {
		switch key {
		case "":
			if len(clause) == 0 || clause.is(0, "statistics") {
				return false
			}
			evident = clause.endsInHole()
			d.written(clause)
		case "set":
			if !clause.assigns() {
				return false
			}
			evident = true
			assignments = clause
		default:
			d.changeClause(key, clause)
		}
	}
	d.assign(assignments) // once it is known which tables there are
	return evident
}

// delete reads DELETE FROM t, DELETE t FROM t JOIN u, DELETE t WHERE and CQL's DELETE col FROM t WHERE.
func (d *draft) delete(ts tokens) bool {
	d.Verb = Delete
	ts = ts.from(1).modifiers()
	var head tokens
	evident := false // prose has no clauses, and words left over
	for key, clause := range ts.clauses(deleteClauses) {
		switch {
		case key == "":
			head = clause
			evident = len(head) > 0 && head.holes()
		case key == "from" && d.Table == "":
			evident = d.deleteFrom(head, clause)
		default:
			evident = evident || key == "where"
			if d.Table == "" {
				d.written(head)
			}
			d.changeClause(key, clause)
		}
	}
	if d.Table == "" {
		d.Table = Hole
	}
	return evident
}

// deleteFrom reads the FROM clause of a DELETE, and reports whether it is evident that it is one.
func (d *draft) deleteFrom(head, ts tokens) bool {
	d.written(ts)
	_, next, ok := ts.skip("only").path(0)
	whole := ok && next == len(ts.skip("only"))
	evident := whole || ts.hasHole() || ts.findAny(joins) >= 0 || ts.find(",") >= 0
	if target, _, ok := head.path(0); ok && !head[0].isHole() {
		return d.retarget(target.name) && evident
	}
	return evident
}

// changeClause reads the clauses that UPDATE and DELETE have in common.
func (d *draft) changeClause(key string, ts tokens) {
	switch key {
	case "from", "using":
		if !ts.oneOf(0, "ttl", "timestamp") { // CQL
			d.from(ts)
			d.resolve()
		}
	case "where", "if":
		d.where(ts)
	case "returning", "output", "then":
		d.Returning = true
		d.scan(ts)
	default:
		d.scan(ts)
	}
}

// modifiers skips what may stand between a verb and its table.
func (ts tokens) modifiers() tokens {
	for {
		switch {
		case ts.is(0, "or") && len(ts) > 1:
			ts = ts[2:]
		case ts.is(0, "top", "("):
			ts = ts.from(ts.next(1))
		case ts.is(0, "top") && ts.at(1).kind == num:
			ts = ts[2:]
		case ts.oneOf(0, "low_priority", "high_priority", "delayed", "quick", "ignore", "only"):
			ts = ts[1:]
		default:
			return ts
		}
	}
}

// endsInHole reports whether ts is a hole, or a name and then holes, which may hold the rest of the statement.
func (ts tokens) endsInHole() bool {
	_, next, ok := ts.path(0)
	if next == len(ts) {
		return ts.at(0).isHole()
	}
	return ok && ts.from(next).holes()
}

// written reads the tables before SET, or those after DELETE FROM: the first is written, the others are read.
func (d *draft) written(ts tokens) {
	before := len(d.Reads)
	d.from(ts)
	if len(d.tables) == 0 {
		d.Table = Hole
		return
	}
	d.target, d.tables = d.tables[0], d.tables[1:]
	d.Table = d.target.name
	if len(d.Reads) > before && d.Reads[before] == d.Table {
		d.Reads = slices.Delete(d.Reads, before, before+1)
	}
}

// retarget makes the table known as alias the one written, and reports whether there is one: DELETE o FROM orders o.
func (d *draft) retarget(alias string) bool {
	if d.target.called(alias) {
		return true
	}
	for i, r := range d.tables {
		if r.called(alias) {
			d.Reads = add(without(d.Reads, r.name), d.Table)
			d.tables[i], d.target, d.Table = d.target, r, r.name
			return true
		}
	}
	return false
}

// resolve replaces a target that was given by its alias: UPDATE o SET ... FROM orders o.
func (d *draft) resolve() {
	for _, r := range d.tables {
		if r.alias != "" && r.alias == d.Table {
			d.Reads = without(d.Reads, r.name)
			d.target, d.Table = r, r.name
			return
		}
	}
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(list, func(n string) bool { return n == name })
}
