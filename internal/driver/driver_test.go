package driver_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/dmlint/dmlint/analyzers/dualwrite"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/cli"
	"github.com/dmlint/dmlint/internal/driver"
)

// TestMain makes the test binary its own probe: the go command runs it in place of the compiler.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == probeCommand {
		os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const probeCommand = "__probe"

// probe is the command line by which the go command runs the probe.
func probe(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	if strings.ContainsAny(self, `'"`) {
		t.Skip("the test binary's path cannot be quoted for -toolexec")
	}
	return "'" + self + "' " + probeCommand
}

// limit is how long one run may take: far more than it does.
const limit = 3 * time.Minute

// tryRun runs checks: dualwrite, unless others are named.
func tryRun(t *testing.T, cfg driver.Config, checks ...*check.Check) (*driver.Result, error) {
	t.Helper()
	if len(checks) == 0 {
		checks = []*check.Check{dualwrite.Check}
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	return driver.Run(ctx, cfg, checks)
}

func run(t *testing.T, cfg driver.Config) *driver.Result {
	t.Helper()
	res, err := tryRun(t, cfg)
	require.NoError(t, err)
	return res
}

// offline is an environment in which the go command neither asks the network nor minds the user's settings.
func offline(more ...string) []string {
	env := append(os.Environ(), "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=")
	return append(env, more...)
}

// module unpacks a file of testdata into a directory of its own, with the stand-ins for libraries.
func module(t *testing.T, name string) (dir string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	require.NoError(t, err)
	dir, err = filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, f.Data, 0o600))
	}
	require.NoError(t, os.CopyFS(filepath.Join(dir, "stubs"), os.DirFS("../../cmd/dmlint/testdata/stubs")))
	return dir
}

// requireMarks compares a result with the marks of a module, or of those of its files that are named.
func requireMarks(t *testing.T, dir string, res *driver.Result, files ...string) {
	t.Helper()
	want := readMarks(t, dir).want
	if len(files) > 0 {
		want = slices.DeleteFunc(want, func(m mark) bool { return !slices.Contains(files, m.file) })
		require.Len(t, want, len(files), "each file has one mark")
	}
	require.ElementsMatch(t, want, reported(t, dir, res.Findings))
}
