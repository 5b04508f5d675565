package driver_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

// tryRun runs the dualwrite check.
func tryRun(t *testing.T, cfg driver.Config) (*driver.Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	return driver.Run(ctx, cfg, []*check.Check{dualwrite.Check})
}

func run(t *testing.T, cfg driver.Config) *driver.Result {
	t.Helper()
	res, err := tryRun(t, cfg)
	require.NoError(t, err)
	return res
}
