package effect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const partsSource = `package p

import (
	"database/sql"
	"math/rand"
	"strconv"
	"time"
)

const insert = "INSERT INTO orders (id, total) VALUES ($1, $2)"

type Order struct {
	ID    string
	Total int
	Buyer struct{ Name string }
}

func given(db *sql.DB, id string)      { db.Exec(insert, id, 1) }
func fresh(db *sql.DB)                 { db.Exec(insert, rand.Int(), 1) }
func clock(db *sql.DB)                 { db.Exec(insert, time.Now().UnixNano(), 1) }
func printed(db *sql.DB)               { db.Exec(insert, "o-"+strconv.Itoa(rand.Int()), 1) }
func field(db *sql.DB, o *Order)       { db.Exec(insert, o.ID, o.Total) }
func later(db *sql.DB, o Order)        { o.ID = strconv.Itoa(rand.Int()); db.Exec(insert, o.ID, o.Total) }
func either(db *sql.DB, id string)     { if id == "" { id = strconv.Itoa(rand.Int()) }; db.Exec(insert, id, 1) }
func constant(db *sql.DB)              { db.Exec(insert, "all", 1) }

func store(o *Order, db *sql.DB) { db.Exec(insert, o.ID, o.Total) }
func literal(db *sql.DB, id string) { store(&Order{ID: id, Total: 1}, db) }
func literalFresh(db *sql.DB) { store(&Order{ID: strconv.Itoa(rand.Int())}, db) }
func handed(db *sql.DB, o *Order) { store(o, db) }
func numbered() (*Order, error) { return &Order{ID: strconv.Itoa(rand.Int())}, nil }
func rows(id string, db *sql.DB, row map[string]any) { db.Exec(insert, row["id"]) }
func mapped(db *sql.DB, id string) { rows(id, db, map[string]any{"id": id, "at": time.Now(), "total": 1}) }

func captured(db *sql.DB) {
	id := strconv.Itoa(rand.Int())
	func() { db.Exec(insert, id, 1) }()
}

func result(db *sql.DB) {
	var id string
	db.QueryRow("SELECT id FROM carts").Scan(&id)
	o, _ := load(db)
	store(o, db)
	db.Exec(insert, o.ID, id)
}

func load(db *sql.DB) (*Order, error) {
	o := &Order{}
	return o, db.QueryRow("SELECT id FROM carts").Scan(&o.ID)
}
`

// partsIn writes down the parts of the last step of a function: "2.0=made".
func partsIn(g *Graph) []string {
	var out []string
	for _, b := range g.Blocks {
		for _, n := range b.Nodes {
			if out = nil; len(n.Parts) > 0 {
				out = written(n.Parts)
			}
		}
	}
	return out
}

func written(parts []Part) []string {
	var out []string
	for _, p := range parts {
		from := "other"
		switch p.From.Kind {
		case MadeSource:
			from = "made"
		case ParamSource:
			from = fmt.Sprintf("param %d", p.From.Index)
		case ResultSource:
			from = fmt.Sprintf("result %d of %d", p.From.Index, p.From.Node)
		}
		if p.From.Field != "" {
			from += "." + p.From.Field
		}
		out = append(out, fmt.Sprintf("%d.%s=%s", p.Arg, p.Field, from))
	}
	return out
}

// TestParts says where the exact pieces of what a step is given come from.
func TestParts(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"p.go": partsSource})
	for function, want := range map[string][]string{
		"given":        {"0.=param 0", "2.0=param 1"},
		"fresh":        {"0.=param 0", "2.0=made"},
		"clock":        {"0.=param 0", "2.0=made"},
		"printed":      {"0.=param 0", "2.0=made"},
		"field":        {"0.=param 0", "2.0=param 1.ID", "2.1=param 1.Total"},
		"later":        {"0.=param 0", "2.0=made", "2.0=param 1.ID", "2.1=param 1.Total"}, // whichever comes first
		"either":       {"0.=param 0", "2.0=param 1"},
		"constant":     {"0.=param 0"},
		"literal":      {"0.*=other", "0.ID=param 1", "1.=param 0"},
		"literalFresh": {"0.*=other", "0.ID=made", "1.=param 0"},
		"handed":       {"0.=param 1", "1.=param 0"},
		"mapped":       {"0.=param 1", "1.=param 0", "2.id=param 1", "2.at=made"},
		"captured$1":   {"2.0=made"},
		"result":       {"0.=param 0", "2.0=result 0 of 2.ID"},
	} {
		require.Contains(t, graphs, function)
		assert.Equal(t, want, partsIn(graphs[function]), function)
	}
	assert.Equal(t, []string{"0.*=other", "0.ID=made"}, written(graphs["numbered"].ResultParts))
	assert.Equal(t, []string{"0.*=other"}, written(graphs["load"].ResultParts), "what is read from a row was not made here")
}

func TestPartsAreBounded(t *testing.T) {
	many := []Part{{Field: "note"}, {Field: "id"}, {Field: "id"}, {Field: "note", From: Source{Kind: MadeSource}}}
	assert.Equal(t, []Part{many[1], many[3]}, boundParts(many), "what is neither a key nor made here says nothing, and nothing is said twice")
	many = nil
	for i := range 2 * maxParts {
		many = append(many, Part{Arg: i, Field: "id"})
	}
	assert.Equal(t, many[:maxParts], boundParts(many))
}

func TestKeyName(t *testing.T) {
	for _, name := range []string{"ID", "OrderID", "order_id", "DedupKey", "UUID", "EventUuid", "Reference"} {
		assert.True(t, KeyName(name), name)
	}
	for _, name := range []string{"", "0", "Amount", "Idle", "Keyboard", "paid"} {
		assert.False(t, KeyName(name), name)
	}
}
