package analyzers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
)

func TestAnalyzersAreTheChecks(t *testing.T) {
	require.NoError(t, analysis.Validate(Analyzers()))
	var checks, names []string
	for _, c := range All() {
		checks = append(checks, c.Name)
	}
	for _, a := range Analyzers() {
		names = append(names, a.Name)
	}
	assert.Equal(t, checks, names)
}
