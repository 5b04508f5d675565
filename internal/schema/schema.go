// Package schema finds what a module says about its tables: which columns identify a row, and which the database fills
// by itself. It reads migrations and other files of SQL, SQL in Go strings, models of gorm, bun, go-pg and xorm, and
// schemas of ent.
//
// Everything is read from text and syntax. What cannot be read is left out and never an error: a table without a
// definition is one about which nothing is known.
package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// A Schema is what is known of the tables of one program. A nil Schema knows none.
type Schema struct {
	tables map[string][]*table // by normal
	failed int
	// sheds are the texts, in lower case, that may take rows out of tables.
	sheds []string
}

// A table is what one place says about a table.
type table struct {
	name string
	// loose marks a name that was made from a type's: singular where the table may be plural.
	loose bool
	// whole marks a table whose creation was seen, so that keys are all that it has.
	whole bool
	// migrated marks a table that numbered migrations make, inCode one that the program's code makes. A lone file of SQL may
	// as well describe a database that is looked after elsewhere.
	migrated, inCode bool
	columns          []string
	keys             []key
	generated        map[string]bool
}

// A key is a set of columns that no two rows agree in.
type key struct {
	names   []string // of the constraint, as it may be called
	columns []string
	primary bool
}

func newTable(name string) *table { return &table{name: name, generated: map[string]bool{}} }

// Keys returns the unique keys of a table, the primary key included. The name is without schema; singular and plural
// mean the same table. known reports whether a definition of the whole table was found; without one there may be more
// keys than those returned.
func (s *Schema) Keys(table string) (keys [][]string, known bool) {
	for _, t := range s.lookup(table) {
		known = known || t.whole
		for _, k := range t.keys {
			if !slices.ContainsFunc(keys, func(other []string) bool { return sameColumns(other, k.columns) }) {
				keys = append(keys, k.columns)
			}
		}
	}
	return keys, known
}

// Columns returns the columns of a table that are known, in the order of their definition.
func (s *Schema) Columns(table string) []string {
	var cols []string
	for _, t := range s.lookup(table) {
		for _, col := range t.columns {
			if !slices.Contains(cols, col) {
				cols = append(cols, col)
			}
		}
	}
	return cols
}

// Generated returns, sorted, the columns of a table that get a new value for each row without anybody giving one:
// serial, identity, auto_increment, DEFAULT gen_random_uuid(). A key of such columns does not tell a repeated row.
func (s *Schema) Generated(table string) []string {
	all := map[string]bool{}
	for _, t := range s.lookup(table) {
		maps.Copy(all, t.generated)
	}
	return slices.Sorted(maps.Keys(all))
}

// Tables returns the names of the tables that something is known about, sorted.
func (s *Schema) Tables() []string {
	names := map[string]bool{}
	if s != nil {
		for _, ts := range s.tables {
			for _, t := range ts {
				names[t.name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Failed returns how many files could not be read or were too large.
func (s *Schema) Failed() int {
	if s == nil {
		return 0
	}
	return s.failed
}

// lookup returns what is said about a table: under its name where SQL defines it, and by models whose name fits.
func (s *Schema) lookup(name string) []*table {
	if s == nil || name == "" || sqltext.HasHole(name) {
		return nil
	}
	name = strings.ToLower(name)
	found := s.tables[normal(name)]
	exact := func(t *table) bool { return !t.loose && t.name == name }
	if slices.ContainsFunc(found, exact) {
		return slices.DeleteFunc(slices.Clone(found), func(t *table) bool { return !t.loose && !exact(t) })
	}
	return found
}

// add takes in what one place says.
func (s *Schema) add(ts ...*table) {
	for _, t := range ts {
		if t.name != "" && !sqltext.HasHole(t.name) {
			s.tables[normal(t.name)] = append(s.tables[normal(t.name)], t)
		}
	}
}

// SameTable reports whether two names can mean one table, whose name may be made from a type's: in singular or plural.
func SameTable(a, b string) bool {
	return a != "" && !sqltext.HasHole(a) && !sqltext.HasHole(b) && normal(strings.ToLower(a)) == normal(strings.ToLower(b))
}

// irregular are plurals that no ending tells.
var irregular = map[string]string{"people": "person", "children": "child", "indices": "index", "statuses": "status"}

// normal is the same for the singular and the plural of a name, with underscores or without. Endings are cut off on both
// sides until they agree, since nobody reads the result: boxes and box, caches and cache, categories and category.
func normal(name string) string {
	head, last := "", name
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		head, last = name[:i], name[i+1:]
	}
	if one, ok := irregular[last]; ok {
		last = one
	}
	name = strings.ReplaceAll(head, "_", "") + last
	if rest := strings.TrimRight(name, "se"); rest != "" {
		name = rest
	}
	if rest, ok := strings.CutSuffix(name, "y"); ok {
		name = rest + "i"
	}
	return name
}

// addColumn notes a column and whether it is generated.
func (t *table) addColumn(name string, generated bool) {
	name = strings.ToLower(name)
	if !slices.Contains(t.columns, name) {
		t.columns = append(t.columns, name)
	}
	delete(t.generated, name)
	if generated {
		t.generated[name] = true
	}
}

// addKey notes a key. One that is not fully known is left out, and then the table is not known as a whole.
func (t *table) addKey(k key) {
	for i, col := range k.columns {
		k.columns[i] = strings.ToLower(col)
	}
	switch {
	case len(k.columns) == 0:
	case slices.ContainsFunc(k.columns, sqltext.HasHole):
		t.whole = false
	default:
		t.keys = append(t.keys, k)
	}
}

func sameColumns(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(col string) bool { return !slices.Contains(b, col) })
}
