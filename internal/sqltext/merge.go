package sqltext

// merge reads MERGE INTO t USING s ON ... WHEN ... THEN ...
func (d *draft) merge(ts tokens) bool {
	d.Verb, d.Conflict = Upsert, DoNothing
	ts = ts.from(1).modifiers().skip("into")
	if ts.find("using") < 1 && !ts.hasHole() {
		return false
	}
	branches := 0
	for key, clause := range ts.clauses(mergeClauses) {
		switch key {
		case "":
			d.written(clause)
		case "when":
			branches++
			d.when(clause)
		default:
			d.changeClause(key, clause)
		}
	}
	if branches == 0 { // they are in a hole
		d.Conflict = DoUpdate
	}
	return true
}

// when reads one branch of a MERGE.
func (d *draft) when(ts tokens) {
	then := ts.find("then")
	if then < 0 {
		d.Conflict = DoUpdate
		return
	}
	if and := ts[:then].find("and"); and >= 0 {
		d.where(ts[and+1 : then])
	}
	switch action := ts[then+1:]; {
	case action.is(0, "insert"):
		for _, col := range action.inside(1).names() {
			d.Sets = add(d.Sets, col.name)
		}
	case action.is(0, "do", "nothing"):
	default:
		d.Conflict = DoUpdate
		d.doUpdate(action)
	}
}
