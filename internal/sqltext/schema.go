package sqltext

// A TableSchema is what the definition of a table says about the uniqueness of its rows.
type TableSchema struct {
	Name string

	// Unique are the keys, each by its columns: PRIMARY KEY, UNIQUE, and CREATE UNIQUE INDEX. A partial index counts
	// as a key, and an expression in an index as the column it is made from.
	Unique [][]string
}

// ParseSchema returns the tables that text creates or gives keys to, in order, each once.
func ParseSchema(text string) []TableSchema {
	var s schema
	for ts := range pieces(lex(text)) {
		switch {
		case ts.is(0, "create") && ts.isAny(1, indexWords):
			s.createIndex(ts)
		case ts.is(0, "create"):
			s.createTable(ts)
		case ts.is(0, "alter", "table"):
			s.alterTable(ts)
		}
	}
	return s.tables
}

var indexWords = wordsOf("unique")

// A schema collects tables.
type schema struct {
	tables []TableSchema
	index  map[string]int
}

// table returns the table of that name.
func (s *schema) table(name string) *TableSchema {
	i, ok := s.index[name]
	if !ok {
		if s.index == nil {
			s.index = map[string]int{}
		}
		i = len(s.tables)
		s.index[name] = i
		s.tables = append(s.tables, TableSchema{Name: name})
	}
	return &s.tables[i]
}

func (t *TableSchema) unique(cols ...string) {
	if len(cols) > 0 {
		t.Unique = append(t.Unique, cols)
	}
}

func (s *schema) createTable(ts tokens) {
	at := ts.find("table")
	if at < 0 {
		return
	}
	name, next, ok := ts.tableName(at + 1)
	if !ok || !ts.is(next, "(") {
		return
	}
	t := s.table(name)
	for item := range ts.inside(next).items() {
		t.definition(item)
	}
	if tail := ts.from(ts.next(next)); tail.is(0, "primary", "key") { // Spanner
		t.unique(tail.keyColumns(2)...)
	}
}

// definition reads a column or a table constraint.
func (t *TableSchema) definition(item tokens) {
	if item.is(0, "constraint") {
		_, next, _ := item.path(1)
		item = item.from(next)
	}
	if item.is(0, "primary", "key") || item.is(0, "unique") {
		t.unique(item.keyColumns(1)...)
		return
	}
	col, next, ok := item.path(0)
	if !ok || item.isAny(0, wordsOf("foreign check exclude key index fulltext spatial like period")) && !item.isType(1) {
		return
	}
	for i := next; i < len(item); i = item.next(i) {
		if item.is(i, "primary", "key") || item.is(i, "unique") || item.is(i, "primary") && i == len(item)-1 {
			t.unique(col.name)
			return
		}
	}
}

// isType reports whether a column's type stands at i, so that the word before it is a column's name.
func (ts tokens) isType(i int) bool {
	return ts.isAny(i, wordsOf(`text varchar char character uuid int integer bigint smallint serial bigserial bytea blob
		jsonb json bool boolean timestamp timestamptz date numeric decimal binary varbinary nvarchar string bytes int64`))
}

// keyColumns reads the first list of columns from i on. Nested lists, as in CQL, are flattened, and an expression is
// the first name in it that is not a function.
func (ts tokens) keyColumns(i int) []string {
	for ; i < len(ts) && !ts[i].is("("); i++ {
	}
	if i >= len(ts) {
		return nil
	}
	var cols []string
	for item := range ts.inside(i).items() {
		if item.is(0, "(") && item.inside(0).find(",") > 0 {
			cols = append(cols, item.keyColumns(0)...)
			continue
		}
		if col, ok := item.firstName(); ok {
			cols = append(cols, col)
		}
	}
	return cols
}

func (ts tokens) firstName() (string, bool) {
	for i := range ts {
		if col, next, ok := ts.path(i); ok && !ts.is(next, "(") {
			return col.name, true
		}
	}
	return "", false
}

func (s *schema) createIndex(ts tokens) {
	on := ts.find("on")
	if on < 0 {
		return
	}
	name, next, ok := ts.tableName(on + 1)
	if ok {
		s.table(name).unique(ts.keyColumns(next)...)
	}
}

func (s *schema) alterTable(ts tokens) {
	name, next, ok := ts.tableName(2)
	if !ok {
		return
	}
	var t *TableSchema
	for action := range ts.from(next).items() {
		if !action.is(0, "add") {
			continue
		}
		action = action.from(1).skip("column")
		for action.isAny(0, wordsOf("if not exists")) {
			action = action[1:]
		}
		if t == nil {
			t = s.table(name)
		}
		t.definition(action)
	}
}
