package driver

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSymbols(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a
func F() {}
func G[T any]() {}
func (t T) Value() {}
func (t *T) Pointer() {}
func (*(T)) Odd() {}
func (l List[E]) One() {}
func (m *Map[K, V]) Two() {}
func (struct{}) Broken() {}
type (
	I interface { A(); B(int) error; fmt.Stringer }
	S struct { F func() }
)
var v = func() { func() {}() }
`, parser.SkipObjectResolution)
	require.NoError(t, err)
	assert.Equal(t, []string{"x/a.F", "x/a.G", "(x/a.T).Value", "(*x/a.T).Pointer", "(*x/a.T).Odd", "(x/a.List).One", "(*x/a.Map).Two", "(x/a.I).A", "(x/a.I).B"},
		symbols("x/a", f))
}

func TestMissing(t *testing.T) {
	d := &declared{found: map[string]map[string]string{
		"example.com/shop/orders": {
			"(example.com/shop/orders.Service).OnPaid": "(*example.com/shop/orders.Service).OnPaid",
			"example.com/shop/orders.Handle":           "example.com/shop/orders.Handle",
		},
		"example.com/shop/v2/orders": {"(example.com/shop/v2/orders.Service).OnPaid": "(*example.com/shop/v2/orders.Service).OnPaid"},
		"example.com/shop/mail":      {"example.com/shop/mail.Send": "example.com/shop/mail.Send"},
	}}
	for symbol, want := range map[string]string{
		"(*example.com/shop/orders.Service).OnPayed":      "(*example.com/shop/orders.Service).OnPaid",
		"(*example.com/shop/orders.Servcie[T]).OnPaid":    "(*example.com/shop/orders.Service).OnPaid",
		"example.com/shop/v2/orders.Service.OnPaid":       "(*example.com/shop/v2/orders.Service).OnPaid",
		"example.com/shop/orders.OnPaid":                  "(*example.com/shop/orders.Service).OnPaid", // a method
		"(*example.com/shop/billing/invoices.Book).Send":  "example.com/shop/mail.Send",                // a namesake
		"example.com/shop/order.Handle":                   "example.com/shop/orders.Handle",
		"(*example.com/shop/orders.Service).SomethingNew": "",
		"github.com/somebody/else/entirely.Different":     "",
	} {
		message := "there is no function " + symbol + " in the module"
		if want != "" {
			message += ": did you mean " + want + "?"
		}
		assert.Equal(t, message, d.missing(symbol))
	}
}
