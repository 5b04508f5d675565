package effect

import (
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// conditionValue reads a condition that is a value: a map, a model, a list of conditions, a call that makes one.
func (b *funcBuilder) conditionValue(s *said, v ssa.Value, depth int) {
	op := comparisonOf(inner(v).Type())
	v = b.plain(v)
	if depth > maxLiteralDepth || v == nil {
		return
	}
	if isString(v.Type()) {
		b.condition(s, []ssa.Value{v})
		return
	}
	if call, ok := v.(*ssa.Call); ok && b.conditionCall(s, call, depth) {
		return
	}
	if basic, ok := v.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 { // First(&order, 7)
		s.column("id", "=")
		return
	}
	entries, known := b.entries(v)
	if !known {
		s.where(sqltext.Hole)
	}
	for _, e := range entries {
		switch col, word, with := strings.Cut(e.key, " "); {
		case col == "":
			b.conditionValue(s, e.value, depth+1)
		case with: // upper: "version <"
			s.column(col, strings.TrimSpace(word))
		default:
			s.column(col, op)
		}
	}
}

// comparisonOf tells how a named map of columns compares them: squirrel.Eq, squirrel.NotEq, squirrel.Lt.
func comparisonOf(t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return "="
	}
	switch named.Obj().Name() {
	case "NotEq", "Neq":
		return "<>"
	case "Lt", "LtOrEq", "Lte", "Gt", "GtOrEq", "Gte":
		return "<"
	case "Like", "ILike", "NotLike":
		return "LIKE"
	}
	return "="
}

// conditionCall reads a condition that a call makes: a text, a predicate of ent, a comparison of goqu, and And and Or of
// them.
func (b *funcBuilder) conditionCall(s *said, call *ssa.Call, depth int) bool {
	c := call.Common()
	obj := calledObject(c)
	if obj == nil {
		return false
	}
	name := obj.Name()
	switch {
	case expressionMakers[name]:
		if t, ok := b.argText(stepArgs(c), 0); ok {
			s.where(t)
			return true
		}
	case name == "And" || name == "Or" || name == "Not":
		for _, a := range spread(stepArgs(c)) {
			b.conditionValue(s, a, depth+1)
		}
		return true
	case isPredicate(call.Type()):
		col, op := predicateColumn(name)
		s.column(col, op)
		return true
	case receiverOf(c) != nil:
		if col, ok := b.columnObject(receiverOf(c)); ok {
			s.column(col, comparisonWord(name))
			return true
		}
	}
	for _, r := range b.returned(call, 0) {
		b.conditionValue(s, r, depth+1)
		return true
	}
	return false
}

// isPredicate recognises the type that ent generates for conditions: predicate.Order.
func isPredicate(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && path.Base(named.Obj().Pkg().Path()) == "predicate"
}

// predicateOps are the endings of the names of ent's predicates, longer ones first.
var predicateOps = []struct{ suffix, op string }{
	{"ContainsFold", "LIKE"}, {"EqualFold", "="}, {"HasPrefix", "LIKE"}, {"HasSuffix", "LIKE"}, {"Contains", "LIKE"},
	{"NotNil", "<"}, {"IsNil", "="}, {"NotIn", "<>"}, {"NEQ", "<>"}, {"GTE", "<"}, {"LTE", "<"}, {"GT", "<"}, {"LT", "<"},
	{"EQ", "="}, {"In", "="},
}

// predicateColumn takes the name of ent's predicate apart: StatusNEQ compares the column status.
func predicateColumn(name string) (col, op string) {
	for _, p := range predicateOps {
		if base, ok := strings.CutSuffix(name, p.suffix); ok && base != "" {
			return sqltext.Snake(base), p.op
		}
	}
	return sqltext.Snake(name), "="
}

// columnObject reads an object that stands for a column: goqu.C("id"), goqu.T("orders").Col("id").
func (b *funcBuilder) columnObject(v ssa.Value) (string, bool) {
	call, ok := b.plain(v).(*ssa.Call)
	if !ok {
		return "", false
	}
	obj := calledObject(call.Common())
	if obj == nil {
		return "", false
	}
	switch obj.Name() {
	case "C", "I", "Col", "Column":
		return b.argText(stepArgs(call.Common()), 0)
	}
	return "", false
}

func comparisonWord(method string) string {
	switch strings.ToLower(method) {
	case "eq", "in", "is", "isnull", "istrue", "isfalse":
		return "="
	case "neq", "notin", "isnot", "isnotnull":
		return "<>"
	case "like", "ilike", "notlike":
		return "LIKE"
	}
	return "<"
}

// clause reads an argument of gorm's Clauses: a lock, or what to do with rows that are there.
func (b *funcBuilder) clause(s *said, v ssa.Value) {
	name := typeName(deref(inner(v).Type()))
	entries, _ := b.entries(v)
	switch {
	case strings.HasSuffix(name, "/clause.Locking"):
		for _, e := range entries {
			if t, ok := b.text(e.value, 0); ok && e.key == "strength" {
				s.end("FOR " + t)
			}
		}
	case strings.HasSuffix(name, "/clause.OnConflict"):
		s.end("ON CONFLICT DO " + b.conflictAction(entries))
	case strings.HasSuffix(name, "/clause.Insert"):
		s.end("ON CONFLICT DO NOTHING") // Modifier: "IGNORE"
	case strings.HasSuffix(name, "/clause.Returning"):
		s.end("RETURNING id")
	}
}

// conflictAction writes what clause.OnConflict does with the row that is there.
func (b *funcBuilder) conflictAction(entries []entry) string {
	for _, e := range entries {
		if e.key != "do_updates" {
			continue
		}
		call, ok := b.plain(e.value).(*ssa.Call) // clause.Assignments(map[string]any{…})
		if !ok {
			return "UPDATE SET " + sqltext.Hole + " = ?"
		}
		inner := &said{}
		b.assignment(inner, stepArgs(call.Common()))
		return "UPDATE SET " + strings.Join(append([]string{sqltext.Hole + " = ?"}, inner.sets...), ", ")
	}
	for _, e := range entries {
		if e.key == "update_all" {
			return "UPDATE SET " + sqltext.Hole + " = ?"
		}
	}
	return "NOTHING"
}
