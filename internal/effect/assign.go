package effect

import (
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// An Assign is what a write does to the state of a row: something that a later write can overtake.
type Assign struct {
	// Columns are the columns of state that it assigns, as far as they are known.
	Columns []string
	// Narrow says that it assigns little else: state is what the write is about.
	Narrow bool
	// Version is the column or field by which the row, or the document that takes its place, tells how old it is.
	Version string
	// Document says that all of a document is replaced.
	Document bool
	// Now says that whether the row is changed depends on the clock of whoever runs the statement.
	Now bool
}

// stateEnds are the last words of the names of what says how far something is.
var stateEnds = []string{"status", "state", "stage", "phase"}

// NamesState reports whether a column or field holds how far something is: an order's status, and no user's count.
func NamesState(name string) bool {
	name = strings.TrimSuffix(sqltext.Snake(name), "_id")
	return slices.Contains(stateEnds, name[strings.LastIndexByte(name, '_')+1:])
}

// versionNames are the names of what says how old a row is.
var versionNames = []string{"version", "revision", "rev", "seq", "sequence", "sequence_number", "row_version", "updated_at", "changed_at", "modified_at",
	"last_modified", "last_updated", "last_updated_at", "last_update", "last_changed", "occurred_at", "event_time", "event_at", "reported_at", "observed_at",
	"measured_at", "recorded_at", "last_seq", "last_version", "event_version", "aggregate_version", "generation", "etag", "last_event_at", "state_at", "status_at",
	"status_changed_at", "state_changed_at", "status_updated_at", "last_sequence", "epoch", "ts", "timestamp", "updated", "modified", "lsn", "offset", "last_offset"}

// NamesVersion reports whether a column or field says how old a row is.
func NamesVersion(name string) bool {
	name = sqltext.Snake(name)
	return slices.Contains(versionNames, name) || strings.HasSuffix(name, "_version") || strings.HasSuffix(name, "_seq")
}

// namesMoment reports whether a column holds when a row was changed last.
func namesMoment(name string) bool {
	return NamesVersion(name) && (strings.HasSuffix(name, "_at") || strings.HasPrefix(name, "last_") || strings.HasSuffix(name, "_time") || name == "updated" || name == "ts" || name == "timestamp")
}

// fillAssign notes what a write does to state.
func (b *funcBuilder) fillAssign(e *Effect, c *ssa.CallCommon) {
	if !overwrites(e) {
		return
	}
	a := &Assign{}
	columns := e.Columns
	if mongoPackage(e.Symbol) {
		columns = b.documentColumns(a, e, c)
	}
	if len(columns) == 0 && !mongoPackage(e.Symbol) {
		columns = b.modelFields(c)
	}
	a.note(e, columns)
	a.Now = b.decidedByClock(e, c)
	e.Assign = a.orNil()
}

// AssignOf is what a write does to state, as its columns tell.
func AssignOf(e *Effect) *Assign {
	if !overwrites(e) {
		return nil
	}
	a := &Assign{}
	a.note(e, e.Columns)
	return a.orNil()
}

// Overwrites reports whether a write can take the place of what is there.
func (e *Effect) Overwrites() bool { return overwrites(e) && e.Verb != sqltext.Insert }

// overwrites reports whether a write can take the place of what is there.
func overwrites(e *Effect) bool {
	return e.Kind == model.Write && (e.Verb != sqltext.Delete && e.Verb != sqltext.Insert || e.Verb == sqltext.Insert && e.Conflict && len(e.Columns) > 0)
}

func (a *Assign) orNil() *Assign {
	if len(a.Columns) > 0 || a.Version != "" || a.Now {
		return a
	}
	return nil
}

// note picks the columns of state and version.
func (a *Assign) note(e *Effect, columns []string) {
	others := 0
	for _, col := range columns {
		switch {
		case NamesState(col):
			a.Columns = append(a.Columns, col)
		case strings.HasSuffix(col, "_at") || KeyName(col):
		default:
			others++
		}
		if a.Version == "" && NamesVersion(col) && !(e.Model && strings.Contains(e.Symbol, "gorm")) {
			a.Version = col
		}
	}
	if address(columns) {
		a.Columns = slices.DeleteFunc(a.Columns, func(col string) bool { return sqltext.Snake(col) == "state" })
	}
	a.Narrow = !e.Model && !a.Document && others <= 2
}

// address reports whether the columns are those of a place: its state is no stage of anything.
func address(columns []string) bool {
	return slices.ContainsFunc(columns, func(col string) bool {
		col = sqltext.Snake(col)
		return strings.HasSuffix(col, "city") || strings.HasSuffix(col, "country") || strings.Contains(col, "zip") || strings.Contains(col, "postal")
	})
}

// documentColumns lists what the update of a document assigns. A struct that is given stands for its fields.
func (b *funcBuilder) documentColumns(a *Assign, e *Effect, c *ssa.CallCommon) []string {
	var cols []string
	for _, arg := range stepArgs(c) {
		entries, known := b.entries(arg)
		if !known {
			if cols2 := documentFields(b.plain(arg)); cols2 != nil && strings.Contains(e.Symbol, "Replace") {
				a.Document, cols = true, append(cols, cols2...)
			}
			continue
		}
		if set := valueOf(entries, "$set"); set != nil {
			if fields, known := b.entries(set); known {
				for _, f := range fields {
					cols = append(cols, f.key)
				}
			}
			if more := documentFields(b.plain(set)); more != nil {
				a.Document, cols = true, append(cols, more...)
			}
		} else if more := documentFields(b.plain(arg)); more != nil && strings.Contains(e.Symbol, "Replace") {
			a.Document, cols = true, append(cols, more...)
		}
	}
	return cols
}

// modelFields lists the columns of a model that a step of an ORM is given: those that are filled in where it is put together
// here, else all.
func (b *funcBuilder) modelFields(c *ssa.CallCommon) []string {
	var cols []string
	for _, arg := range spread(stepArgs(c)) {
		v := b.plain(arg)
		if v == nil || modelType(v.Type()) == nil {
			continue
		}
		st, ok := deref(v.Type()).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		var content *allocContent
		if a := localObject(v); a != nil {
			content = b.contentOf(a)
		}
		for i := range st.NumFields() {
			if content == nil || len(content.whole) > 0 || len(content.fields[i]) > 0 {
				cols = append(cols, columnOf(st, i))
			}
		}
	}
	return cols
}

// documentFields lists the fields of a struct that is stored as a document, or nil.
func documentFields(v ssa.Value) []string {
	if v == nil {
		return nil
	}
	st, ok := deref(v.Type()).Underlying().(*types.Struct)
	if !ok || strings.Contains(typeName(deref(v.Type())), "/options.") {
		return nil
	}
	var cols []string
	for i := range st.NumFields() {
		if st.Field(i).Exported() {
			cols = append(cols, columnOf(st, i))
		}
	}
	return cols
}

// comparedMoment finds a comparison of a column with a parameter or with the clock of the database.
var comparedMoment = regexp.MustCompile(`(?i)\b(\w+)"?\x60?\s*<=?\s*(\$\d+|\?|now\(\)|current_timestamp(?:\(\))?|clock_timestamp\(\)|@\w+|:\w+)\s*(?:\)|$|\s(?:and|returning|;)|;)`)

// decidedByClock reports whether the condition of a write compares when a row was changed with the time at which the
// statement runs.
func (b *funcBuilder) decidedByClock(e *Effect, c *ssa.CallCommon) bool {
	if c == nil || e.Verb == sqltext.Delete {
		return false
	}
	for step := c; step != nil; step = b.stepBefore(step) {
		args := spread(stepArgs(step))
		for i, arg := range args {
			text, ok := b.conditionText(arg)
			if ok && b.comparesClock(text, args[i+1:]) {
				return true
			}
		}
		if mongoPackage(e.Symbol) {
			return b.filteredByClock(args)
		}
	}
	return false
}

// stepBefore is the step of a builder's chain that a step is called on.
func (b *funcBuilder) stepBefore(c *ssa.CallCommon) *ssa.CallCommon {
	recv := receiverOf(c)
	if recv == nil {
		return nil
	}
	call, ok := b.plain(recv).(*ssa.Call)
	if !ok || call.Common() == c {
		return nil
	}
	return call.Common()
}

func (b *funcBuilder) conditionText(v ssa.Value) (string, bool) {
	v = inner(v)
	if !isString(v.Type()) {
		return "", false
	}
	return b.textOf(v)
}

// comparesClock reports whether a text compares a moment with now, or with a parameter that is the time right now.
func (b *funcBuilder) comparesClock(text string, params []ssa.Value) bool {
	for _, m := range comparedMoment.FindAllStringSubmatchIndex(text, -1) {
		col, with := text[m[2]:m[3]], text[m[4]:m[5]]
		if !namesMoment(strings.ToLower(col)) {
			continue
		}
		i := -1
		switch {
		case with == "?":
			i = strings.Count(text[:m[4]], "?")
		case with[0] == '$':
			n, _ := strconv.Atoi(with[1:])
			i = n - 1
		case with[0] != '@' && with[0] != ':':
			return true
		}
		if i >= 0 && i < len(params) && b.isNow(params[i], 0) {
			return true
		}
	}
	return false
}

// filteredByClock reports whether a filter of documents compares a moment with the time right now.
func (b *funcBuilder) filteredByClock(args []ssa.Value) bool {
	for _, arg := range args {
		entries, _ := b.entries(arg)
		for _, e := range entries {
			if !namesMoment(sqltext.Snake(e.key)) {
				continue
			}
			than, _ := b.entries(e.value)
			for _, op := range than {
				if (op.key == "$lt" || op.key == "$lte") && b.isNow(op.value, 0) {
					return true
				}
			}
		}
	}
	return false
}

// isNow reports whether a value is the time right now, in whatever zone and precision.
func (b *funcBuilder) isNow(v ssa.Value, depth int) bool {
	if depth > maxTextDepth {
		return false
	}
	call, ok := b.plain(inner(v)).(*ssa.Call)
	if !ok {
		return false
	}
	obj := calledObject(call.Common())
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "time" {
		return false
	}
	switch obj.Name() {
	case "Now":
		return true
	case "UTC", "Local", "In", "Round", "Truncate", "Unix", "UnixMilli", "UnixNano":
		return len(call.Call.Args) > 0 && b.isNow(call.Call.Args[0], depth+1)
	}
	return false
}
