package effect

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// A said is what the steps of a query builder say about rows, in words of SQL. It is put together to one statement and
// read as SQL is, so that a guard or an increment is the same thing whoever writes the SQL.
type said struct {
	sets   []string // assignments: "balance = balance + ?"
	wheres []string // conditions, each in full: "id = ? AND status = ?"
	tail   []string // what stands at the end: ON CONFLICT DO NOTHING, FOR UPDATE, RETURNING id
	exists bool     // only asks whether rows are there
	keyed  bool     // the row is named by the model that is given
}

func (s *said) set(col, expr string)  { s.sets = append(s.sets, col+" = "+expr) }
func (s *said) where(cond string)     { s.wheres = append(s.wheres, cond) }
func (s *said) column(col, op string) { s.where(col + " " + op + " ?") }
func (s *said) end(words string)      { s.tail = append(s.tail, words) }
func (s *said) empty() bool           { return len(s.sets)+len(s.wheres)+len(s.tail) == 0 && !s.keyed }

// statement writes what has been said as one statement, or "" for a verb that it does not know.
func (s said) statement(verb, table string) string {
	sets := strings.Join(slices.Concat([]string{sqltext.Hole + " = ?"}, s.sets), ", ")
	if s.keyed && (verb == "update" || verb == "delete") {
		s.column("id", "=")
	}
	text := ""
	switch verb {
	case "insert", "upsert":
		text = "INSERT INTO " + word(table) + " (" + sqltext.Hole + ") VALUES (?)"
		return text + s.conflictTail()
	case "update":
		text = "UPDATE " + word(table) + " SET " + sets
	case "delete":
		text = "DELETE FROM " + word(table)
	case "select":
		text = "SELECT " + sqltext.Hole + " FROM " + word(table)
	default:
		return ""
	}
	if len(s.wheres) > 0 {
		text += " WHERE (" + strings.Join(s.wheres, ") AND (") + ")"
	}
	return text + s.ending()
}

func (s *said) ending() string {
	if len(s.tail) == 0 {
		return ""
	}
	return " " + strings.Join(s.tail, " ")
}

// conflictTail ends an insert: bun's Set and Where after On belong to the update of the row that is there.
func (s *said) conflictTail() string {
	tail := s.ending()
	if len(s.sets) == 0 || !strings.Contains(strings.ToLower(tail), "conflict") && !strings.Contains(strings.ToLower(tail), "duplicate") {
		return tail
	}
	tail = strings.Replace(tail, " DO NOTHING", "", 1)
	if low := strings.ToLower(tail); strings.Contains(low, " set ") {
		tail += ", "
	} else if strings.HasSuffix(strings.TrimSpace(low), "update") {
		tail += " SET "
	} else {
		tail += " DO UPDATE SET "
	}
	tail += strings.Join(s.sets, ", ")
	if len(s.wheres) > 0 {
		tail += " WHERE (" + strings.Join(s.wheres, ") AND (") + ")"
	}
	return tail
}

// applySaid notes what a builder's steps have said of an effect whose kind and verb are known. The table is left out: an
// ORM calls it otherwise than the pieces of SQL do that it is given.
func applySaid(e *Effect, s *said) {
	e.Exists = e.Exists || s.exists
	if s.empty() {
		return
	}
	if st, ok := parseSaid(s.statement(e.Verb.String(), "")); ok {
		e.addWhere(st.Where)
		e.Guarded = e.Guarded || len(st.Guards) > 0
		e.Increment = e.Increment || len(st.Increments) > 0
		e.Added = append(e.Added, st.Increments...)
		e.Locks = e.Locks || st.Lock != sqltext.NoLock
		e.Conflict = e.Conflict || st.Conflict != sqltext.NoConflict
	}
	if e.Verb == sqltext.Insert && len(s.wheres) > 0 { // gorm's FirstOrCreate looks for the row first
		if st, ok := parseSaid(said{wheres: s.wheres}.statement("select", "")); ok {
			e.addWhere(st.Where)
		}
	}
}

func parseSaid(text string) (sqltext.Statement, bool) {
	statements := sqltext.Parse(text)
	if len(statements) == 0 {
		return sqltext.Statement{}, false
	}
	return mainStatement(statements), true
}

// addWhere adds columns that a condition constrains.
func (e *Effect) addWhere(cols []string) {
	for _, col := range cols {
		if !slices.Contains(e.Where, col) {
			e.Where = append(e.Where, col)
		}
	}
}
