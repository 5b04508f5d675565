package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/effect"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// sample is a report with one finding of each sort: through a helper, with related places, in a file that is gone.
func sample(t *testing.T) Report {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	require.NoError(t, err)
	place, notify := filepath.Join(dir, "shop", "place.go.txt"), filepath.Join(dir, "shop", "notify.go")
	const fn = "shop.(*Service).Place"
	write := check.Step{File: place, Line: 9, Column: 16, Function: fn, Effect: "write orders", Note: "sql.(*Tx).ExecContext"}
	commit := check.Step{File: place, Line: 13, Column: 12, Function: fn, Effect: "commit", Note: "sql.(*Tx).Commit"}
	call := check.Step{File: place, Line: 16, Column: 17, Function: fn, Effect: "call", Note: "shop.(*Service).notify"}
	publish := check.Step{File: notify, Line: 22, Column: 9, Function: "shop.(*Service).notify", Effect: "publish", Note: "kafka.(*Writer).WriteMessages"}
	to := call
	to.Effect = "publish"
	return Report{Version: "v1.2.3", Dir: dir, Result: &driver.Result{
		Findings: []*check.Finding{{
			Rule: "dualwrite/after-commit", Analyzer: "dualwrite", Checklist: []int{1}, Tier: check.Error,
			Message: "the order is committed at line 13\nand announced here", Advice: "insert the event into an outbox table",
			File: place, Pos: effect.Pos{Line: 16, Col: 17, EndLine: 16, EndCol: 17}, Package: "example.com/shop", Function: fn,
			Window: check.Window{From: commit, To: to, Consequence: "the order exists and nobody is told"},
			Trace:  []check.Step{commit, call, publish},
		}, {
			Rule: "dualwrite/before-write", Analyzer: "dualwrite", Checklist: []int{1, 2}, Tier: check.Advice,
			Message: "the event is published before the order is written", File: notify, Pos: effect.Pos{Line: 22, Col: 9},
			Package: "example.com/shop", Function: "shop.(*Service).notify$1",
			Window:  check.Window{From: publish, To: write, Consequence: "the event is out and the order is missing"},
			Trace:   []check.Step{publish, write},
			Related: []check.Step{commit, commit, publish},
		}},
		Coverage: driver.Coverage{Packages: 133, Functions: 4000, Handlers: 9, Transactions: 14, Reads: 3, Writes: 212, Publishes: 31,
			UnknownCalls: 4, Unknown: map[string]int{"a.F": 1, "b.G": 2, "a.E": 1}, OpaqueSQL: 1, GaveUp: []string{"shop.(*Cart).Merge"}},
		Errors: []driver.PackageError{{Package: "example.com/shop/broken", Message: notify + ":3:1: undefined: X"}},
	}}
}

func TestText(t *testing.T) {
	for name, style := range map[string]Style{
		"short.txt": {}, "full.txt": {Full: true}, "color.txt": {Full: true, Color: true}, "short_color.txt": {Color: true},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, Text(&out, sample(t), style))
			golden(t, name, out.Bytes())
		})
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, JSON(&out, sample(t)))
	golden(t, "report.json", out.Bytes())
}

func TestJSONOfNothing(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, JSON(&out, Report{Result: &driver.Result{Findings: []*check.Finding{{}}}}))
	var got struct {
		Findings []map[string]any
		Errors   []any
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.NotNil(t, got.Errors, "lists are never null")
	assert.NotNil(t, got.Findings[0]["checklist"])
	assert.NotNil(t, got.Findings[0]["trace"])
}

func TestCoverage(t *testing.T) {
	r := sample(t)
	var out bytes.Buffer
	require.NoError(t, Coverage(&out, r, false))
	assert.Equal(t, "dmlint: 2 findings (1 error, 1 advice) in 133 packages: 9 handlers, 14 transactions, 31 publishes, 212 writes; "+
		"4 unknown calls inside transactions (--show-unknown), 1 statement whose SQL was not found, 1 function given up\n", out.String())

	out.Reset()
	require.NoError(t, Coverage(&out, r, true))
	assert.Contains(t, out.String(), "dmlint: unknown:    2  b.G\ndmlint: unknown:    1  a.E\ndmlint: unknown:    1  a.F\ndmlint: 2 findings")

	out.Reset()
	require.NoError(t, Coverage(&out, Report{Result: &driver.Result{Coverage: driver.Coverage{Packages: 1, Publishes: 1}}}, false))
	assert.Equal(t, "dmlint: no findings in 1 package: 0 handlers, 0 transactions, 1 publish, 0 writes\n", out.String())
}

func TestErrors(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Errors(&out, sample(t)))
	assert.Equal(t, "dmlint: example.com/shop/broken: shop/notify.go:3:1: undefined: X\n"+
		"dmlint: shop.(*Cart).Merge: given up: too many states\n", out.String())
}
