package sqltext

// A ChangeOp is what a definition does to a table.
type ChangeOp uint8

// The changes that matter for the keys of tables.
const (
	CreateTable  ChangeOp = iota
	CopyTable             // CREATE TABLE t (LIKE u INCLUDING ALL): To is the table that is copied
	DropTable             // with all its keys
	RenameTable           // to To
	AddColumn             // adds column Name, or tells anew whether it is Generated
	DropColumn            // and with it the keys that it is in
	RenameColumn          // Name to To
	AddKey                // of Columns: PRIMARY KEY, UNIQUE, CREATE UNIQUE INDEX
	DropKey               // the key Name, or the one that is Primary
	RenameKey             // Name to To
)

var changeNames = [...]string{
	"create table", "copy table", "drop table", "rename table", "add column", "drop column", "rename column",
	"add key", "drop key", "rename key",
}

// String returns the change in words.
func (o ChangeOp) String() string { return nameOf(changeNames[:], uint8(o)) }

// A Change is one step of a schema's history. Names are in lower case, without quotes and without schema.
type Change struct {
	Op    ChangeOp
	Table string // empty for a key that is dropped or renamed by its name alone
	Name  string // of the column or key; empty for a key that the text does not name
	To    string

	// Columns are those of a key. A partial index counts as a key, and an expression in an index as the column that it
	// is made from.
	Columns   []string
	Primary   bool // PRIMARY KEY
	Generated bool // the database gives the column a value of its own: serial, identity, DEFAULT gen_random_uuid()
}

// Changes returns what the definitions in text do to tables, in order. A temporary table is none.
func Changes(text string) []Change { return changesIn(text, 0) }

func changesIn(text string, nest int) []Change {
	c := &changes{nest: nest}
	for ts := range pieces(lex(text)) {
		for end := ts.find("go"); end >= 0; end = ts.find("go") { // T-SQL
			c.piece(ts[:end])
			ts = ts[end+1:]
		}
		c.piece(ts)
	}
	return c.out
}

// changes collects the changes of one text.
type changes struct {
	out  []Change
	nest int // blocks around the text
}

func (c *changes) add(ch Change) { c.out = append(c.out, ch) }

// piece reads a statement. In a block it may stand behind a condition: IF NOT EXISTS (...) THEN ALTER TABLE.
func (c *changes) piece(ts tokens) {
	if c.nest > 0 {
		ts = ts.from(max(0, ts.findAny(definitions)))
	}
	switch {
	case ts.is(0, "create"):
		c.create(ts)
	case ts.is(0, "alter", "table"):
		c.alterTable(ts)
	case ts.is(0, "alter", "index"):
		c.alterIndex(ts)
	case ts.is(0, "drop"):
		c.drop(ts)
	case ts.is(0, "rename", "table"):
		c.renameTables(ts.from(2))
	case ts.is(0, "do") && c.nest < maxBlocks:
		if body, ok := ts.dollarBody(); ok {
			c.out = append(c.out, changesIn(body, c.nest+1)...)
		}
	}
}

// maxBlocks is how deep blocks in blocks are read.
const maxBlocks = 2

var definitions = wordsOf("create alter drop")

func (c *changes) create(ts tokens) {
	ts = ts[1:].skip("or").skip("replace")
	switch {
	case ts.is(0, "unique"):
		c.createIndex(ts)
	case ts.isAny(0, temporary), ts.is(0, "table") && ts.at(1).text != "" && ts.at(1).text[0] == '#': // #t of T-SQL
	case ts.head().has("table"):
		c.createTable(ts)
	}
}

var temporary = wordsOf("temp temporary local global trigger function procedure view materialized index type")

// head is where the word TABLE may stand: CREATE UNLOGGED TABLE, CREATE FOREIGN TABLE.
func (ts tokens) head() tokens { return ts[:min(2, len(ts))] }

func (c *changes) createTable(ts tokens) {
	table, next, ok := ts.tableName(ts.find("table") + 1)
	if !ok {
		return
	}
	if ts.is(next, "like") { // MySQL
		c.add(Change{Op: CopyTable, Table: table, To: ts.nameAt(next + 1)})
	}
	if !ts.is(next, "(") {
		return
	}
	c.add(Change{Op: CreateTable, Table: table})
	body := ts.inside(next)
	if body == nil { // never closed
		body = ts.from(next + 1)
	}
	for item := range body.items() {
		c.definition(table, item)
	}
	if tail := ts.from(ts.next(next)); tail.is(0, "primary", "key") { // Spanner
		c.addKey(Change{Table: table, Columns: tail.keyColumns(), Primary: true})
	}
}

// nameAt returns the name at i, the last part of a path.
func (ts tokens) nameAt(i int) string {
	name, _, _ := ts.tableName(i)
	return name
}

func (c *changes) createIndex(ts tokens) {
	on := ts.find("on")
	if on < 0 {
		return
	}
	table, next, ok := ts.tableName(on + 1)
	if !ok {
		return
	}
	name, _, _ := ts[:on].from(ts.find("index") + 1).skip("concurrently").indexName()
	c.addKey(Change{Table: table, Name: name, Columns: ts.from(next).keyColumns()})
}

// indexName reads [IF [NOT] EXISTS] name.
func (ts tokens) indexName() (name string, next int, ok bool) { return ts.tableName(0) }

// addKey adds a key unless its columns were not found.
func (c *changes) addKey(key Change) {
	if key.Op = AddKey; key.Columns != nil {
		c.add(key)
	}
}

// drop reads DROP TABLE a, b and DROP INDEX a, b.
func (c *changes) drop(ts tokens) {
	switch {
	case ts.is(1, "table"):
		for item := range ts.from(2).skipAll("if", "exists").items() {
			if col, _, ok := item.path(0); ok {
				c.add(Change{Op: DropTable, Table: col.name})
			}
		}
	case ts.is(1, "index"):
		ts = ts.from(2).skip("concurrently").skipAll("if", "exists")
		table := ""
		if on := ts.find("on"); on >= 0 {
			table, ts = ts.nameAt(on+1), ts[:on]
		}
		for item := range ts.items() {
			if col, _, ok := item.path(0); ok {
				c.add(Change{Op: DropKey, Table: table, Name: col.name})
			}
		}
	}
}

// renameTables reads a TO b, c TO d.
func (c *changes) renameTables(ts tokens) {
	for item := range ts.items() {
		if from, next, ok := item.path(0); ok && item.is(next, "to") {
			c.add(Change{Op: RenameTable, Table: from.name, To: item.nameAt(next + 1)})
		}
	}
}

func (c *changes) alterIndex(ts tokens) {
	if name, next, ok := ts.tableName(2); ok && ts.is(next, "rename", "to") {
		c.add(Change{Op: RenameKey, Name: name, To: ts.nameAt(next + 2)})
	}
}
