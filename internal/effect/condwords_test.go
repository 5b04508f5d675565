package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const condsSource = `package p

import (
	"database/sql"
	"errors"
)

type row struct {
	Status string
	LastSeq int
}

func (r *row) IsClosed() bool { return r.Status == "closed" }

func load(db *sql.DB) (*row, error) {
	r := &row{}
	err := db.QueryRow("SELECT status FROM orders").Scan(&r.Status)
	return r, err
}

func status(db *sql.DB) {
	if r, _ := load(db); r.Status == "paid" {
		db.Exec("DELETE FROM orders")
	}
}

func method(db *sql.DB) {
	if r, _ := load(db); r.IsClosed() {
		db.Exec("DELETE FROM orders")
	}
}

func variable(db *sql.DB) {
	var already bool
	db.QueryRow("SELECT 1 FROM orders").Scan(&already)
	if !already {
		db.Exec("DELETE FROM orders")
	}
}

func sequence(db *sql.DB, seq int) {
	if r, _ := load(db); r.LastSeq >= seq {
		db.Exec("DELETE FROM orders")
	}
}

func count(db *sql.DB) {
	res, _ := db.Exec("UPDATE orders SET n = 1")
	if n, _ := res.RowsAffected(); n == 0 {
		db.Exec("DELETE FROM orders")
	}
}

func sentinel(db *sql.DB) {
	if _, err := load(db); errors.Is(err, sql.ErrNoRows) {
		db.Exec("DELETE FROM orders")
	}
}

func failed(db *sql.DB) {
	if _, err := load(db); err != nil {
		db.Exec("DELETE FROM orders")
	}
}

func argument(db *sql.DB, force bool) {
	load(db)
	if force {
		db.Exec("DELETE FROM orders")
	}
}
`

// condOf gives the words of a function's only branch, and whether it looks at the result of a call.
func condOf(g *Graph) (words []string, looks bool) {
	for i := range g.Blocks {
		if c := &g.Blocks[i].Cond; len(g.Blocks[i].Succs) == 2 {
			words, looks = append(words, c.Words...), looks || len(c.Data) > 0
		}
	}
	return words, looks
}

func TestWordsOfConditions(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"p.go": condsSource})
	for function, want := range map[string][]string{
		"status":   {"status", "paid"},
		"method":   {"is_closed", "load"},
		"variable": {"already"},
		"sequence": {"last_seq"},
		"count":    {"rows_affected"},
		"sentinel": {"is", "load"},
		"failed":   nil, // says how the step ended, not what it found
		"argument": nil,
	} {
		require.Contains(t, graphs, function)
		words, looks := condOf(graphs[function])
		assert.Equal(t, want, words, function)
		assert.Equal(t, want != nil, looks, function)
	}
}
