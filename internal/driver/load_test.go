package driver

import (
	"context"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/dmlint/dmlint/internal/model"
)

// small is a module that imports a little of the standard library.
func small(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"go.mod":   "module example.com/small\n\ngo 1.24\n",
		"small.go": "package small\n\nimport \"database/sql\"\n\nfunc Use(db *sql.DB) error { return db.Ping() }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// probing makes the test binary the probe; see TestMain.
func probing(t *testing.T, dir string, env ...string) Config {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	env = append(os.Environ(), append([]string{"GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK="}, env...)...)
	return Config{Dir: dir, Env: env, Probe: "'" + self + "' __probe"}
}

func TestExportDataIsUsedWhereItIsThere(t *testing.T) {
	cfg := probing(t, small(t))
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir, build.Env = cfg.Dir, cfg.Env
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	roots, err := list(t.Context(), cfg)
	require.NoError(t, err)
	sql := roots[0].Imports["database/sql"]
	require.NotNil(t, sql)
	require.FileExists(t, sql.ExportFile)
	loaded := (&checker{}).order(roots)
	assert.Contains(t, loaded, sql)
	assert.Len(t, loaded, 2, "what database/sql imports is in its export data")

	u := load(roots, &model.Set{}, newSources(cfg.Dir))
	assert.Empty(t, u.errs)
	assert.NotNil(t, u.byPath["database/sql"].Scope().Lookup("DB"))
	require.Len(t, u.module, 1)
	assert.NotNil(t, u.module[0].info, "the module's own package has its syntax")
}

// TestNothingIsCompiled runs with a build cache that is empty, which an ordinary load would fill with the better part of
// the standard library.
func TestNothingIsCompiled(t *testing.T) {
	cache := t.TempDir()
	cfg := probing(t, small(t), "GOCACHE="+cache)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	roots, err := list(ctx, cfg)
	require.NoError(t, err)
	assert.Less(t, size(t, cache), int64(1<<20), "the go command keeps some notes, and nothing that a compiler has made")

	sql := roots[0].Imports["database/sql"]
	require.NotNil(t, sql)
	assert.Empty(t, sql.ExportFile)
	order := (&checker{}).order(roots)
	assert.Contains(t, order, sql.Imports["context"], "what is not in the cache is read from source")

	u := load(roots, &model.Set{}, newSources(cfg.Dir))
	assert.Empty(t, u.errs, "what the probe has refused is nobody's error")
	assert.NotNil(t, u.byPath["database/sql"].Scope().Lookup("DB"))
}

func size(t *testing.T, dir string) (n int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		n += info.Size()
		return err
	}))
	return n
}

func TestStrippedDependencies(t *testing.T) {
	cfg := probing(t, small(t))
	cfg.Probe = ""
	roots, err := list(t.Context(), cfg)
	require.NoError(t, err)
	sql := roots[0].Imports["database/sql"]
	assert.Empty(t, sql.ExportFile, "without a probe nobody asks for export data")

	c := &checker{fset: token.NewFileSet(), types: map[string]*types.Package{}, results: map[*packages.Package]*result{}}
	whole := c.order(roots)
	assert.True(t, slices.IndexFunc(whole, imports("database/sql/driver")) < slices.Index(whole, sql), "imports come first")
	assert.Equal(t, roots[0], whole[len(whole)-1])
}

func imports(path string) func(*packages.Package) bool {
	return func(p *packages.Package) bool { return p.PkgPath == path }
}
