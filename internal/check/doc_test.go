package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoAnalyzers = `// Package p has two analyzers.
//
// # Analyzer one
//
// one: find the first thing
//
// More about it.
//
// # A heading of its own
//
//	code
//
// # Analyzer two
//
// two: find the second thing
package p

var x = "# Analyzer three"
`

func TestExtractDoc(t *testing.T) {
	text, err := ExtractDoc(twoAnalyzers, "one")
	require.NoError(t, err)
	assert.Equal(t, "find the first thing\n\nMore about it.\n\n# A heading of its own\n\n\tcode", text)

	text, err = ExtractDoc(twoAnalyzers, "two")
	require.NoError(t, err)
	assert.Equal(t, "find the second thing", text)
}

func TestExtractDocErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"no comment", "package p", "no heading"},
		{"another analyzer", twoAnalyzers, "no heading"},
		{"in the code only", "package p\n// # Analyzer three\n", "no heading"},
		{"no summary", "// # Analyzer three\n//\n// It finds things.\npackage p", "does not begin with"},
		{"not Go", "pakage p", "expected 'package'"},
	} {
		_, err := ExtractDoc(c.source, "three")
		assert.ErrorContains(t, err, c.want, c.name)
	}
	assert.PanicsWithValue(t, `check: analyzer three: the package comment has no heading "# Analyzer three"`, func() {
		MustExtractDoc("package p", "three")
	})
}
