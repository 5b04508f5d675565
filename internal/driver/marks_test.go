package driver_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/analyzers"
	"github.com/dmlint/dmlint/internal/check"
)

// A mark is what a comment of a fixture says of its line:
//
//	// want "rule"           the rule is reported, as an error
//	// want advice "rule"    the rule is reported, as advice
//	// todo "rule"           it should be, and is not yet
//	// todo not "rule"       it should not be, and still is
//
// What follows a todo says what is wrong.
type mark struct {
	file string
	line int
	rule string
	tier check.Tier
}

func (m mark) String() string {
	if m.tier == check.Advice {
		return fmt.Sprintf("%s:%d: %s (advice)", m.file, m.line, m.rule)
	}
	return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.rule)
}

func compareMarks(a, b mark) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.rule, b.rule), cmp.Compare(a.tier, b.tier))
}

// marks are those of a whole module, by kind.
type marks struct {
	want, missing, excess []mark
}

var (
	markPattern = regexp.MustCompile(`// (want|todo)( not)?( advice)? "([a-z]+/[a-z-]+)"`)
	markStart   = regexp.MustCompile(`//\s*(want|todo)\b`)
)

// readMarks reads the marks of every Go file in a directory and below it.
func readMarks(t *testing.T, dir string) marks {
	t.Helper()
	var ms marks
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		for i, line := range strings.Split(string(text), "\n") {
			found := markPattern.FindAllStringSubmatch(line, -1)
			assert.Len(t, found, len(markStart.FindAllString(line, -1)), "%s:%d: a mark cannot be read", rel, i+1)
			for _, m := range found {
				assert.True(t, known(m[4]), "%s:%d: there is no rule %s", rel, i+1, m[4])
				ms.add(mark{file: filepath.ToSlash(rel), line: i + 1, rule: m[4], tier: tierOf(m[3])}, m[1], m[2])
			}
		}
		return err
	}))
	return ms
}

func known(rule string) bool {
	return slices.ContainsFunc(analyzers.All(), func(c *check.Check) bool {
		return slices.ContainsFunc(c.Rules, func(r check.Rule) bool { return r.ID == rule })
	})
}

func tierOf(word string) check.Tier {
	if word == "" {
		return check.Error
	}
	return check.Advice
}

func (ms *marks) add(m mark, kind, not string) {
	switch {
	case kind == "want":
		ms.want = append(ms.want, m)
	case not == "":
		ms.missing = append(ms.missing, m)
	default:
		ms.excess = append(ms.excess, m)
	}
}

// reported turns findings into marks.
func reported(t *testing.T, dir string, findings []*check.Finding) []mark {
	t.Helper()
	var ms []mark
	for _, f := range findings {
		rel, err := filepath.Rel(dir, f.File)
		require.NoError(t, err)
		ms = append(ms, mark{file: filepath.ToSlash(rel), line: f.Pos.Line, rule: f.Rule, tier: f.Tier})
	}
	return ms
}

// minus lists the marks of a that are not in b.
func minus(a, b []mark) []mark {
	rest := slices.DeleteFunc(slices.Clone(a), func(m mark) bool { return slices.Contains(b, m) })
	slices.SortFunc(rest, compareMarks)
	return rest
}

// both lists the marks of a that are in b.
func both(a, b []mark) []mark { return minus(a, minus(a, b)) }

// otherTier gives the same marks in the other tier: where the tier is what is wrong, one mark says so.
func otherTier(ms []mark) []mark {
	other := slices.Clone(ms)
	for i := range other {
		if other[i].tier = check.Error; ms[i].tier == check.Error {
			other[i].tier = check.Advice
		}
	}
	return other
}

func list(heading string, ms []mark) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", heading)
	for _, m := range ms {
		fmt.Fprintf(&b, "\n\t%s", m)
	}
	return b.String()
}
