package sqltext

import "strings"

// where reads a condition: the columns it constrains, and whether it could pick the rows of a queue.
func (d *draft) where(ts tokens) {
	for i := 0; i < len(ts); {
		col, next, ok := ts.path(i)
		switch {
		case ts.is(i, "in", "(") && !ts.opensQuery(i+1): // a list of values
			next = ts.next(i + 1)
			d.scan(ts[i:next])
		case !ok:
			next = d.step(ts, i)
		case ts.isHoleCond(i):
			d.compare(cond{column: column{name: Hole}})
		case ts.isColumn(i, next):
			d.compare(cond{col, ts.isEquality(i, next)})
			d.Polls = d.Polls || d.Verb == Select && ts.isConstant(i, next) && !isDeletion(col.name)
		default:
			d.marks(ts[next-1])
		}
		i = next
	}
}

// isDeletion reports whether a column tells a deleted row from a live one: a condition on it is part of every query.
func isDeletion(col string) bool { return strings.Contains(col, "deleted") }

func (d *draft) compare(c cond) {
	if len(d.conds) < maxNames {
		d.conds = append(d.conds, c)
	}
	d.Where = add(d.Where, c.name)
}

// isHoleCond reports whether the hole at i may stand for conditions, that is: not for an operand of one.
func (ts tokens) isHoleCond(i int) bool {
	if !ts[i].isHole() || ts.oneOf(i+1, ".", "(") {
		return false
	}
	switch prev := ts.before(i); {
	case prev.kind == none, prev.endsOperand():
		return true
	case prev.is("("):
		return !ts.oneOf(i-2, "any", "all", "some", "values") && !ts.isFunction(i-2)
	default:
		return prev.is("and") || prev.is("or") || prev.is("not")
	}
}

// isFunction reports whether token i is the name of a function whose arguments follow.
func (ts tokens) isFunction(i int) bool {
	return i >= 0 && ts.is(i+1, "(") && ts[i].isName() && !ts.isAny(i, operators)
}

// isColumn reports whether the path from i to next is a column: no keyword, no function, no type, no unit of time.
func (ts tokens) isColumn(i, next int) bool {
	prev := ts.before(i)
	switch {
	case next == i+1 && ts[i].isHole(), ts.oneOf(next, "(", ":=", "=>"), prev.is("::"), prev.is("as"), prev.is("collate"),
		ts.is(i-1, "at", "time"), ts.is(i-1, "time", "zone"):
		return false
	case next > i+1: // qualified
		return true
	case ts[i].kind == quoted: // MySQL and SQLite write strings in double quotes too
		return prev.kind != op || !comparisons[prev.text]
	case operators[ts[i].text], ts.at(next).kind == str: // DATE '2024-01-01'
		return false
	}
	return prev.kind != num && prev.kind != param && !prev.is(")") // INTERVAL 1 DAY
}

var comparisons = wordsOf("= == <> != < <= > >=")

// operators are the keywords of expressions.
var operators = wordsOf(`and or not in is null isnull notnull like ilike rlike regexp similar between escape exists any
	all some true false unknown case when then else end distinct from interval collate at asc desc by of for as using div
	mod xor binary symmetric default current_timestamp current_date current_time localtimestamp sysdate systimestamp
	rownum array values row select where on contains glob match over partition order limit ttl`)

// isEquality reports whether the column from i to next is compared by = or IN.
func (ts tokens) isEquality(i, next int) bool {
	null := ts.is(next, "is") && !ts.is(next+1, "not")
	return null || ts.oneOf(next, "=", "==", "in") || ts.is(i-1, "=")
}

// isConstant reports whether the column from i to next is compared with a constant.
func (ts tokens) isConstant(i, next int) bool {
	switch {
	case ts.is(next, "isnull"), ts.is(next, "is") && ts.from(next+1).isTruth():
		return true
	case ts.is(next, "in", "("):
		return ts.isLiteral(next + 2)
	case ts.oneOf(next, "=", "==", "!=", "<>"):
		return ts.isLiteral(next + 1)
	}
	return ts.is(i-1, "not") && (next == len(ts) || ts.oneOf(next, "and", "or", ")"))
}

// isTruth reports whether ts goes on as IS can and picks few rows by it; NOT NULL picks most.
func (ts tokens) isTruth() bool {
	return ts.is(0, "null") || ts.skip("not").oneOf(0, "true", "false")
}

// isLiteral reports whether a constant stands at i. MySQL and SQLite take "x" for a string too.
func (ts tokens) isLiteral(i int) bool {
	switch t := ts.at(i); t.kind {
	case str, num:
		return true
	case quoted:
		return !ts.is(i+1, ".")
	default: // N'x', DATE '2024-01-01'
		return t.is("true") || t.is("false") || t.kind == word && ts.at(i+1).kind == str
	}
}
