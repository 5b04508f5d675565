package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/config"
	"github.com/dmlint/dmlint/internal/model"
)

// FuzzParse checks what holds for any text: reading it ends, each problem is one line with a place, and what is read can
// be used.
func FuzzParse(f *testing.F) {
	f.Add("handlers:\n  - (*example.com/shop/orders.Service).OnPaid\n  - example.com/shop/orders.OnPaid\ntables:\n  inbox: [seen, public.done]\n")
	f.Add("handlers: {a: 1}\ntables: x\nmore:\n")
	f.Add("handlers:\n- *x\n- &y z\n- |\n  text\n- 1\n- ~\n")
	f.Add("---\n---\na: b\n...\n")
	f.Add("a: b\na: c\n? x\n: y\n<<: *z\n\t- {[")
	f.Fuzz(func(t *testing.T, text string) {
		c, problems := config.Parse("f.yaml", []byte(text))
		for _, p := range problems {
			require.Positive(t, p.Line)
			require.Positive(t, p.Column)
			require.NotEmpty(t, p.Message)
			require.NotContains(t, p.Error(), "\n")
		}
		for _, h := range c.Handlers {
			require.NotEmpty(t, model.PackageOf(model.Normalise(h.Text)))
			require.LessOrEqual(t, h.Line, strings.Count(strings.ReplaceAll(text, "\r", "\n"), "\n")+1)
		}
		for _, table := range c.Inbox {
			require.NotEmpty(t, table.Text)
			require.NotContains(t, table.Text, ".")
		}
	})
}
