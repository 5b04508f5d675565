package sqltext

import "slices"

// A cond is a column that a condition constrains.
type cond struct {
	column
	equal bool // by = or IN, so that a change of the column ends the match
}

// guards finds what makes a second application find no row: the columns that are both compared and assigned. A column
// that is counted up or down is guarded by an equality alone: stock >= $1 still holds after stock = stock - $1.
func (d *draft) guards() {
	if d.notExists && d.Writes() {
		d.Guards = add(d.Guards, NotExists)
	}
	if d.Verb != Update && d.Verb != Upsert {
		return
	}
	for _, c := range d.conds {
		if d.ofTarget(c.qual) && (c.equal || !slices.Contains(d.Increments, c.name)) {
			d.guard(c.name)
		}
	}
	if d.Verb == Update {
		d.guardsOfSubs()
	}
}

// guardsOfSubs finds the guards of WHERE id IN (SELECT id FROM the same table WHERE status = 'new').
func (d *draft) guardsOfSubs() {
	for _, s := range d.subs {
		if s.Table != d.Table {
			continue
		}
		for _, col := range s.Where {
			if !slices.Contains(d.Increments, col) {
				d.guard(col)
			}
		}
	}
}

func (d *draft) guard(col string) {
	unknown := versions[col] && slices.ContainsFunc(d.updated, HasHole) // SET %s WHERE id = $1 AND version = $2
	if col != Hole && (unknown || slices.Contains(d.updated, col)) {
		d.Guards = add(d.Guards, col)
	}
}

// versions are columns that are hardly compared but to be changed: where the assignments are not known, they are among
// them.
var versions = wordsOf("version row_version lock_version")

// ofTarget reports whether a column with that qualifier may belong to the table written.
func (d *draft) ofTarget(qual string) bool {
	if qual == "" || HasHole(qual) || d.target.called(qual) {
		return true
	}
	if proposed[qual] {
		return false
	}
	return HasHole(d.Table) && !slices.ContainsFunc(d.tables, func(r tableRef) bool { return r.called(qual) })
}

// proposed are the qualifiers of the row that an upsert proposes.
var proposed = wordsOf("excluded new inserted values")
