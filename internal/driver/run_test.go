package driver_test

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/report"
)

func TestBrokenPackagesCostOnlyThemselves(t *testing.T) {
	dir := module(t, "broken")
	res := run(t, driver.Config{Dir: dir, Env: offline()})
	requireMarks(t, dir, res)

	said := map[string]string{}
	for _, e := range res.Errors {
		assert.Equal(t, e.Package+": "+e.Message, e.Error())
		said[e.Package] = cmp.Or(said[e.Package], e.Message)
	}
	for pkg, message := range map[string]string{
		"example.com/shop/signature": "undefined: Missing",
		"example.com/shop/grammar":   "expected",
		"example.com/shop/absent":    "example.org/absent/thing",
		"example.com/shop/uncreated": "example.com/shop/internal/generated",
		"example.com/shop/body":      "undefined: undefined",
	} {
		assert.Contains(t, said[pkg], message)
	}
	assert.Len(t, said, 5, "nobody is named for another's error: %v", said)
	assert.Equal(t, 7, res.Coverage.Packages)
	assert.Len(t, res.Errors, len(said), "each is named once")
	assert.Contains(t, said["example.com/shop/absent"], "nothing of it was analysed")
}

// todo notes what does not hold yet; once it does, it has to become an assertion.
func todo(t *testing.T, what string, mended bool) {
	t.Helper()
	assert.False(t, mended, "mended: "+what)
	t.Log("known defect: " + what)
}

func TestNoModule(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o600))
	_, err := tryRun(t, driver.Config{Dir: dir, Env: offline()})
	require.ErrorContains(t, err, "there is no go.mod here or above")
}

func TestPatterns(t *testing.T) {
	dir := module(t, "layers")
	for name, tt := range map[string]struct {
		patterns []string
		files    []string
	}{
		"everything":                     {nil, []string{"orders/orders.go", "carts/carts.go", "notify/notify.go"}},
		"one package":                    {[]string{"./notify"}, []string{"notify/notify.go"}},
		"two packages":                   {[]string{"./notify", "./carts"}, []string{"carts/carts.go", "notify/notify.go"}},
		"import path":                    {[]string{"example.com/shop/notify"}, []string{"notify/notify.go"}},
		"its publish is in a dependency": {[]string{"./carts"}, []string{"carts/carts.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			res := run(t, driver.Config{Dir: dir, Env: offline(), Probe: probe(t), Patterns: tt.patterns})
			requireMarks(t, dir, res, tt.files...)
			assert.Empty(t, res.Errors)
		})
	}
}

// TestWholeModuleIsKnown asks for a package whose interface is implemented in another that it does not import.
func TestWholeModuleIsKnown(t *testing.T) {
	dir := module(t, "layers")
	res := run(t, driver.Config{Dir: dir, Env: offline(), Probe: probe(t), Patterns: []string{"./orders", "./cmd/shop"}})
	requireMarks(t, dir, res, "orders/orders.go")
	res = run(t, driver.Config{Dir: dir, Env: offline(), Probe: probe(t), Patterns: []string{"./orders"}})
	todo(t, "packages that no pattern and no import leads to have no effects", len(res.Findings) == 1)
}

func TestPatternsThatMatchNothing(t *testing.T) {
	dir := module(t, "layers")
	for _, pattern := range []string{"./nowhere", "./nowhere/...", "example.com/shop/nowhere"} {
		_, err := tryRun(t, driver.Config{Dir: dir, Env: offline(), Patterns: []string{pattern}})
		require.ErrorIs(t, err, driver.ErrNoPackages, pattern)
		require.ErrorContains(t, err, pattern)
	}
}

func TestTags(t *testing.T) {
	dir := module(t, "tags")
	res := run(t, driver.Config{Dir: dir, Env: offline()})
	assert.Empty(t, res.Findings)
	res = run(t, driver.Config{Dir: dir, Env: offline(), BuildFlags: []string{"-tags=loud"}})
	requireMarks(t, dir, res)
}

func TestWorkspace(t *testing.T) {
	dir := module(t, "workspace")
	res := run(t, driver.Config{Dir: dir, Env: offline(), Patterns: []string{"./shop/...", "./lines/..."}})
	assert.Empty(t, res.Errors)
	requireMarks(t, dir, res)

	res = run(t, driver.Config{Dir: filepath.Join(dir, "shop"), Env: offline()})
	assert.Empty(t, res.Errors)
	requireMarks(t, dir, res, "shop/shop.go")
}

func TestVendor(t *testing.T) {
	dir := module(t, "layers")
	cmd := exec.CommandContext(t.Context(), "go", "mod", "vendor")
	cmd.Dir, cmd.Env = dir, offline()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "stubs")))
	require.FileExists(t, filepath.Join(dir, "vendor", "github.com", "segmentio", "kafka-go", "kafka.go"))

	res := run(t, driver.Config{Dir: dir, Env: offline()})
	assert.Empty(t, res.Errors)
	assert.Equal(t, 4, res.Coverage.Packages, "what is vendored is not the user's")
	requireMarks(t, dir, res)
}

// TestSameInputSameOutput runs over packages that pass many bounds and unions, where the order of a map would show.
func TestSameInputSameOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many times")
	}
	dir, err := filepath.Abs("../../testdata/dualwrite")
	require.NoError(t, err)
	cfg := driver.Config{Dir: dir, Probe: probe(t), Patterns: []string{"./publish/...", "./runner", "./shape", "./outbox/..."}}
	first := asJSON(t, dir, run(t, cfg))
	require.Contains(t, first, `"rule": "dualwrite/`)
	for range 9 {
		require.Equal(t, first, asJSON(t, dir, run(t, cfg)))
	}
	for _, procs := range []int{1, 4} {
		withProcs(t, procs, func() { require.Equal(t, first, asJSON(t, dir, run(t, cfg)), "GOMAXPROCS=%d", procs) })
	}
}

func withProcs(t *testing.T, n int, fn func()) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	defer runtime.GOMAXPROCS(before)
	fn()
}

func asJSON(t *testing.T, dir string, res *driver.Result) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, report.Report{Result: res, Version: "test", Dir: dir}))
	return b.String()
}

// TestSchemaOfTheModules asks for keys that migrations define.
func TestSchemaOfTheModules(t *testing.T) {
	dir := module(t, "layers")
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("migrations/1_inbox.up.sql", "CREATE TABLE inbox (message_id text PRIMARY KEY)")
	write("migrations/1_inbox.down.sql", "DROP TABLE inbox")
	write("tools/go.mod", "module example.com/tools")
	write("tools/schema.sql", "CREATE TABLE other (id text PRIMARY KEY)")
	schema := run(t, driver.Config{Dir: dir, Env: offline()}).Program.Schema()
	keys, known := schema.Keys("inbox")
	assert.Equal(t, [][]string{{"message_id"}}, keys)
	assert.True(t, known)
	_, known = schema.Keys("other")
	assert.False(t, known, "another module's")
}

// TestBodiesBelow has findings that rest on bodies of functions in other packages.
func TestBodiesBelow(t *testing.T) {
	dir := module(t, "across")
	res := run(t, driver.Config{Dir: dir, Env: offline(), Probe: probe(t)})
	assert.Empty(t, res.Errors)
	requireMarks(t, dir, res)
	assert.Equal(t, 10, res.Coverage.Functions, "a method of a type with two names counts once")
}

// TestInertPackages asks which functions have graphs: those of generated packages without effects have none.
func TestInertPackages(t *testing.T) {
	dir := module(t, "inert")
	res := run(t, driver.Config{Dir: dir, Env: offline(), Probe: probe(t)})
	assert.Empty(t, res.Errors)
	requireMarks(t, dir, res)
	assert.Equal(t, 5, res.Coverage.Packages)
	for id := range res.Program.Graphs {
		assert.NotContains(t, id, "example.com/shop/pb")
	}
	assert.Contains(t, res.Program.Graphs, effect.FuncID("example.com/shop/store.Insert"))
	assert.Contains(t, res.Program.Graphs, effect.FuncID("example.com/shop/store/all.InsertAll"))
}
