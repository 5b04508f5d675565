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
// be bad must give its rule and nothing else, what is said to be good nothing at all. The module is that of the example
// service, so that the libraries are the real ones.
func TestDocExamples(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", "examples", "orders", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	var all []example
	for _, c := range All() {
		examples := examplesIn(c)
		for _, r := range c.Rules {
			for _, bad := range []bool{true, false} {
				assert.True(t, slices.ContainsFunc(examples, func(x example) bool { return x.rule == r.ID && x.bad == bad }), "%s has no code where bad=%v", r.ID, bad)
			}
		}
		all = append(all, examples...)
	}
	for i := range all {
		all[i].write(t, dir, fmt.Sprintf("p%02d", i))
	}

	res, err := driver.Run(context.Background(), driver.Config{Dir: dir}, All())
	require.NoError(t, err)
	require.Empty(t, res.Errors, "the code does not compile")
	for _, x := range all {
		var got []string
		for _, f := range res.Findings {
			if f.Package == modulePath+"/"+x.pkg {
				got = append(got, fmt.Sprintf("%s (%s)", f.Rule, f.Tier))
			}
		}
		if x.bad {
			assert.Equal(t, []string{x.rule + " (error)"}, got, x.code)
		} else {
			assert.Empty(t, got, x.code)
		}
	}
}

const modulePath = "example.com/orders"

// An example is a piece of code that the documentation of a rule shows.
type example struct {
	rule, prelude, code, pkg string
	bad                      bool
}

// examplesIn lists the code under "Bad:" and "Good:" in the sections of a check's rules. Code before the first section
// is what the examples have in common.
func examplesIn(c *check.Check) []example {
	var found []example
	x := example{}
	prelude, shown := "", false
	for _, block := range new(comment.Parser).Parse(c.Doc).Content {
		switch block := block.(type) {
		case *comment.Heading:
			x = example{rule: c.Name + "/" + plain(block.Text), prelude: prelude}
		case *comment.Paragraph:
			text := plain(block.Text)
			x.bad, shown = text == "Bad:", text == "Bad:" || text == "Good:"
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
	"context.": "context", "sql.": "database/sql", "kafka.": "github.com/segmentio/kafka-go",
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
