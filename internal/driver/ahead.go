package driver

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/dmlint/dmlint/internal/schema"
)

// sources parses files, some of them before anybody asks: while the go command lists the packages, processors are idle.
type sources struct {
	fset   *token.FileSet
	mu     sync.Mutex // guards parsed
	parsed map[string]parsed
	// root is the module that is looked at, tables what it says about its tables.
	root   string
	tables func() *schema.Schema
}

type parsed struct {
	file *ast.File
	err  error
}

func newSources(dir string) *sources {
	root := schema.ModuleRoot(dir)
	return &sources{fset: token.NewFileSet(), parsed: map[string]parsed{}, root: root,
		tables: sync.OnceValue(func() *schema.Schema { return schema.Find(root) })}
}

// file parses a file with its comments, unless that has been done; it is kept for nobody else.
func (s *sources) file(name string) (*ast.File, error) {
	s.mu.Lock()
	p, ok := s.parsed[name]
	delete(s.parsed, name)
	s.mu.Unlock()
	if !ok {
		p = s.parse(name)
	}
	return p.file, p.err
}

func (s *sources) parse(name string) parsed {
	f, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution|parser.ParseComments)
	return parsed{f, err}
}

// ahead parses what the patterns are likely to name until it is told to stop, and reports when it has stopped. Files that
// turn out not to be wanted are forgotten by [sources.settle].
func (s *sources) ahead(ctx context.Context, cfg Config) (stopped <-chan struct{}) {
	done := make(chan struct{})
	dirs := make(chan string)
	go func() {
		defer close(dirs)
		for _, root := range subtrees(cfg) {
			sendDirs(ctx, root, dirs)
		}
	}()
	var workers sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)/2) { // the go command has work to do, too
		workers.Go(func() {
			for dir := range dirs {
				s.parseDir(ctx, dir)
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
		if s.root != "" && ctx.Err() == nil { // there is time left
			s.tables()
		}
	}()
	return done
}

// parseDir parses the files of one directory in the order of their names, in which a package's files have positions.
func (s *sources) parseDir(ctx context.Context, dir string) {
	entries, _ := os.ReadDir(dir) // whoever needs it will say that it cannot be read
	for _, e := range entries {
		if ctx.Err() != nil {
			return
		}
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		name := filepath.Join(dir, e.Name())
		p := s.parse(name)
		s.mu.Lock()
		s.parsed[name] = p
		s.mu.Unlock()
	}
}

// schemaOf gives what modules say about their tables: mostly that is being read already.
func (s *sources) schemaOf(dirs []string) func() *schema.Schema {
	if len(dirs) == 1 && dirs[0] == s.root {
		return s.tables
	}
	return sync.OnceValue(func() *schema.Schema { return schema.Find(dirs...) })
}

// settle forgets what nobody has asked for.
func (s *sources) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parsed = map[string]parsed{}
}

// subtrees are the directories that patterns like ./... name with all that is below them.
func subtrees(cfg Config) []string {
	base, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil
	}
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{everything}
	}
	var roots []string
	for _, p := range patterns {
		if dir, ok := strings.CutSuffix(p, "/..."); ok && strings.HasPrefix(p, ".") {
			roots = append(roots, filepath.Join(base, dir))
		}
	}
	return roots
}

// sendDirs sends the directories of one module that the go command looks into.
func sendDirs(ctx context.Context, root string, dirs chan<- string) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return fs.SkipAll
		}
		if !d.IsDir() {
			return nil
		}
		if path != root && passedOver(path) {
			return fs.SkipDir
		}
		select {
		case dirs <- path:
		case <-ctx.Done():
		}
		return nil
	})
}

// passedOver reports whether a directory is unlikely to hold packages of the module.
func passedOver(dir string) bool {
	if schema.Skipped(filepath.Base(dir)) {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil // another module
}
