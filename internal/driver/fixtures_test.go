package driver_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/driver"
)

// maxTodos is the number of marks in the fixtures that name a defect of the engine. It only ever goes down.
const maxTodos = 10

// TestFixtures compares what is found in testdata/dualwrite with what the comments there ask for.
func TestFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("loads several hundred packages")
	}
	dir, err := filepath.Abs("../../testdata/dualwrite")
	require.NoError(t, err)
	ms := readMarks(t, dir)
	require.NotEmpty(t, ms.want)
	res := run(t, driver.Config{Dir: dir, Probe: probe(t)})
	require.Empty(t, res.Errors)
	require.Empty(t, res.Coverage.GaveUp)

	got := reported(t, dir, res.Findings)
	missing, excess := minus(ms.want, got), minus(got, slices.Concat(ms.want, ms.missing, ms.excess, otherTier(ms.missing)))
	assert.Empty(t, missing, list("wanted and not reported", missing))
	assert.Empty(t, excess, list("reported and not wanted", excess))

	mended := slices.Concat(both(ms.missing, got), minus(ms.excess, got))
	assert.Empty(t, mended, list("mended: make a want of a todo, take a todo not away, and lower maxTodos", mended))
	todos := slices.Concat(ms.missing, ms.excess)
	assert.LessOrEqual(t, len(todos), maxTodos, "new defects are mended, not marked")
	if len(todos) > 0 {
		t.Log(list("known defects, missing", ms.missing) + "\n" + list("known defects, not to be reported", ms.excess))
	}
}
