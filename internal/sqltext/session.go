package sqltext

// A form is how a statement that needs no reading goes on after its first word.
type form struct {
	verb   Verb
	alone  bool    // with nothing
	single bool    // with one word
	next   wordSet // with one of these words
}

// forms are the statements that are known by their first two words.
var forms = map[string]form{
	"comment": {verb: DDL, next: wordsOf("on")},
	"rename":  {verb: DDL, next: wordsOf("table")},
	"reindex": {verb: DDL, next: wordsOf("table index schema database system")},
	"cluster": {verb: DDL, single: true},
	"refresh": {verb: DDL, next: wordsOf("materialized")},

	"reset":      {verb: Session, single: true},
	"unlisten":   {verb: Session, single: true},
	"analyze":    {verb: Session, alone: true, single: true, next: wordsOf("table verbose")},
	"vacuum":     {verb: Session, alone: true, single: true, next: wordsOf("full freeze verbose analyze into")},
	"explain":    {verb: Session, next: wordsOf("select insert update delete with analyze verbose query extended plan")},
	"describe":   {verb: Session, single: true},
	"unlock":     {verb: Session, next: wordsOf("table tables")},
	"use":        {verb: Session, single: true},
	"deallocate": {verb: Session, single: true},
	"discard":    {verb: Session, single: true},
	"optimize":   {verb: Session, next: wordsOf("table")},
	"checkpoint": {verb: Session, alone: true},
	"flush":      {verb: Session, next: wordsOf("tables privileges logs")},
	"attach":     {verb: Session, next: wordsOf("database partition")},
	"detach":     {verb: Session, single: true},
	"close":      {verb: Session, single: true},
	"fetch": {verb: Session, next: wordsOf(`next prior first last absolute relative forward
		backward all from in`)},
	"show": {verb: Session, single: true, next: wordsOf(`tables databases columns create full index indexes status
		variables global session transaction processlist slave master replica binary engine engines grants keys warnings
		errors triggers time table schemas`)},

	"begin": {verb: Begin, alone: true, next: wordsOf(`transaction tran work immediate deferred exclusive concurrent
		read isolation not`)},
	"start":     {verb: Begin, next: wordsOf("transaction")},
	"commit":    {verb: Commit, alone: true, next: wordsOf("transaction tran work and prepared")},
	"end":       {verb: Commit, alone: true, next: wordsOf("transaction work")},
	"rollback":  {verb: Rollback, alone: true, next: wordsOf("transaction tran work and prepared to")},
	"abort":     {verb: Rollback, alone: true, next: wordsOf("transaction work")},
	"savepoint": {verb: Savepoint, single: true},
	"release":   {verb: Savepoint, single: true, next: wordsOf("savepoint")},
	"save":      {verb: Savepoint, next: wordsOf("transaction tran")},
	"xa":        {verb: Session, next: wordsOf("start begin end prepare commit rollback recover " + Hole)},
}

// matches reports whether ts goes on as the form says.
func (f form) matches(ts tokens) bool {
	switch len(ts) {
	case 1:
		return f.alone
	case 2:
		if f.single || ts[1].isHole() {
			return true
		}
	}
	return ts.isAny(1, f.next)
}

// plain reads the statements of forms.
func (d *draft) plain(ts tokens) bool {
	f, ok := forms[ts[0].text]
	if !ok || !f.matches(ts) {
		return false
	}
	d.Verb = f.verb
	switch ts[0].text {
	case "xa":
		d.Verb = xaVerb(ts[1].text)
	case "rollback":
		if ts.find("to") > 0 {
			d.Verb = Savepoint
		}
	}
	return true
}

func xaVerb(step string) Verb {
	switch step {
	case "start", "begin":
		return Begin
	case "commit":
		return Commit
	case "rollback":
		return Rollback
	}
	return Session
}

// session reads the statements about the session that need more than their first words.
func (d *draft) session(ts tokens) bool {
	d.Verb = Session
	switch ts[0].text {
	case "set":
		return ts.setsSession()
	case "declare":
		return d.declare(ts)
	case "lock":
		return d.lockTable(ts)
	case "notify":
		d.Notify = true
		return ts.isChannel()
	case "listen":
		d.Listen = true
		return ts.isChannel()
	}
	return len(ts) > 1
}

// setsSession reports whether ts sets something of the session: SET name = x, SET name TO x, SET TRANSACTION ...
func (ts tokens) setsSession() bool {
	ts = ts.from(1).skip("session", "local", "global", "persist")
	if ts.isAny(0, settings) {
		return true
	}
	_, next, ok := ts.path(0)
	if ts.at(0).kind == param {
		next, ok = 1, true
	}
	return ok && (ts.oneOf(next, "=", ":=", "to") || ts.at(next).isHole())
}

// settings are what SET sets without an equals sign.
var settings = wordsOf(`transaction names role constraints character authorization password time statistics nocount
	xact_abort identity_insert quoted_identifier ansi_nulls deadlock_priority lock_timeout arithabort characteristics`)

// isChannel reports whether ts is a verb with the name of a channel, and perhaps a payload.
func (ts tokens) isChannel() bool {
	_, next, ok := ts.path(1)
	return ok && (next == len(ts) || ts.is(next, ",") || ts.at(next).isHole())
}

// declare reads a cursor's query, or the declaration of a variable.
func (d *draft) declare(ts tokens) bool {
	for i := range ts.outer() {
		if ts.is(i, "for") && ts.from(i+1).isQuery() {
			return d.read(ts[i+1:])
		}
	}
	return ts.at(1).kind == param || ts.has("cursor")
}

// lockTable reads LOCK TABLE t.
func (d *draft) lockTable(ts tokens) bool {
	d.lock(ForUpdate)
	ts = ts.from(1)
	explicit := ts.oneOf(0, "table", "tables")
	col, next, ok := ts.skipAll("table", "tables", "only").path(0)
	d.Table = col.name
	return ok && (explicit || ts.is(next, "in"))
}
