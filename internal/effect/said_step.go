package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// The names of builder steps, in lower case, whose arguments are conditions, and of those that assign.
var (
	conditionSteps = stepNames("where", "and", "or", "not", "whereor", "andwhere", "orwhere", "filter", "wherein")
	assigningSteps = stepNames("set", "setmap", "update", "updates", "updatecolumn", "updatecolumns")
	// ormReads are gorm's steps that take a condition after the model.
	ormReads   = stepNames("first", "find", "take", "last", "delete", "firstorinit", "firstorcreate")
	countSteps = stepNames("count", "countx", "countcontext", "exist", "existx", "exists", "existsg", "countdocuments", "estimateddocumentcount")
)

func stepNames(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// listen adds what one step of a builder says about rows. The terminal is the step that the chain ends in.
func (b *funcBuilder) listen(s *said, c *ssa.CallCommon, obj *types.Func) {
	args := stepArgs(c)
	name := strings.ToLower(obj.Name())
	switch {
	case obj.Pkg() != nil && obj.Pkg().Path() == "github.com/huandu/go-sqlbuilder":
		b.listenPieces(s, name, args)
	case conditionSteps[name]:
		b.condition(s, args)
	case assigningSteps[name]:
		b.assignment(s, args)
	case name == "find" && obj.Pkg() != nil && strings.HasPrefix(obj.Pkg().Path(), "github.com/upper/db"):
		b.condition(s, args)
	case ormReads[name] && ofGorm(obj) && len(args) > 1:
		b.condition(s, spread(args[1:]))
	case countSteps[name]:
		s.exists = true
	default:
		b.listenWord(s, name, args)
	}
	if name == "firstorcreate" {
		s.end("ON CONFLICT DO NOTHING")
	}
	b.primaryKey(s, name, args, obj)
}

// listenPieces reads the steps of go-sqlbuilder, where each argument is a condition or an assignment of its own.
func (b *funcBuilder) listenPieces(s *said, name string, args []ssa.Value) {
	for _, a := range spread(args) {
		switch {
		case conditionSteps[name]:
			b.condition(s, []ssa.Value{a})
		case assigningSteps[name] && name != "update", name == "setmore":
			b.assignment(s, []ssa.Value{a})
		}
	}
	if !conditionSteps[name] && !assigningSteps[name] {
		b.listenWord(s, name, args)
	}
}

// listenWord knows the steps that say what they do by their names.
func (b *funcBuilder) listenWord(s *said, name string, args []ssa.Value) {
	switch name {
	case "wherepk", "id":
		s.column("id", "=")
	case "in":
		b.comparison(s, args, "=")
	case "incr", "decr":
		if col, ok := b.argText(args, 0); ok {
			s.set(col, col+" + ?")
		}
	case "setexpr", "setcolumn": // the expression is SQL
		if col, ok := b.argText(args, 0); ok {
			expr, _ := b.argText(args, 1)
			s.set(col, expr)
		}
	case "clauses":
		for _, a := range spread(args) {
			b.clause(s, a)
		}
	case "suffix", "prefix", "options", "returning":
		if t, ok := b.argText(args, 0); ok {
			s.end(suffixWords(name, t))
		}
	case "on", "onconflict":
		b.conflictStep(s, name, args)
	case "onconflictdonothing", "donothing", "ignore", "insertignoreinto":
		s.end("ON CONFLICT DO NOTHING")
	case "for":
		if t, ok := b.argText(args, 0); ok {
			s.end("FOR " + t)
		}
	case "forupdate", "fornokeyupdate":
		s.end("FOR UPDATE")
	}
}

// suffixWords keeps of a free piece of SQL what can stand at the end.
func suffixWords(step, text string) string {
	switch {
	case step == "returning":
		return "RETURNING " + text
	case step == "suffix":
		return text
	case strings.EqualFold(strings.TrimSpace(text), "ignore"): // squirrel's Options, bun's Ignore
		return "ON CONFLICT DO NOTHING"
	}
	return ""
}

// conflictStep reads On("CONFLICT (id) DO NOTHING") of bun and OnConflict("(id) DO NOTHING") of go-pg.
func (b *funcBuilder) conflictStep(s *said, name string, args []ssa.Value) {
	t, ok := b.argText(args, 0)
	switch {
	case ok && name == "on":
		s.end("ON " + t)
	case ok:
		s.end("ON CONFLICT " + strings.TrimPrefix(t, "ON CONFLICT "))
	case name == "onconflict":
		s.end("ON CONFLICT DO NOTHING")
	}
}

// primaryKey notes that a step names the row by the model that it is given: gorm's Model(&order) and Delete(&order).
func (b *funcBuilder) primaryKey(s *said, name string, args []ssa.Value, obj *types.Func) {
	if !ofGorm(obj) || name != "model" && name != "delete" || len(args) == 0 {
		return
	}
	if v := b.plain(args[0]); v != nil && !emptyLiteral(v) && namesRow(v.Type()) {
		s.keyed = true
	}
}

func namesRow(t types.Type) bool {
	if modelType(t) == nil {
		return false
	}
	_, slice := deref(t).Underlying().(*types.Slice)
	return !slice
}

// emptyLiteral reports whether v is &T{} or new(T): it names a table and no row.
func emptyLiteral(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	if !ok {
		c, isConst := v.(*ssa.Const)
		return isConst && c.Value == nil
	}
	if a.Comment != "complit" && a.Comment != "new" {
		return false
	}
	for _, ref := range *a.Referrers() {
		if _, set := ref.(*ssa.FieldAddr); set {
			return false
		}
	}
	return true
}

func ofGorm(obj *types.Func) bool {
	return obj.Pkg() != nil && (strings.HasPrefix(obj.Pkg().Path(), "gorm.io/") || obj.Pkg().Path() == "github.com/jinzhu/gorm")
}

// stepArgs lists the arguments of a step without its receiver and contexts.
func stepArgs(c *ssa.CallCommon) []ssa.Value {
	args := c.Args
	if recv := receiverOf(c); recv != nil && !c.IsInvoke() && len(args) > 0 {
		args = args[1:]
	}
	var out []ssa.Value
	for _, a := range args {
		if !isContext(a.Type()) {
			out = append(out, a)
		}
	}
	return out
}

// spread replaces a variadic argument at the end by what is in it.
func spread(args []ssa.Value) []ssa.Value {
	if len(args) == 0 {
		return nil
	}
	last := args[len(args)-1]
	if sl, ok := last.(*ssa.Slice); ok {
		if a, ok := sl.X.(*ssa.Alloc); ok && a.Comment == "varargs" {
			return append(args[:len(args)-1:len(args)-1], variadic(last)...)
		}
	}
	if k, ok := last.(*ssa.Const); ok && k.Value == nil { // nothing was given
		return args[:len(args)-1]
	}
	return args
}

func (b *funcBuilder) argText(args []ssa.Value, i int) (string, bool) {
	args = spread(args)
	if i >= len(args) {
		return "", false
	}
	v := args[i]
	if mi, ok := v.(*ssa.MakeInterface); ok {
		v = mi.X
	}
	if !isString(v.Type()) {
		return "", false
	}
	return b.textOf(v)
}

// condition reads the arguments of a condition: a text with its values, or conditions that are values.
func (b *funcBuilder) condition(s *said, args []ssa.Value) {
	args = spread(args)
	if len(args) == 0 {
		return
	}
	if isString(inner(args[0]).Type()) {
		switch t, ok := b.textOf(inner(args[0])); {
		case !ok:
			s.where(sqltext.Hole)
		case len(args) > 1 && strings.Trim(t, nameRunes) == "": // upper: Where("id", id)
			s.column(t, "=")
		case len(args) > 2 && strings.Trim(t, nameRunes+" ") == "" || !strings.ContainsAny(t, "=<>() "):
			b.comparison(s, args, "=")
		default:
			s.where(t)
		}
		return
	}
	for _, a := range args {
		b.conditionValue(s, a, 0)
	}
}

const nameRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.`\""

// comparison reads a column and what it is compared with.
func (b *funcBuilder) comparison(s *said, args []ssa.Value, op string) {
	if col, ok := b.argText(args, 0); ok {
		s.column(col, op)
	} else {
		s.where(sqltext.Hole)
	}
}

// assignment reads the arguments of a step that assigns: a column and a value, a text, a map, or a model.
func (b *funcBuilder) assignment(s *said, args []ssa.Value) {
	args = spread(args)
	if len(args) == 0 {
		return
	}
	if isString(inner(args[0]).Type()) {
		switch t, ok := b.textOf(inner(args[0])); {
		case !ok:
		case strings.HasPrefix(t, "gorm:"): // gorm v1: "gorm:query_option", "FOR UPDATE"
			words, _ := b.argText(args, 1)
			s.end(words)
		case strings.Contains(t, "="):
			s.sets = append(s.sets, t)
		case len(args) > 1:
			s.set(t, b.exprText(args[1]))
		}
		return
	}
	for _, a := range args {
		entries, known := b.entries(a)
		if !known || len(entries) == 0 {
			s.sets = append(s.sets, b.versionSets(inner(a).Type())...)
		}
		for _, e := range entries {
			if e.key != "" && !strings.Contains(e.key, sqltext.Hole) {
				s.set(e.key, b.exprText(e.value))
			}
		}
	}
}

// versionColumns are the columns by which a row's state is told from its next one.
var versionColumns = stepNames("version", "row_version", "lock_version", "revision", "status", "state")

// versionSets are the assignments that a model of unknown content can be taken to make: where its version or status is
// compared, it also changes.
func (b *funcBuilder) versionSets(t types.Type) []string {
	named := modelType(t)
	if named == nil {
		return nil
	}
	st := named.Underlying().(*types.Struct)
	var sets []string
	for i := range st.NumFields() {
		if col := columnOf(st, i); versionColumns[col] {
			sets = append(sets, col+" = ?")
		}
	}
	return sets
}
