package sqltext

import "slices"

// Bounds that keep hostile text cheap.
const (
	maxNames = 256 // names in one list of a Statement
	maxNest  = 48  // sub-selects and blocks inside each other
)

// A draft is a statement while it is read, with what is needed to finish it.
type draft struct {
	Statement
	extra   []Statement // data-modifying CTEs, which come before the statement itself
	nest    int
	defined []string   // names that WITH defines
	tables  []tableRef // read by the statement itself, sub-selects left out
	target  tableRef   // the table written
	updated []string   // columns that SET assigns
	conds   []cond     // what the conditions compare
	subs    []Statement

	notExists bool // a condition has NOT EXISTS (SELECT ...)
}

// A tableRef is a table and the name by which the statement knows it.
type tableRef struct{ name, alias string }

// called reports whether qual names the table.
func (r tableRef) called(qual string) bool { return qual == r.alias || qual == r.name }

// add appends a name that is not there yet.
func add(list []string, name string) []string {
	if len(list) >= maxNames || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// child returns a draft for a statement inside this one.
func (d *draft) child() *draft {
	return &draft{nest: d.nest + 1, defined: slices.Clip(d.defined)}
}

// sub reads a sub-select and takes over what it does to the statement around it.
func (d *draft) sub(ts tokens) *draft {
	child := d.child()
	if child.statement(ts) {
		d.absorb(child)
	}
	return child
}

func (d *draft) absorb(child *draft) {
	for _, t := range child.Reads {
		d.Reads = add(d.Reads, t)
	}
	d.lock(child.Lock)
	d.Notify = d.Notify || child.Notify
	d.extra = append(d.extra, child.extra...)
	if len(d.subs) < maxNames {
		d.subs = append(d.subs, child.Statement)
	}
}

// derived reads a sub-select whose rows are the statement's own, so that its conditions count as the statement's.
func (d *draft) derived(ts tokens) {
	child := d.sub(ts)
	d.constrain(child.Where)
	d.Polls = d.Polls || child.Polls
}

func (d *draft) constrain(cols []string) {
	for _, c := range cols {
		d.Where = add(d.Where, c)
	}
}

// lock notes a lock; the strongest counts.
func (d *draft) lock(l Lock) { d.Lock = max(d.Lock, l) }

// scan searches tokens of any clause for what counts wherever it stands: sub-selects, locks, notifications.
func (d *draft) scan(ts tokens) {
	for i := 0; i < len(ts); {
		i = d.step(ts, i)
	}
}

// step is scan for the token at i, and returns the position behind it.
func (d *draft) step(ts tokens, i int) int {
	if !ts.opensQuery(i) {
		d.marks(ts[i])
		return i + 1
	}
	d.notExists = d.notExists || ts.is(i-2, "not", "exists")
	child := d.sub(ts.inside(i))
	if d.Verb == Select && len(d.tables) == 0 { // SELECT EXISTS (SELECT ... WHERE id = $1)
		d.constrain(child.Where)
	}
	return ts.next(i)
}

// marks notes the functions and hints that lock or notify.
func (d *draft) marks(t token) {
	if !t.isName() {
		return
	}
	switch {
	case t.text == "pg_notify":
		d.Notify = true
	case advisory[t.text]:
		d.lock(Advisory)
	case t.text == "readpast":
		d.lock(SkipLocked)
	case t.text == "updlock" || t.text == "xlock" || t.text == "tablockx":
		d.lock(ForUpdate)
	}
}

var advisory = wordsOf(`pg_advisory_lock pg_advisory_lock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared
	pg_try_advisory_lock pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared
	get_lock sp_getapplock`)

// finish works out what needs the whole statement.
func (d *draft) finish() {
	if len(d.Reads) == 0 {
		d.Reads = nil
	}
	if d.Verb != Select {
		d.Polls = false
		d.guards()
		return
	}
	if d.Table == "" && len(d.Reads) > 0 {
		d.Table = d.Reads[0]
	}
	for _, s := range d.subs { // WHERE id IN (SELECT id FROM the same table ORDER BY id LIMIT 10)
		d.Polls = d.Polls || s.Polls && s.Table == d.Table && len(d.tables) > 0
	}
}
