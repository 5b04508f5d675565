package driver_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/driver"
)

// TestHandlers compares the handlers that are found in testdata/handlers with what the comments there say: the reason on
// the line of the function, with the line where it stands.
func TestHandlers(t *testing.T) {
	if testing.Short() {
		t.Skip("loads several hundred packages")
	}
	dir, err := filepath.Abs("../../testdata/handlers")
	require.NoError(t, err)
	want := wantedHandlers(t, dir)
	require.NotEmpty(t, want)
	res, err := driver.Run(t.Context(), driver.Config{Dir: dir, Probe: probe(t)}, nil)
	require.NoError(t, err)
	require.Empty(t, res.Errors)
	var got []string
	for _, h := range res.Handlers {
		file, err := filepath.Rel(dir, h.File)
		require.NoError(t, err)
		reason := h.Reason
		if h.ReasonPos.IsValid() {
			reason += fmt.Sprint(" at ", h.ReasonPos.Line)
		}
		got = append(got, fmt.Sprintf("%s:%d: %s", filepath.ToSlash(file), h.Pos.Line, reason))
	}
	slices.Sort(got)
	assert.Equal(t, want, got)
	assert.Equal(t, len(got), res.Coverage.Handlers)
}

func wantedHandlers(t *testing.T, dir string) []string {
	t.Helper()
	var want []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			if _, reason, ok := strings.Cut(lines.Text(), "// handler: "); ok {
				want = append(want, fmt.Sprintf("%s:%d: %s", filepath.ToSlash(rel), n, reason))
			}
		}
		return lines.Err()
	}))
	slices.Sort(want)
	return want
}
