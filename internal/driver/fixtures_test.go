package driver_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/analyzers/ackorder"
	"github.com/dmlint/dmlint/analyzers/dualwrite"
	"github.com/dmlint/dmlint/analyzers/inboxorder"
	"github.com/dmlint/dmlint/analyzers/increment"
	"github.com/dmlint/dmlint/analyzers/orderkey"
	"github.com/dmlint/dmlint/analyzers/poison"
	"github.com/dmlint/dmlint/analyzers/relay"
	"github.com/dmlint/dmlint/analyzers/sideeffect"
	"github.com/dmlint/dmlint/analyzers/transition"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
)

// fixtures are the modules of testdata with marks, the checks that run there, and the number of marks that name a defect
// of the engine: it only ever goes down. The two checks about redelivered messages share their verdicts, and each runs
// over the other's fixtures, too: of one window only one of them speaks.
var fixtures = []struct {
	name   string
	checks []*check.Check
	todos  int
}{
	{"dualwrite", []*check.Check{dualwrite.Check}, 9},
	{"increment", []*check.Check{increment.Check, inboxorder.Check}, 0},
	{"ackorder", []*check.Check{ackorder.Check}, 0},
	{"inboxorder", []*check.Check{increment.Check, inboxorder.Check}, 0},
	{"poison", []*check.Check{poison.Check}, 0},
	{"transition", []*check.Check{transition.Check}, 0},
	{"relay", []*check.Check{relay.Check}, 0},
	{"orderkey", []*check.Check{orderkey.Check}, 0},
	{"sideeffect", []*check.Check{sideeffect.Check}, 0},
}

// TestFixtures compares what is found in testdata with what the comments there ask for.
func TestFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("loads several hundred packages")
	}
	for _, fixture := range fixtures {
		t.Run(fixture.name, func(t *testing.T) { compareFixture(t, fixture.name, fixture.checks, fixture.todos) })
	}
}

func compareFixture(t *testing.T, name string, checks []*check.Check, maxTodos int) {
	dir, err := filepath.Abs("../../testdata/" + name)
	require.NoError(t, err)
	ms := readMarks(t, dir)
	require.NotEmpty(t, ms.want)
	res, err := tryRun(t, driver.Config{Dir: dir, Probe: probe(t)}, checks...)
	require.NoError(t, err)
	require.Empty(t, res.Errors)
	require.Empty(t, res.Coverage.GaveUp)

	got := reported(t, dir, res.Findings)
	missing, excess := minus(ms.want, got), minus(got, slices.Concat(ms.want, ms.missing, ms.excess, otherTier(ms.missing)))
	assert.Empty(t, missing, list("wanted and not reported", missing))
	assert.Empty(t, excess, list("reported and not wanted", excess))

	mended := slices.Concat(both(ms.missing, got), minus(ms.excess, got))
	assert.Empty(t, mended, list("mended: make a want of a todo, take a todo not away, and lower the number of todos", mended))
	todos := slices.Concat(ms.missing, ms.excess)
	assert.LessOrEqual(t, len(todos), maxTodos, "new defects are mended, not marked")
	if len(todos) > 0 {
		t.Log(list("known defects, missing", ms.missing) + "\n" + list("known defects, not to be reported", ms.excess))
	}
}
