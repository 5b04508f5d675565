package dedupe

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// hazard is what happens when a change is made again.
type hazard struct {
	kind hazardKind
	sum  *flow.Sum
}

type hazardKind uint8

const (
	harmless   hazardKind = iota
	adds                  // it adds again
	rereads               // what was read is added to again
	inserts               // a second row, under a new key
	appends               // a second row in a store without unique keys, which may merge the two later
	mayInsert             // likely a second row: nothing is known of the table's keys
	counts                // it adds to a counter in a key-value store
	hands                 // work of a function that was handed in
	unknownRow            // an insert about whose row nothing is known
)

// classify says what a second delivery does.
func classify(p *flow.Program, chain *flow.Witness) hazard {
	e := chain.Leaf().Effect
	switch {
	case e == nil:
		return hazard{kind: hands}
	case e.Kind == model.Count:
		return hazard{kind: counts}
	case e.Kind != model.Write || e.Tier == model.TierAdvice:
		return hazard{}
	case e.Increment && !e.Guarded && !quiet(e.Added):
		return hazard{kind: adds}
	case isInsert(e) && keyless(e):
		return hazard{kind: appends}
	case isInsert(e):
		return hazard{kind: insertHazard(p, chain, e)}
	case e.Guarded, e.Increment:
		return hazard{}
	}
	if sum, ok := p.SumOf(chain); ok && !quietColumn(sum.Field) {
		return hazard{kind: rereads, sum: &sum}
	}
	return hazard{}
}

// keyless reports whether a write goes to a store that knows no unique keys: a primary key of ClickHouse only sorts.
func keyless(e *effect.Effect) bool { return strings.Contains(e.Symbol, "ClickHouse/clickhouse-go") }

func isInsert(e *effect.Effect) bool {
	return e.Kind == model.Write && (e.Verb == sqltext.Insert || e.Verb == sqltext.Upsert)
}

// insertHazard judges an insert by its key: one from the message hits the row that is there, one made on the spot or by
// the database makes a second.
func insertHazard(p *flow.Program, chain *flow.Witness, e *effect.Effect) hazardKind {
	if isTrail(e) || IsStore(e) || p.IsOutbox(e.Table) {
		return harmless
	}
	keys := p.Keys(chain)
	made := madeColumn(keys, e.Table)
	switch {
	case e.Conflict && (!made || e.Checked || e.Verb == sqltext.Upsert):
		return harmless // its conflict is on something else than a key that is made here
	case e.Verb == sqltext.Upsert && !made, e.Guarded: // WHERE NOT EXISTS (...): the statement looks for the row itself
		return harmless
	case naturalKey(p, chain):
		return harmless
	case made:
		return inserts
	}
	if len(e.Columns) == 0 && len(keys) == 0 || e.Opaque || sqltext.HasHole(e.Table) || slices.ContainsFunc(e.Columns, sqltext.HasHole) {
		return unknownRow
	}
	if _, known := uniqueKeys(p, e.Table); known {
		return inserts
	}
	return mayInsert
}

// madeColumn reports whether a row's key is made on the spot: the column that identifies it by its name, or, where none
// does, any that sounds like a key.
func madeColumn(keys []flow.Key, table string) bool {
	other := false
	for _, k := range keys {
		if flow.Identifies(k.Column, table) {
			return k.Made
		}
		other = other || k.Made && effect.KeyName(k.Column) && !secondary(k.Column)
	}
	return other && (table == "" || sqltext.HasHole(table))
}

// secondary reports whether an ID is one of a request or trace and not of the row.
func secondary(column string) bool {
	return slices.ContainsFunc([]string{"trace", "span", "correlation", "request", "session", "causation"}, func(w string) bool { return strings.Contains(column, w) })
}

// naturalKey reports whether an insert gives the table a key that comes from the message: the primary key by its name, a
// message's ID, or a key of the schema.
func naturalKey(p *flow.Program, chain *flow.Witness) bool {
	e := chain.Leaf().Effect
	keys := p.Keys(chain)
	built := slices.Contains(columnsOf(keys), effect.BuiltPart)
	given := func(column string) (given, made bool) {
		for _, k := range keys {
			if k.Column == column {
				return true, k.Made
			}
		}
		return e.Verb == sqltext.Insert && slices.Contains(e.Columns, column) && (!e.Model || !built), false
	}
	if unique, known := uniqueKeys(p, e.Table); known {
		return slices.ContainsFunc(unique, func(key []string) bool {
			return len(key) > 0 && !slices.ContainsFunc(key, func(c string) bool {
				is, made := given(c)
				return !is || made
			})
		})
	}
	for _, c := range append(slices.Clone(e.Columns), columnsOf(keys)...) {
		if is, made := given(c); is && !made && (flow.Identifies(c, e.Table) || isMessageKey(c)) {
			return true
		}
	}
	return false
}

func columnsOf(keys []flow.Key) []string {
	var out []string
	for _, k := range keys {
		out = append(out, k.Column)
	}
	return out
}

// uniqueKeys are those of a table's definition.
func uniqueKeys(p *flow.Program, table string) ([][]string, bool) {
	if table == "" || sqltext.HasHole(table) {
		return nil, false
	}
	return p.Schema().Keys(table)
}

// quietColumns are those that may be counted up once more.
var quietColumns = []string{"version", "revision", "attempt", "retr", "try", "tries", "num_trials", "lock_version", "row_version", "generation",
	"updated", "last_seen", "heartbeat", "epoch", "view_count_cache", "error_count", "failure"}

func quiet(columns []string) bool {
	return len(columns) > 0 && !slices.ContainsFunc(columns, func(c string) bool { return !quietColumn(c) })
}

func quietColumn(column string) bool {
	return slices.ContainsFunc(quietColumns, func(q string) bool { return strings.Contains(column, q) })
}
