package effect

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/dmlint/dmlint/internal/model"
)

// standardRoots are the first elements of the standard library's import paths. A user's module can have a name without
// a dot, so that the absence of one does not tell.
var standardRoots = strings.Fields(`archive bufio builtin bytes cmd cmp compress container context crypto database debug
	embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin
	reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time unicode unique unsafe
	vendor weak`)

func standard(pass *analysis.Pass) bool {
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Path == "std" || m.Path == "cmd"
	}
	return standardPath(pass.Pkg.Path())
}

func standardPath(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return slices.Contains(standardRoots, first)
}

func hasDomain(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// partOfLibrary reports whether a package is a modelled library or lies below one: the models say what it does.
func partOfLibrary(set *model.Set, path string) bool {
	for hasDomain(path) {
		if set.HasPackage(path) {
			return true
		}
		slash := strings.LastIndexByte(path, '/')
		if slash < 0 {
			break
		}
		path = path[:slash]
	}
	return false
}

// effectClass says what the rows of a package can do.
type effectClass uint8

const (
	nothing  effectClass = iota
	reaches              // external calls and caches only: net/http is everywhere
	delivers             // anything else that has an effect
)

var packageEffects = func() func(set *model.Set) map[string]effectClass {
	var once sync.Once
	classes := map[string]effectClass{}
	return func(set *model.Set) map[string]effectClass {
		once.Do(func() {
			for symbol, row := range set.Rows {
				path := model.PackageOf(symbol)
				if hasDomain(path) || !row.Effect.OfKey() { // sync is everywhere
					classes[path] = max(classes[path], classOf(row.Effect))
				}
			}
		})
		return classes
	}
}()

func classOf(e model.Effect) effectClass {
	switch e {
	case model.Ignore, model.Builder, model.Handle, model.Construct, model.Lock, model.Wait:
		return nothing
	case model.External, model.Lookup, model.Remember, model.Claim, model.Count:
		return reaches
	}
	return delivers
}

// facts are the graphs of the packages below, put together from the facts of imports.
type facts struct {
	packages map[string]*Package
	targets  map[MethodKey][]FuncID
	library  map[FuncID]*Graph
}

// importFacts reads the facts of all packages in sight.
func importFacts(pass *analysis.Pass, visible map[string]*types.Package) (*facts, error) {
	fs := &facts{packages: map[string]*Package{}, targets: map[MethodKey][]FuncID{}, library: map[FuncID]*Graph{}}
	for _, path := range sortedKeys(visible) {
		var fact Fact
		if !pass.ImportPackageFact(visible[path], &fact) {
			continue
		}
		p, err := fact.payload()
		if err != nil {
			return nil, &FactError{path, err}
		}
		fs.add(p)
	}
	return fs, nil
}

// A FactError is a fact that cannot be used.
type FactError struct {
	Package string
	Err     error
}

// Error implements error.
func (e *FactError) Error() string { return e.Package + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *FactError) Unwrap() error { return e.Err }

// add merges a fact: several can speak for the same package below them, each with the graphs that it needs.
func (fs *facts) add(p *payload) {
	for _, pkg := range p.Packages {
		have := fs.packages[pkg.Path]
		if have == nil {
			have = &Package{Path: pkg.Path, Name: pkg.Name, Files: pkg.Files, Generator: pkg.Generator, Harness: pkg.Harness,
				Handlers: pkg.Handlers}
			fs.packages[pkg.Path] = have
		}
		if have.Files == nil {
			have.Files = pkg.Files
		}
		have.Graphs = append(have.Graphs, pkg.Graphs...)
	}
	for _, t := range p.Targets {
		fs.targets[t.Method] = append(fs.targets[t.Method], t.Funcs...)
	}
	for _, g := range p.Library {
		fs.library[g.ID] = g
	}
}

// list gives the packages, each graph once.
func (fs *facts) list() []*Package {
	out := make([]*Package, 0, len(fs.packages)+1)
	for _, path := range sortedKeys(fs.packages) {
		p := fs.packages[path]
		seen := map[FuncID]bool{}
		p.Graphs = slices.DeleteFunc(p.Graphs, func(g *Graph) bool {
			defer func() { seen[g.ID] = true }()
			return seen[g.ID]
		})
		slices.SortStableFunc(p.Graphs, func(a, b *Graph) int { return strings.Compare(string(a.ID), string(b.ID)) })
		out = append(out, p)
	}
	return out
}

func (fs *facts) generator(path string) string {
	if p := fs.packages[path]; p != nil {
		return p.Generator
	}
	return ""
}

func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
