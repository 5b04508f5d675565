package sqltext

// A TableSchema is what definitions say about the uniqueness of a table's rows.
type TableSchema struct {
	Name string

	// Unique are the keys, each by its columns: PRIMARY KEY, UNIQUE, and CREATE UNIQUE INDEX. A partial index counts
	// as a key, and an expression in an index as the column it is made from. It is nil only for a table that is
	// created without any key.
	Unique [][]string
}

// ParseSchema returns the tables that text creates, or gives keys to, in order and each once.
func ParseSchema(text string) []TableSchema {
	s := schema{index: map[string]int{}}
	for ts := range pieces(lex(text)) {
		switch {
		case ts.is(0, "create", "unique"):
			s.createIndex(ts)
		case ts.is(0, "create"):
			s.createTable(ts)
		case ts.is(0, "alter", "table"):
			s.alterTable(ts)
		}
	}
	return s.tables
}

// A schema collects tables.
type schema struct {
	tables []TableSchema
	index  map[string]int // by name
}

// add notes a table, and a key of it unless that is nil.
func (s *schema) add(table string, key []string) {
	i, ok := s.index[table]
	if !ok {
		i = len(s.tables)
		s.index[table] = i
		s.tables = append(s.tables, TableSchema{Name: table})
	}
	if key != nil {
		s.tables[i].Unique = append(s.tables[i].Unique, key)
	}
}

func (s *schema) createTable(ts tokens) {
	at := ts.find("table")
	if at < 0 {
		return
	}
	table, next, ok := ts.tableName(at + 1)
	if !ok || !ts.is(next, "(") {
		return
	}
	s.add(table, nil)
	body := ts.inside(next)
	if body == nil { // never closed
		body = ts.from(next + 1)
	}
	for item := range body.items() {
		s.add(table, item.key())
	}
	if tail := ts.from(ts.next(next)); tail.is(0, "primary", "key") { // Spanner
		s.add(table, tail.keyColumns())
	}
}

func (s *schema) createIndex(ts tokens) {
	on := ts.find("on")
	if on < 0 {
		return
	}
	table, next, ok := ts.tableName(on + 1)
	if key := ts.from(next).keyColumns(); ok && key != nil {
		s.add(table, key)
	}
}

func (s *schema) alterTable(ts tokens) {
	table, next, ok := ts.tableName(2)
	if !ok {
		return
	}
	for action := range ts.from(next).items() {
		if !action.is(0, "add") {
			continue
		}
		definition := action[1:].skip("column").skipAll("if", "not", "exists")
		if key := definition.key(); key != nil {
			s.add(table, key)
		}
	}
}

// key returns the key that the definition of a column or a constraint makes, nil if it makes none.
func (ts tokens) key() []string {
	if ts.is(0, "constraint") {
		_, next, _ := ts.path(1)
		ts = ts.from(next)
	}
	if ts.is(0, "primary", "key") || ts.is(0, "unique") && !ts.isAny(1, types) {
		return ts.keyColumns()
	}
	col, next, ok := ts.path(0)
	if !ok || ts.isAny(0, constraints) && !ts.isAny(1, types) {
		return nil
	}
	for i := next; i < len(ts); i = ts.next(i) {
		if ts.oneOf(i, "primary", "unique") {
			return []string{col.name}
		}
	}
	return nil
}

// constraints begin what stands in a table's definition and is no column, unless a type follows.
var constraints = wordsOf("foreign check exclude key index fulltext spatial like period")

// types tell a column from a constraint where the column is called key or index.
var types = wordsOf(`text varchar char character uuid int integer bigint smallint serial bigserial bytea blob json jsonb
	bool boolean timestamp timestamptz date numeric decimal binary varbinary nvarchar string bytes int64`)

// keyColumns reads the first list of columns in ts. Nested lists, as in CQL, are flattened, and an expression is the
// first name in it that is not a function's.
func (ts tokens) keyColumns() []string {
	open := ts.find("(")
	if open < 0 {
		return nil
	}
	var cols []string
	for item := range ts.inside(open).items() {
		if item.is(0, "(") && item.inside(0).find(",") > 0 {
			for _, col := range item.inside(0).names() {
				cols = append(cols, col.name)
			}
		} else if col, ok := item.firstColumn(); ok {
			cols = append(cols, col)
		}
	}
	return cols
}

func (ts tokens) firstColumn() (string, bool) {
	for i := range ts {
		if col, next, ok := ts.path(i); ok && !ts.is(next, "(") {
			return col.name, true
		}
	}
	return "", false
}
