package schema

import (
	"regexp"
	"slices"
	"strings"
)

// shedding tells texts that may take rows out of a table, or give it parts that can be dropped.
var shedding = regexp.MustCompile(`(?i)\b(delete\s+from|truncate|partition\s+(by|of)|cron\.schedule|create\s+event|create_hypertable|add_retention_policy)\b`)

// maxSheds bounds how much text that may delete rows is kept.
const maxSheds = 8 << 20

// keepShedding remembers a text of SQL if it may take rows out of a table.
func (r *reader) keepShedding(text []byte) {
	if r.shedSize < maxSheds && shedding.Match(text) {
		r.shedSize += len(text)
		r.sheds = append(r.sheds, strings.ToLower(string(text)))
	}
}

// Owns reports whether the program makes a table itself, so that what happens to its rows is to be seen in the module.
func (s *Schema) Owns(name string) bool {
	return s.Migrates(name) || slices.ContainsFunc(s.lookup(name), func(t *table) bool { return t.inCode && t.whole })
}

// Migrates reports whether numbered migrations of the module make a table.
func (s *Schema) Migrates(name string) bool {
	return slices.ContainsFunc(s.lookup(name), func(t *table) bool { return t.migrated && t.whole })
}

// Sheds reports whether a file of SQL deletes rows of a table, or makes parts of it or a job that may drop them.
func (s *Schema) Sheds(table string) bool {
	if s == nil || table == "" {
		return false
	}
	name, err := regexp.Compile(`\b` + regexp.QuoteMeta(strings.ToLower(table)))
	if err != nil {
		return false
	}
	for _, text := range s.sheds {
		if name.MatchString(text) {
			return true
		}
	}
	return false
}
