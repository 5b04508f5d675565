package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// A history is the tables of one place, as changes have left them. Each folder of migrations is a history of its own:
// another folder may serve another database, or say the same again.
type history struct {
	tables map[string]*table
	// additive keeps what once was said: in Go code nobody knows in which order texts are run, or whether at all.
	additive bool
}

func newHistory() *history { return &history{tables: map[string]*table{}} }

// all returns the tables in the order of their names.
func (h *history) all() []*table {
	var ts []*table
	for _, name := range slices.Sorted(maps.Keys(h.tables)) {
		ts = append(ts, h.tables[name])
	}
	return ts
}

func (h *history) table(name string) *table {
	t := h.tables[name]
	if t == nil {
		t = newTable(name)
		h.tables[name] = t
	}
	return t
}

func (h *history) run(text string) {
	for _, c := range sqltext.Changes(text) {
		if sqltext.HasHole(c.Table) {
			continue
		}
		switch c.Op {
		case sqltext.CreateTable, sqltext.CopyTable, sqltext.AddColumn, sqltext.AddKey:
			h.extend(c)
		default:
			if !h.additive {
				h.change(c)
			}
		}
	}
}

func (h *history) extend(c sqltext.Change) {
	t := h.table(c.Table)
	switch c.Op {
	case sqltext.CreateTable:
		t.whole = true
	case sqltext.CopyTable:
		h.copyTable(t, h.tables[c.To])
	case sqltext.AddColumn:
		if sqltext.HasHole(c.Name) { // which may be a key as well
			t.whole = false
			return
		}
		t.addColumn(c.Name, c.Generated)
	case sqltext.AddKey:
		t.addKey(key{names: keyNames(c), columns: slices.Clone(c.Columns), primary: c.Primary})
	}
}

// keyNames lists the names that a key can be dropped by: its own, or those that databases make up.
func keyNames(c sqltext.Change) []string {
	switch cols := strings.Join(c.Columns, "_"); {
	case c.Name != "":
		return []string{c.Name}
	case c.Primary:
		return []string{postgresName(c.Table, "", "pkey")}
	default:
		return []string{postgresName(c.Table, "_"+cols, "key"), postgresName(c.Table, "_"+cols, "idx"), c.Columns[0]} // as in MySQL
	}
}

// postgresName joins the parts of a name as PostgreSQL does: to 63 bytes, by shortening the longer part.
func postgresName(table, cols, label string) string {
	for left := 63 - 1 - len(label); len(table)+len(cols) > left; {
		if len(table) >= len(cols) { // whose underscore is counted with it
			table = table[:len(table)-1]
		} else {
			cols = cols[:len(cols)-1]
		}
	}
	return table + cols + "_" + label
}

// copyTable gives t what from has, and knows less where that was never seen.
func (h *history) copyTable(t, from *table) {
	switch from {
	case nil:
		t.whole = false
		return
	case t:
		return
	}
	t.whole = from.whole
	for _, col := range from.columns {
		t.addColumn(col, from.generated[col])
	}
	for _, k := range from.keys {
		if !slices.ContainsFunc(t.keys, func(own key) bool { return sameColumns(own.columns, k.columns) }) {
			t.addKey(key{columns: slices.Clone(k.columns), primary: k.primary})
		}
	}
}

// change takes away or renames.
func (h *history) change(c sqltext.Change) {
	switch c.Op {
	case sqltext.DropTable:
		delete(h.tables, c.Table)
	case sqltext.RenameTable:
		if t := h.tables[c.Table]; t != nil && c.To != "" {
			delete(h.tables, c.Table)
			t.name = c.To
			h.tables[c.To] = t
		}
	case sqltext.DropColumn:
		if t := h.tables[c.Table]; t != nil {
			t.dropColumn(c.Name)
		}
	case sqltext.RenameColumn:
		if t := h.tables[c.Table]; t != nil {
			t.renameColumn(c.Name, c.To)
		}
	case sqltext.DropKey:
		h.dropKey(c)
	case sqltext.RenameKey:
		h.renameKey(c)
	}
}

// owners are the tables that a change of a key can be about.
func (h *history) owners(c sqltext.Change) []*table {
	if c.Table == "" {
		return h.all()
	}
	if t := h.tables[c.Table]; t != nil {
		return []*table{t}
	}
	return nil
}

func (h *history) dropKey(c sqltext.Change) {
	for _, t := range h.owners(c) {
		t.keys = slices.DeleteFunc(t.keys, func(k key) bool {
			return c.Primary && k.primary || c.Name != "" && slices.Contains(k.names, c.Name)
		})
	}
}

func (h *history) renameKey(c sqltext.Change) {
	for _, t := range h.owners(c) {
		for i := range t.keys {
			if slices.Contains(t.keys[i].names, c.Name) {
				t.keys[i].names = []string{c.To}
			}
		}
	}
}

func (t *table) dropColumn(name string) {
	t.columns = slices.DeleteFunc(t.columns, func(col string) bool { return col == name })
	delete(t.generated, name)
	t.keys = slices.DeleteFunc(t.keys, func(k key) bool { return slices.Contains(k.columns, name) })
}

func (t *table) renameColumn(name, to string) {
	if name == to || to == "" {
		return
	}
	rename := func(cols []string) {
		if i := slices.Index(cols, name); i >= 0 {
			cols[i] = to
		}
	}
	rename(t.columns)
	for _, k := range t.keys {
		rename(k.columns)
	}
	if t.generated[name] {
		delete(t.generated, name)
		t.generated[to] = true
	}
}
