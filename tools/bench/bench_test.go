package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary stand for the program that starts itself.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == baselineCommand {
		exitOn(baseline())
		return
	}
	os.Exit(m.Run())
}

func TestMedianTakesEachFigureByItself(t *testing.T) {
	got := median([]cost{
		{wall: 3 * time.Second, cpu: 1 * time.Second, memory: 20},
		{wall: 1 * time.Second, cpu: 9 * time.Second, memory: 10},
		{wall: 2 * time.Second, cpu: 5 * time.Second, memory: 90},
	})
	assert.Equal(t, cost{wall: 2 * time.Second, cpu: 5 * time.Second, memory: 20}, got)
}

func sample() []row {
	return []row{{
		module: "example.com/shop", built: "12 of 12",
		baseline: cost{wall: 2 * time.Second, cpu: 4 * time.Second, memory: 300e6},
		dmlint:   cost{wall: 3 * time.Second, cpu: 5 * time.Second, memory: 450e6},
	}}
}

func TestTable(t *testing.T) {
	var text, markdown strings.Builder
	require.NoError(t, write(&text, sample(), false))
	assert.Equal(t, ""+
		"module             packages   run            wall     CPU      peak memory\n"+
		"example.com/shop   12 of 12   load and SSA   2.00 s   4.00 s   300 MB\n"+
		"                              dmlint         3.00 s   5.00 s   450 MB\n"+
		"                              ratio          1.50 ×   1.25 ×   1.50 ×\n", text.String())
	require.NoError(t, write(&markdown, sample(), true))
	assert.Contains(t, markdown.String(), "| --- | --- | --- | ---: | ---: | ---: |\n| example.com/shop | 12 of 12 | load and SSA | 2.00 s |")
}

func TestLimits(t *testing.T) {
	var said strings.Builder
	assert.True(t, withinLimits(sample(), limits{wall: 1.5, memory: 2}, &said))
	assert.Empty(t, said.String())
	assert.False(t, withinLimits(sample(), limits{wall: 1.4, memory: 2}, &said))
	assert.Equal(t, "bench: example.com/shop: wall time is 1.50 times the baseline's, and 1.40 is allowed\n", said.String())
	assert.False(t, withinLimits(sample(), limits{wall: 1.5, memory: 1}, &said))
}

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/small\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "small.go"), []byte("package small\n\nfunc One() int { return 1 }\n"), 0o600))
	self, err := os.Executable()
	require.NoError(t, err)
	r, err := measure(dir, 1, []string{self, baselineCommand}, []string{"go", "version"})
	require.NoError(t, err)
	assert.Equal(t, "example.com/small", r.module)
	assert.Equal(t, "1 of 1", r.built)
	assert.Positive(t, r.baseline.wall)
	assert.Positive(t, r.dmlint.cpu)

	_, err = measure(dir, 1, []string{self, baselineCommand}, []string{"go", "no-such-command"})
	assert.ErrorContains(t, err, "go no-such-command ended with exit status 2")
	_, err = measure(t.TempDir(), 1, []string{self, baselineCommand}, nil)
	assert.Error(t, err, "there is no module")
}
