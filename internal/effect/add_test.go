package effect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const addsSource = `package p

import (
	"database/sql"
	"time"
)

type Account struct {
	Balance, Limit int64
	ByYear         map[int]int64
	Cash           Money
	Name           string
	Opened         time.Time
}

type Money struct{ cents int64 }

func (m Money) Add(o Money) Money { return Money{m.cents + o.cents} }

func load(db *sql.DB) (*Account, error) {
	a := &Account{}
	err := db.QueryRow("SELECT balance FROM accounts").Scan(&a.Balance)
	return a, err
}

func inPlace(a *Account, n int64)        { a.Balance += n }
func minus(a *Account, n int64)          { a.Balance = a.Balance - n }
func money(a *Account, m Money)          { a.Cash = a.Cash.Add(m) }
func perYear(a *Account, n int64)        { a.ByYear[2026] += n }
func value(a Account, n int64) int64     { return n + a.Balance }
func elsewhere(a *Account, n int64)      { a.Limit = a.Balance + n }
func converted(a *Account, n int) int    { return int(a.Balance) + n }
func (a *Account) Credit(n int64)        { a.Balance += n }

func loaded(db *sql.DB, n int64) {
	a, err := load(db)
	if err != nil {
		return
	}
	a.Balance += n
	db.Exec("UPDATE accounts SET balance = $1", a.Balance)
}

func filled(db *sql.DB, n int64) {
	var a Account
	if db.QueryRow("SELECT balance FROM accounts").Scan(&a.Balance) == nil {
		db.Exec("UPDATE accounts SET balance = $1", a.Balance+n)
	}
}

func plain(a, b int64) int64           { return a + b }
func text(a *Account) string           { return a.Name + "x" }
func times(a *Account, n int64) int64  { return a.Balance * n }
func negated(a *Account, n int64) int64 { return n - a.Balance }
func due(a *Account) time.Time         { return a.Opened.Add(time.Hour) }
`

// addsOf writes down what a function adds to: the field, the parameter, what it was read by, and whether it is put back.
func addsOf(g *Graph) []string {
	var out []string
	for _, a := range g.Adds {
		s := fmt.Sprintf("%s of param %d", a.Field, a.Param)
		if len(a.Read) > 0 {
			s = fmt.Sprintf("%s read by %v", a.Field, a.Read)
		}
		if a.InPlace {
			s += ", in place"
		}
		out = append(out, s)
	}
	return out
}

func TestAdds(t *testing.T) {
	graphs := graphsOf(t, sourceFiles{"p.go": addsSource})
	for function, want := range map[string][]string{
		"inPlace":           {"balance of param 0, in place"},
		"minus":             {"balance of param 0, in place"},
		"money":             {"cash of param 0, in place"},
		"perYear":           {"by_year of param 0, in place"},
		"value":             {"balance of param 0"},
		"elsewhere":         {"balance of param 0"},
		"converted":         {"balance of param 0"},
		"(*Account).Credit": {"balance of param 0, in place"},
		"loaded":            {"balance read by [1], in place"},
		"filled":            {"balance read by [1]"},
		"plain":             nil,
		"text":              nil,
		"times":             nil,
		"negated":           nil,
		"due":               nil,
	} {
		require.Contains(t, graphs, function)
		assert.Equal(t, want, addsOf(graphs[function]), function)
	}
}
