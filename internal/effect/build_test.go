package effect

import (
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/dmlint/dmlint/internal/model"
)

// sourceFiles are the files of one package, by name.
type sourceFiles map[string]string

// compile builds the SSA form of a package of the standard library's only imports.
func compile(t *testing.T, files sourceFiles) Input {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/p\n\ngo 1.24\n"
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedExportFile |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	cfg := &packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off")}
	pkgs, err := packages.Load(cfg, ".")
	require.NoError(t, err)
	require.Len(t, pkgs, 1)
	require.Empty(t, pkgs[0].Errors)
	prog, built := ssautil.Packages(pkgs, ssa.BuilderMode(0))
	prog.Build()
	return Input{SSA: built[0], Fset: pkgs[0].Fset, Files: pkgs[0].Syntax, ReadFile: os.ReadFile}
}

func newBuilder(t *testing.T) *Builder {
	t.Helper()
	models, err := model.Load()
	require.NoError(t, err)
	return &Builder{Models: models, Interfaces: map[string]*types.Interface{},
		Program:   func(path string) bool { return path == "example.com/p" },
		Generator: func(string) string { return "" },
		OnPanic:   func(function string, reason any) { t.Errorf("%s: %v", function, reason) },
	}
}

// graphsOf builds the graphs of a package, by the functions' names.
func graphsOf(t *testing.T, files sourceFiles) map[string]*Graph {
	t.Helper()
	graphs := map[string]*Graph{}
	for _, g := range newBuilder(t).Build(compile(t, files)).Graphs {
		graphs[strings.TrimPrefix(g.Name, "p.")] = g
	}
	return graphs
}

// effectsOf writes a function's effects down: "write orders insert", "sql ?" where the text was not found.
func effectsOf(g *Graph) []string {
	var all []string
	for _, b := range g.Blocks {
		for _, n := range b.Nodes {
			if n.Effect == nil || n.Effect.Kind == model.Ignore {
				continue
			}
			switch e := n.Effect; {
			case e.Opaque:
				all = append(all, string(e.Kind)+" ?")
			case e.Table != "":
				all = append(all, string(e.Kind)+" "+e.Table+" "+e.Verb.String())
			default:
				all = append(all, string(e.Kind))
			}
		}
	}
	return all
}

const texts = `package p

import (
	"database/sql"
	_ "embed"
	"fmt"
	"strings"
)

const table = "orders"

//go:embed query.sql
var embedded string

var initialised = "DELETE FROM " + table

var assigned string

func set(s string) { assigned = s }

func query() string { return "UPDATE orders SET n = 1" }

func constant(db *sql.DB)     { db.Exec("INSERT INTO orders (id) VALUES (1)") }
func concatenated(db *sql.DB) { db.Exec("INSERT INTO " + table + " (id) VALUES (1)") }
func format(db *sql.DB)       { db.Exec(fmt.Sprintf("INSERT INTO %s (id) VALUES (%d)", table, 1)) }
func percent(db *sql.DB)      { db.Exec(fmt.Sprintf("UPDATE %s SET n = n %% 2", table)) }
func unknownTable(db *sql.DB, name string) {
	db.Exec(fmt.Sprintf("INSERT INTO %s (id) VALUES (1)", name))
}
func unknown(db *sql.DB, parts []string)    { db.Exec(strings.Join(parts, " ")) }
func global(db *sql.DB)                     { db.Exec(initialised) }
func overwritten(db *sql.DB)                { db.Exec(assigned) }
func file(db *sql.DB)                       { db.Exec(embedded) }
func returned(db *sql.DB)                   { db.Exec(query()) }
func trimmed(db *sql.DB)                    { db.Exec(strings.TrimSpace(" DELETE FROM orders ")) }
func parameter(db *sql.DB, q string)        { db.Exec(q) }
func reading(db *sql.DB)                    { db.Query("SELECT id FROM orders") }
func writingQuery(db *sql.DB) {
	var id int
	db.QueryRow("INSERT INTO orders (n) VALUES (1) RETURNING id").Scan(&id)
}
func appended(db *sql.DB, all bool) {
	q := "UPDATE orders SET n = 1"
	if !all {
		q += " WHERE id = 2"
	}
	db.Exec(q)
}
func field(db *sql.DB) {
	q := &statement{text: "DELETE FROM orders"}
	db.Exec(q.text)
}

type statement struct{ text string }

func prepared(db *sql.DB) {
	stmt, err := db.Prepare("INSERT INTO orders (id) VALUES (1)")
	if err == nil {
		stmt.Exec()
	}
}
`

func TestTextsOfStatements(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"p.go": texts, "query.sql": "-- all of them\nDELETE FROM orders;\n"})
	for function, want := range map[string]string{
		"constant":     "write orders insert",
		"concatenated": "write orders insert",
		"format":       "write orders insert",
		"percent":      "write orders update",
		"global":       "write orders delete",
		"file":         "write orders delete",
		"returned":     "write orders update",
		"trimmed":      "write orders delete",
		"reading":      "read orders select",
		"writingQuery": "write orders insert",
		"appended":     "write orders update",
		"field":        "write orders delete",
		"unknown":      "sql ?",
		"overwritten":  "sql ?",
	} {
		require.Contains(t, graphs, function)
		assert.Equal(t, []string{want}, effectsOf(graphs[function]), function)
	}
	assert.Contains(t, effectsOf(graphs["prepared"]), "write orders insert")
}

// TestTextsThatOnlyCallersKnow keep a verb without a table, or the parameter that the text comes in by.
func TestTextsThatOnlyCallersKnow(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"p.go": texts, "query.sql": "DELETE FROM orders"})
	require.Len(t, effectsOf(graphs["unknownTable"]), 1)
	assert.True(t, strings.HasPrefix(effectsOf(graphs["unknownTable"])[0], "write "), "whatever the table is, something is inserted")
	for _, b := range graphs["parameter"].Blocks {
		for _, n := range b.Nodes {
			if n.Effect != nil {
				assert.Equal(t, Roots{{Kind: ParamRoot, Index: 1}}, n.Effect.Text)
			}
		}
	}
}

// TestPanicsCostOneFunction lets the builder's own code fail in one of three functions.
func TestPanicsCostOneFunction(t *testing.T) {
	in := compile(t, sourceFiles{"p.go": `package p

import (
	"database/sql"
	"strings"
)

func First(db *sql.DB)  { db.Exec("DELETE FROM orders") }
func Second(db *sql.DB) { db.Exec(strings.Repeat("?", 2)) }
func third(db *sql.DB)  { db.Exec("DELETE FROM carts") }
`})
	b := newBuilder(t)
	b.Program = func(path string) bool {
		if path == "strings" {
			panic("out of order")
		}
		return path == "example.com/p"
	}
	said := map[string]any{}
	b.OnPanic = func(function string, reason any) { said[function] = reason }
	var names []string
	for _, g := range b.Build(in).Graphs {
		names = append(names, g.Name)
	}
	assert.Equal(t, "out of order", said["p.Second"])
	assert.NotContains(t, said, "p.First")
	assert.Subset(t, names, []string{"p.First", "p.third"})
	assert.NotContains(t, names, "p.Second")
}

// TestVariablesGivenEachOther must end: what holds the receiver is asked along assignments, and these can go in a circle.
func TestVariablesGivenEachOther(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"p.go": `package p

type node struct{ next *node }

func (n *node) rotate() *node {
	var a, b *node
	swap := func() { a, b = b, a }
	a = b
	b = a
	swap()
	return keep(a.next)
}

func keep(n *node) *node { return n }
`})
	assert.Contains(t, graphs, "(*node).rotate")
}

// TestTransactionsOfGeneratedClients has what templates of one's own add to ent's client: what gives a transaction begins
// one, what is given a function runs it in one.
func TestTransactionsOfGeneratedClients(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"client.go": `// Code generated by ent, DO NOT EDIT.

package p

import "context"

type Client struct{}
type Tx struct{}

func (*Client) BeginTx(ctx context.Context) (*Tx, error)                    { return &Tx{}, nil }
func (*Client) SharedTx(ctx context.Context) (context.Context, *Tx, error) { return ctx, &Tx{}, nil }
func (*Client) WithinTx(fn func(*Tx) error) error                           { return fn(&Tx{}) }
`, "use.go": `package p

import "context"

func begins(ctx context.Context, c *Client) { _, _ = c.BeginTx(ctx) }
func shares(ctx context.Context, c *Client) { _, _, _ = c.SharedTx(ctx) }
func runs(c *Client)                        { _ = c.WithinTx(func(*Tx) error { return nil }) }
`})
	kinds := func(name string) (out []model.Effect) {
		for _, b := range graphs[name].Blocks {
			for _, n := range b.Nodes {
				if n.Effect != nil {
					out = append(out, n.Effect.Kind)
				}
			}
		}
		return out
	}
	assert.Equal(t, []model.Effect{model.Begin}, kinds("begins"))
	assert.Equal(t, []model.Effect{model.Begin}, kinds("shares"))
	assert.Empty(t, kinds("runs"))
}
