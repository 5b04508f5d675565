package sqltext

import "slices"

// from reads the tables of a FROM, JOIN or USING list, with the conditions between them.
func (d *draft) from(ts tokens) {
	expect := true
	for i := 0; i < len(ts); {
		switch {
		case expect && ts.oneOf(i, "only", "lateral", "table", "outer") && !ts.is(i+1, "("):
			i++
		case expect:
			expect = false
			i = d.table(ts, i)
		case ts[i].is(","), ts.isAny(i, joins):
			expect = true
			i++
		default: // a condition, whose commas part no tables
			next := ts.next(i)
			d.scan(ts[i:next])
			i = next
		}
	}
}

var joins = wordsOf("join straight_join apply")

// table reads one table with its alias, and returns the position behind it.
func (d *draft) table(ts tokens, i int) int {
	if ts[i].is("(") {
		d.nested(ts.inside(i))
		_, next := ts.alias(ts.next(i))
		return next
	}
	col, next, ok := ts.path(i)
	switch {
	case !ok || next == i+1 && ts.isAny(i, notTable):
		return d.step(ts, i)
	case ts.is(next, "(") && !ts.isAny(next+1, tableHints): // a function that yields rows
		end := ts.next(next)
		d.scan(ts[i:end])
		_, end = ts.alias(end)
		return end
	}
	ref := tableRef{name: col.name}
	ref.alias, next = ts.alias(next)
	d.reads(ref, col.qual)
	return next
}

// nested reads what stands in parentheses in the place of a table.
func (d *draft) nested(ts tokens) {
	switch {
	case ts.isQuery():
		d.derived(ts)
	case ts.is(0, "values"), d.nest >= maxNest:
		d.scan(ts)
	default:
		d.nest++
		d.from(ts)
		d.nest--
	}
}

// reads notes a table that is read.
func (d *draft) reads(ref tableRef, qual string) {
	if len(d.tables) < maxNames {
		d.tables = append(d.tables, ref)
	}
	if ref.name == "dual" || qual == "" && slices.Contains(d.defined, ref.name) {
		return
	}
	d.Reads = add(d.Reads, ref.name)
}

// alias reads an optional alias at i, and returns the position behind it and its list of columns.
func (ts tokens) alias(i int) (string, int) {
	if ts.is(i, "as") && !ts.is(i+1, "of") { // AS OF SYSTEM TIME
		i++
	}
	t := ts.at(i)
	if !t.isName() || t.isHole() || t.kind == word && notAlias[t.text] {
		return "", i
	}
	i++
	if ts.is(i, "(") && !ts.isAny(i+1, tableHints) {
		i = ts.next(i)
	}
	return t.text, i
}

// tableHints are the hints of SQL Server, which may follow a table in parentheses.
var tableHints = wordsOf("nolock updlock readpast rowlock xlock tablock tablockx holdlock readcommitted index")

// notTable are the keywords that show that the table itself is missing.
var notTable = wordsOf(`where set on using group order having limit for union returning values select join inner left
	right cross full and or not when output`)

// notAlias are the keywords that may follow a table.
var notAlias = wordsOf(`join inner left right full cross natural outer straight_join apply on using where set group
	order having limit offset fetch for union except intersect minus returning output window with force use ignore
	partition tablesample final sample prewhere global any asof semi anti array lock option values select default when
	then if and or not is as qualify settings format end else`)
