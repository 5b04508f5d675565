package analyzers

import (
	"context"
	"fmt"
	"go/doc/comment"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
)

// TestDocExamples analyses the code in the analyzers' documentation, each piece in a package of its own: what is said to
// be bad must give its rule, in the rule's tier, and nothing else; what is said to be good nothing at all.
func TestDocExamples(t *testing.T) {
	var bad, good []example
	for _, c := range All() {
		for _, r := range c.Rules {
			shown := func(x example) bool { return x.rule == r.ID }
			bads, goods := examplesIn(c, true), examplesIn(c, false)
			assert.True(t, slices.ContainsFunc(bads, shown), "%s has no code that is bad", r.ID)
			assert.True(t, slices.ContainsFunc(goods, shown), "%s has no code that is good", r.ID)
		}
		bad, good = append(bad, examplesIn(c, true)...), append(good, examplesIn(c, false)...)
	}
	for x, got := range analysed(t, bad) {
		assert.Equal(t, []string{x.rule + " (" + string(tierOf(x.rule)) + ")"}, got, x.code)
	}
	for x, got := range analysed(t, good) {
		assert.Empty(t, got, x.code)
	}
}

func tierOf(rule string) check.Tier {
	for _, c := range All() {
		for _, r := range c.Rules {
			if r.ID == rule {
				return r.Tier
			}
		}
	}
	return ""
}

// analysed gives what is found in each of some pieces of code. They make one module, with the libraries of the example
// service; what is bad and what is good stand apart, since tables that both define are known by their names.
func analysed(t *testing.T, all []example) map[*example][]string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", "examples", "orders", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	for i := range all {
		all[i].write(t, dir, fmt.Sprintf("p%02d", i))
	}
	res, err := driver.Run(context.Background(), driver.Config{Dir: dir}, All())
	require.NoError(t, err)
	require.Empty(t, res.Errors, "the code does not compile")
	found := map[*example][]string{}
	for i := range all {
		x := &all[i]
		found[x] = nil
		for _, f := range res.Findings {
			if f.Package == modulePath+"/"+x.pkg {
				found[x] = append(found[x], fmt.Sprintf("%s (%s)", f.Rule, f.Tier))
			}
		}
	}
	return found
}

const modulePath = "example.com/orders"

// An example is a piece of code that the documentation of a rule shows.
type example struct {
	rule, prelude, code, pkg string
}

// examplesIn lists the code under "Bad:" or "Good:" in the sections of a check's rules. Code before the first section is
// what the examples have in common.
func examplesIn(c *check.Check, bad bool) []example {
	var found []example
	x := example{}
	prelude, shown, heading := "", false, "Good:"
	if bad {
		heading = "Bad:"
	}
	for _, block := range new(comment.Parser).Parse(c.Doc).Content {
		switch block := block.(type) {
		case *comment.Heading:
			x = example{rule: c.Name + "/" + plain(block.Text), prelude: prelude}
		case *comment.Paragraph:
			shown = plain(block.Text) == heading
		case *comment.Code:
			x.code = block.Text
			if x.rule == "" {
				prelude += block.Text
			} else if shown {
				found = append(found, x)
			}
		}
	}
	return found
}

func plain(text []comment.Text) string {
	var s strings.Builder
	for _, t := range text {
		if p, ok := t.(comment.Plain); ok {
			s.WriteString(string(p))
		}
	}
	return s.String()
}

// imports are the packages that examples may use, by what they write.
var imports = map[string]string{
	"context.": "context", "http.": "net/http", "strings.": "strings", "fmt.": "fmt", "sql.": "database/sql",
	"json.": "encoding/json", "time.": "time", "log.": "log", "kafka.": "github.com/segmentio/kafka-go",
}

// write makes a package of an example.
func (x *example) write(t *testing.T, dir, pkg string) {
	x.pkg = pkg
	code := x.prelude + "\n" + x.code
	var lines []string
	for word, path := range imports {
		if strings.Contains(code, word) {
			lines = append(lines, fmt.Sprintf("import %q\n", path))
		}
	}
	slices.Sort(lines)
	src := "package " + pkg + "\n\n" + strings.Join(lines, "") + "\n" + code
	require.NoError(t, os.Mkdir(filepath.Join(dir, pkg), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, pkg, pkg+".go"), []byte(src), 0o666))
}
