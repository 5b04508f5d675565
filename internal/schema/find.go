package schema

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// Bounds of what is read below one root. What is beyond is left out.
const (
	maxEntries  = 200_000
	maxFileSize = 4 << 20
	maxTotal    = 256 << 20
)

// Find returns what the modules in directories say about their tables, nil if that is nothing. Modules below them are
// left out unless they are named, too.
func Find(roots ...string) *Schema {
	s := &Schema{tables: map[string][]*table{}}
	for _, root := range roots {
		s.read(os.DirFS(root))
	}
	if len(s.tables) == 0 {
		return nil
	}
	return s
}

var around sync.Map // of func() *Schema, by directory of the module

// Around returns what the module says that a directory belongs to. Each module is read once; where no go.mod is found, as
// in a sandbox of Bazel, the answer is nil.
func Around(dir string) *Schema {
	if dir == "" {
		return nil
	}
	root := ModuleRoot(dir)
	if root == "" {
		return nil
	}
	find, _ := around.LoadOrStore(root, sync.OnceValue(func() *Schema { return Find(root) }))
	return find.(func() *Schema)()
}

// ModuleRoot returns the nearest directory with a go.mod, from dir upwards; "" if there is none.
func ModuleRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if _, statErr := os.Stat(filepath.Join(dir, "go.mod")); statErr == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// A reader collects the files of one module.
type reader struct {
	fsys           fs.FS
	sql            []sqlFile
	code           *code
	entries, total int
	failed         int
	sheds          []string
	shedSize       int
}

func (s *Schema) read(fsys fs.FS) {
	r := &reader{fsys: fsys, code: newCode()}
	_ = fs.WalkDir(fsys, ".", r.visit) // visit returns no errors of its own
	s.add(histories(r.sql)...)
	for _, t := range r.code.tables() {
		t.inCode = true
		s.add(t)
	}
	s.failed += r.failed
	s.sheds = append(s.sheds, r.sheds...)
}

// visit reads the files that define tables, and steps over what cannot be read.
func (r *reader) visit(name string, d fs.DirEntry, err error) error {
	r.entries++
	switch {
	case r.entries > maxEntries || r.total > maxTotal:
		return fs.SkipAll
	case err != nil:
		r.failed++
		return nil
	case d.IsDir():
		if name != "." && (Skipped(d.Name()) || r.hasModule(name)) {
			return fs.SkipDir
		}
		return nil
	case !d.Type().IsRegular():
		return nil
	}
	switch path.Ext(name) {
	case ".sql":
		if !undoes(name) {
			r.readSQL(name)
		}
	case ".go":
		if !strings.HasSuffix(name, "_test.go") {
			r.readGo(name)
		}
	}
	return nil
}

// Skipped reports whether a folder of this name holds no code of the module's own.
func Skipped(folder string) bool {
	return folder == "vendor" || folder == "node_modules" || folder == "testdata" || folder[0] == '.' || folder[0] == '_'
}

func (r *reader) hasModule(folder string) bool {
	_, err := fs.Stat(r.fsys, path.Join(folder, "go.mod"))
	return err == nil
}

func (r *reader) readSQL(name string) {
	text := r.readFile(name)
	r.keepShedding(text)
	if defines.Match(text) {
		r.sql = append(r.sql, newSQLFile(name, string(text)))
	}
}

func (r *reader) readGo(name string) {
	text := r.readFile(name)
	if relevant(text) {
		r.code.read(name, text)
	}
}

var errTooLarge = errors.New("too large")

// readFile returns a file, or nothing if it is too large or cannot be read.
func (r *reader) readFile(name string) []byte {
	text, err := readBounded(r.fsys, name)
	if err != nil {
		r.failed++
		return nil
	}
	r.total += len(text)
	return decoded(text)
}

func readBounded(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(text) > maxFileSize {
		err = errTooLarge
	}
	return text, err
}

// decoded gives a text without the mark that Windows begins it with.
func decoded(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }
