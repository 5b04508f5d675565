package driver

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// builder makes SSA and effect graphs of the module's packages, several at a time.
type builder struct {
	models   *model.Set
	module   map[string]*loaded
	handlers map[effect.FuncID]bool // that the user names
	mu       sync.Mutex             // guards what follows
	errs     []PackageError
	ifaces   map[string]*types.Interface
	values   map[effect.FuncID]*types.Func // library methods used as values
}

// build gives the effect graphs of the module's packages and what is needed to link them. SSA is made, reduced to graphs
// and dropped package by package, with the syntax and types that it was made from: at no time is all of it in memory.
func build(u *universe, models *model.Set, handlers map[effect.FuncID]bool, res *Result) ([]*effect.Package, *effect.Linker) {
	b := &builder{models: models, handlers: handlers, module: map[string]*loaded{}, ifaces: map[string]*types.Interface{}, values: map[effect.FuncID]*types.Func{}}
	for _, l := range u.module {
		b.module[l.meta.PkgPath] = l
	}
	graphs := make([]*effect.Package, len(u.module))
	inOrder(u.module, func(i int) { b.make(u, u.module[i]) }, func(i int) {
		l := u.module[i]
		if pkg := b.make(u, l); pkg != nil {
			graphs[i] = b.graphs(u, l, pkg)
			effect.Forget(pkg)
		}
		l.forget()
	})
	u.ssa = nil
	slices.SortFunc(b.errs, func(x, y PackageError) int { return compareErrors(x, y) })
	res.Errors = append(res.Errors, b.errs...)
	packages := slices.DeleteFunc(graphs, func(p *effect.Package) bool { return p == nil })
	return packages, &effect.Linker{Models: models, Interfaces: b.ifaces, Library: b.values, Types: implementers(u, models)}
}

func (b *builder) fail(pkg, message string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errs = append(b.errs, PackageError{pkg, message})
}

// make makes a package's SSA, if that can be done. What is made already is not made again.
func (b *builder) make(u *universe, l *loaded) *ssa.Package {
	pkg := u.ssa[l]
	if pkg == nil || !l.builds() {
		return nil
	}
	if reason := buildSSA(pkg); reason != "" {
		b.fail(l.meta.PkgPath, reason)
		l.info = nil // a second try would seem to succeed
		return nil
	}
	return pkg
}

// graphs makes the effect graphs of one package.
func (b *builder) graphs(u *universe, l *loaded, pkg *ssa.Package) *effect.Package {
	eb := &effect.Builder{Models: b.models, Handlers: b.handlers, Interfaces: map[string]*types.Interface{},
		Program: func(path string) bool { l := b.module[path]; return l != nil && l.generator == "" },
		Generator: func(path string) string {
			if l := b.module[path]; l != nil {
				return l.generator
			}
			return ""
		},
		OnPanic: func(fn string, reason any) {
			b.fail(fn, fmt.Sprintf("internal error while analysing it: %v; please report it", reason))
		},
	}
	graphs := eb.Build(effect.Input{SSA: pkg, Fset: u.fset, Files: l.files, ReadFile: os.ReadFile})
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.Copy(b.ifaces, eb.Interfaces)
	maps.Copy(b.values, eb.Library)
	return graphs
}

func sortedPaths(m map[string]*types.Package) []string {
	paths := make([]string, 0, len(m))
	for path := range m {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// implementers are the packages whose types can implement the program's interfaces: the module's own, and libraries
// that have a model.
func implementers(u *universe, models *model.Set) []*types.Package {
	var out []*types.Package
	for _, l := range u.module {
		if l.types != nil && l.generator == "" {
			out = append(out, l.types)
		}
	}
	for _, path := range sortedPaths(u.byPath) {
		if p := u.byPath[path]; p != nil && models.HasPackage(path) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
