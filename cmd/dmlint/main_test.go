package main

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"dmlint": main})
}

func TestScripts(t *testing.T) {
	goEnv := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			program, err := exec.LookPath("dmlint") // the scripts' own, which testscript has put first on PATH
			env.Setenv("DMLINT", program)
			if err != nil {
				return err
			}
			return os.CopyFS(filepath.Join(env.WorkDir, "stubs"), stubs())
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status, "same": same},
	})
}

// stubs are small copies of libraries: the scripts' modules replace the real ones with them and need no network.
func stubs() fs.FS { return os.DirFS("testdata/stubs") }

// goEnvironment lets the scripts use the build cache, and keeps them off the network.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	require.NoError(t, err)
	lines := strings.Split(string(out), "\n")
	return []string{"GOCACHE=" + strings.TrimSpace(lines[0]), "GOMODCACHE=" + strings.TrimSpace(lines[1]), "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS="}
}

// status runs a command that must end with the given exit status: status 3 dmlint ./...
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// same runs a command several times and compares what it writes: same 10 dmlint --format json
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: same N command [args]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	first := ""
	for i := range n {
		_ = ts.Exec(args[1], args[2:]...) // findings make it fail
		out := ts.ReadFile("stdout") + ts.ReadFile("stderr")
		if i == 0 {
			first = out
		}
		if out != first {
			ts.Fatalf("run %d differs from the first:\n%s\nfirst:\n%s", i+1, out, first)
		}
	}
}
