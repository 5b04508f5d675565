package dualwrite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"

	"github.com/dmlint/dmlint/analyzers/dualwrite"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
)

// TestMain lets the test binary be the vet tool that the tests hand to the go command.
func TestMain(m *testing.M) {
	for _, arg := range os.Args[1:] {
		if arg == "-V=full" || arg == "-flags" || strings.HasSuffix(arg, ".cfg") {
			unitchecker.Main(dualwrite.Analyzer)
		}
	}
	os.Exit(m.Run())
}

// The fixture is a shop of many packages. Its lines are marked by who has to report them:
//
//	want   everybody
//	whole  only the command, which sees the whole program
//	vet    only who sees one package and the facts of those below it
//
// What only the command can see is, by package: announce, whose interfaces are implemented above or beside it; hooks,
// which calls a function that another package has put into a field; ledger, where two handles turn out to be one in
// their constructors' caller; nested, whose callers are all inside transactions; letters, whose table is an outbox
// because of the relay in another package.
const fixture = "testdata/modular"

func TestGoVet(t *testing.T) {
	assert.Equal(t, marked(t, "want", "vet"), goVet(t))
}

func TestTierFlag(t *testing.T) {
	tier := dualwrite.Analyzer.Flags.Lookup("tier")
	require.NotNil(t, tier)
	assert.Equal(t, "error", tier.DefValue)
	assert.ErrorContains(t, dualwrite.Analyzer.Flags.Set("tier", "warning"), "want error or advice")

	require.NoError(t, dualwrite.Analyzer.Flags.Set("tier", "advice"))
	defer dualwrite.Analyzer.Flags.Set("tier", "error")
	found := inProcess(t)
	assert.Subset(t, found, marked(t, "want", "vet"))
	assert.Contains(t, found, place("ledger/ledger.go", 27, "dualwrite/escaped-write"), "what is likely is advice")
}

func TestCommand(t *testing.T) {
	res, err := driver.Run(context.Background(), driver.Config{Dir: fixture}, []*check.Check{dualwrite.Check})
	require.NoError(t, err)
	var found []string
	for _, f := range res.Findings {
		if f.Tier == check.Error {
			found = append(found, place(relative(t, f.File), f.Pos.Line, f.Rule))
		}
	}
	slices.Sort(found)
	assert.Equal(t, marked(t, "want", "whole"), found)
}

// TestInProcess runs the analyzer as golangci-lint does: all packages in one process, with the facts of all imports.
func TestInProcess(t *testing.T) {
	assert.Equal(t, marked(t, "want", "vet"), inProcess(t))
}

func TestDiagnostic(t *testing.T) {
	for _, d := range diagnostics(t) {
		if !strings.HasPrefix(placeOf(t, d), "promo/promo.go") || d.Category != "dualwrite/inside-tx" {
			continue
		}
		assert.Regexp(t, ` \(dualwrite/inside-tx, checklist 2\)$`, d.Message)
		assert.Equal(t, "https://github.com/dmlint/dmlint/blob/main/docs/rules/dualwrite.md#inside-tx", d.URL)
		require.NotEmpty(t, d.Related, "the write in the same file")
		assert.Contains(t, d.Related[0].Message, "Insert")
		return
	}
	assert.Fail(t, "no such diagnostic")
}

var loadFixture = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: fixture}, "./...")
})

func diagnostics(t *testing.T) []analysis.Diagnostic {
	pkgs, err := loadFixture()
	require.NoError(t, err)
	graph, err := checker.Analyze([]*analysis.Analyzer{dualwrite.Analyzer}, pkgs, nil)
	require.NoError(t, err)
	var out []analysis.Diagnostic
	for _, act := range graph.Roots {
		require.NoError(t, act.Err)
		out = append(out, act.Diagnostics...)
	}
	return out
}

func placeOf(t *testing.T, d analysis.Diagnostic) string {
	pkgs, _ := loadFixture()
	p := pkgs[0].Fset.Position(d.Pos)
	return place(relative(t, p.Filename), p.Line, d.Category)
}

func inProcess(t *testing.T) []string {
	found := []string{}
	for _, d := range diagnostics(t) {
		found = append(found, placeOf(t, d))
	}
	slices.Sort(found)
	return found
}

// goVet runs the go command with this test as its vet tool.
func goVet(t *testing.T) []string {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command("go", "vet", "-vettool="+self, "-json", "./...")
	cmd.Dir = fixture
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	assert.NotContains(t, stderr.String(), "dmlint: warning")
	found := []string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var units map[string]map[string][]struct{ Category, Posn string }
		require.NoError(t, dec.Decode(&units))
		for _, analyzers := range units {
			for _, d := range analyzers["dualwrite"] {
				m := regexp.MustCompile(`^(.*):(\d+):\d+$`).FindStringSubmatch(d.Posn)
				require.NotNil(t, m, d.Posn)
				found = append(found, relative(t, m[1])+":"+m[2]+" "+d.Category)
			}
		}
	}
	slices.Sort(found)
	return found
}

func place(file string, line int, rule string) string {
	return fmt.Sprintf("%s:%d %s", file, line, rule)
}

func relative(t *testing.T, file string) string {
	root, err := filepath.Abs(fixture)
	require.NoError(t, err)
	if !filepath.IsAbs(file) {
		file = filepath.Join(root, file)
	}
	rel, err := filepath.Rel(root, file)
	require.NoError(t, err)
	return filepath.ToSlash(rel)
}

var mark = regexp.MustCompile(`// (want|whole|vet) (dualwrite/[a-z-]+)`)

// marked lists the lines of the fixture that carry one of the marks.
func marked(t *testing.T, kinds ...string) []string {
	var out []string
	require.NoError(t, filepath.WalkDir(fixture, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range mark.FindAllStringSubmatch(line, -1) {
				if slices.Contains(kinds, m[1]) {
					rel, _ := filepath.Rel(fixture, path)
					out = append(out, place(filepath.ToSlash(rel), i+1, m[2]))
				}
			}
		}
		return nil
	}))
	slices.Sort(out)
	return out
}
