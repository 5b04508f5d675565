package driver

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAheadParsesWhatPatternsName(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "a.go", "a_test.go", "notes.txt", "b/b.go", "b/c/c.go", "testdata/t.go", "vendor/v.go", ".git/g.go", "_old/o.go", "other/go.mod", "other/o.go"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte("package p\n"), 0o600))
	}
	for name, tt := range map[string]struct {
		patterns []string
		want     []string
	}{
		"nothing said":  {nil, []string{"a.go", "b/b.go", "b/c/c.go"}},
		"everything":    {[]string{"./..."}, []string{"a.go", "b/b.go", "b/c/c.go"}},
		"below":         {[]string{"./b/..."}, []string{"b/b.go", "b/c/c.go"}},
		"one package":   {[]string{"./b"}, nil},
		"import path":   {[]string{"example.com/shop/..."}, nil},
		"not there":     {[]string{"./nowhere/..."}, nil},
		"several trees": {[]string{"./b/c/...", "./b/..."}, []string{"b/b.go", "b/c/c.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSources(dir)
			<-s.ahead(t.Context(), Config{Dir: dir, Patterns: tt.patterns})
			var got []string
			for _, path := range slices.Sorted(maps.Keys(s.parsed)) {
				rel, err := filepath.Rel(dir, path)
				require.NoError(t, err)
				got = append(got, filepath.ToSlash(rel))
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestSourcesAreHandedOutOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	require.NoError(t, os.WriteFile(path, []byte("package a\n"), 0o600))
	s := newSources(dir)
	<-s.ahead(t.Context(), Config{Dir: dir})
	require.Len(t, s.parsed, 1)
	first, err := s.file(path)
	require.NoError(t, err)
	assert.Empty(t, s.parsed, "what was asked for is nobody else's")
	again, err := s.file(path)
	require.NoError(t, err)
	assert.NotSame(t, first, again)

	_, err = s.file(filepath.Join(dir, "missing.go"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	s.parsed["x"] = parsed{}
	s.settle()
	assert.Empty(t, s.parsed)
}

func TestAheadStops(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newSources(dir)
	<-s.ahead(ctx, Config{Dir: dir})
	assert.Empty(t, s.parsed)
}
