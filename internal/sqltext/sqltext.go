// Package sqltext recognises what a piece of SQL does: which rows it changes, in which table, under which conditions,
// and whether doing it twice differs from doing it once.
//
// It is a recogniser and no parser. The text comes from Go constants, concatenations and formats, so pieces of it are
// missing, and nobody says which dialect it is. A statement is therefore cut into clauses at the keywords that stand
// outside parentheses, and each clause is searched for the few things that a delivery review needs. What is not
// understood is skipped, never an error.
//
// A piece that the caller could not work out is written as [Hole]. Results say what is certain of the text around it:
// a hole in the place of a table gives the table Hole, a hole among conditions adds Hole to [Statement.Where].
package sqltext

import "strings"

// Hole stands in SQL text for a fragment that is not known: a name, a list, a condition, the rest of the statement.
//
// It is an ordinary identifier, so that it survives the lexer wherever it stands, also inside a name, a string or a
// parameter. It is in lower case and ends in an underscore: "orders_" + suffix stays one name, "FROM orders" + tail
// does not.
const Hole = "dmlint_hole_"

// HasHole reports whether a name in a result is unknown or known only in part, such as "outbox_" + suffix.
func HasHole(name string) bool { return strings.Contains(name, Hole) }

// Verb is what a statement does.
type Verb uint8

// The verbs. Those that change rows are the ones of [Statement.Writes].
const (
	Unknown   Verb = iota // part of a statement whose beginning is a hole
	Select                // reads rows
	Insert                // adds rows, or skips those that exist already
	Update                // changes rows
	Delete                // removes rows
	Upsert                // adds rows or changes those that exist: ON CONFLICT DO UPDATE, ON DUPLICATE KEY, REPLACE, MERGE
	Truncate              // removes all rows
	Copy                  // loads rows in bulk, or unloads them: then Table is empty
	Call                  // runs a procedure or a block
	DDL                   // changes the schema or the rights
	Session               // changes no rows: SET, SHOW, LISTEN, PRAGMA, EXPLAIN, LOCK TABLE
	Begin                 // opens a transaction
	Commit                // makes the transaction durable
	Rollback              // undoes the transaction
	Savepoint             // sets, releases or rolls back to a savepoint
)

var verbNames = [...]string{
	"unknown", "select", "insert", "update", "delete", "upsert", "truncate", "copy", "call", "ddl", "session",
	"begin", "commit", "rollback", "savepoint",
}

// String returns the verb in lower case.
func (v Verb) String() string { return nameOf(verbNames[:], uint8(v)) }

// Conflict is what an insert does with a row that is there already.
type Conflict uint8

// The ways to meet a conflict.
const (
	NoConflict Conflict = iota // fails
	DoNothing                  // keeps the old row: ON CONFLICT DO NOTHING, INSERT IGNORE, IF NOT EXISTS
	DoUpdate                   // changes the old row
)

var conflictNames = [...]string{"none", "do nothing", "do update"}

// String returns the name of the way to meet a conflict.
func (c Conflict) String() string { return nameOf(conflictNames[:], uint8(c)) }

// Lock is the strongest lock that a statement asks for in so many words.
type Lock uint8

// The locks, from weak to strong. Only a lock that keeps a second worker out of the same rows counts, so FOR SHARE is
// none.
const (
	NoLock     Lock = iota
	ForUpdate       // FOR UPDATE, FOR NO KEY UPDATE, UPDLOCK, LOCK TABLE: a second worker waits
	SkipLocked      // FOR UPDATE SKIP LOCKED, READPAST: a second worker takes other rows
	Advisory        // pg_advisory_lock and its kin, GET_LOCK, sp_getapplock
)

var lockNames = [...]string{"none", "for update", "skip locked", "advisory"}

// String returns the name of the lock.
func (l Lock) String() string { return nameOf(lockNames[:], uint8(l)) }

func nameOf(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return names[0]
}

// Statement is what one SQL statement does. All names are in lower case, without quotes and without schema, and a list
// holds each name once. A list that is cut short at 256 names is still a list of names that do occur.
type Statement struct {
	Verb Verb

	// Table is the table written, or for a Select the first table read. It is Hole when the text does not tell, and
	// empty when there is none, as in SELECT f($1).
	Table string

	// Reads are the tables after FROM, JOIN and USING, those of sub-selects included, without the names that WITH
	// defines and without the table written unless it is read for a second time.
	Reads []string

	Conflict  Conflict
	Returning bool // gives back the rows it changed: RETURNING, OUTPUT, THEN RETURN

	// Increments are the columns assigned from arithmetic on themselves, so that applying the statement twice differs
	// from applying it once: x = x + 1, x = COALESCE(t.x, 0) + $1, x = t.x + EXCLUDED.x, x += 1.
	Increments []string

	// Sets are the columns that SET assigns, and for Insert and Upsert those of the column list too. Hole among them
	// stands for columns that are not known.
	Sets []string

	// Columns are the simple columns of a select list: id, o.id, o.id AS x, id::text. Other expressions are left out.
	// It is nil for * and where a hole stands in the list.
	Columns []string

	// Where are the columns that the WHERE clause constrains, sub-selects left out. Hole among them stands for
	// conditions that are not known, or for a tail that may hold some.
	Where []string

	// Guards are the columns that a condition of an Update compares and that its SET also assigns, so that a second
	// application finds no row: status = 'new' with SET status = 'paid', version = $1 with SET version = version + 1,
	// paid_at IS NULL. For a column of Increments only an equality counts, since n >= $1 still holds after n = n - $1.
	// Conditions of ON CONFLICT DO UPDATE, of a CQL IF, and of a sub-select on the same table count as well.
	// Where the assignments are not known, a compared version counts as assigned: SET %s WHERE id = $1 AND version = $2.
	// A condition NOT EXISTS (SELECT ...) of any statement that writes gives the guard NotExists.
	Guards []string

	// Exists marks a Select that only asks whether rows are there: its list is EXISTS (...), COUNT(...) or a constant.
	Exists bool

	Lock   Lock
	Notify bool // NOTIFY or pg_notify
	Listen bool

	// Polls reports whether a Select could be the query that a worker polls a queue with: it has an order, a limit,
	// or a condition on a constant (IS NULL, = false, = 'new').
	Polls bool
}

// NotExists is the member of [Statement.Guards] that stands for NOT EXISTS (SELECT ...).
const NotExists = "not exists"

// Writes reports whether the statement changes rows.
func (s Statement) Writes() bool {
	switch s.Verb {
	case Insert, Update, Delete, Upsert, Truncate:
		return true
	case Copy:
		return s.Table != ""
	}
	return false
}

// Parse returns the statements in text, in order. A data-modifying CTE is a statement of its own, before the one that
// uses it. Parse returns nil for a text in which it recognises no SQL.
func Parse(text string) []Statement {
	if !Looks(text) {
		return nil
	}
	return parse(text, 0)
}
