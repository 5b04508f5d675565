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
	models *model.Set
	module map[string]*loaded
	mu     sync.Mutex // guards what follows
	errs   []PackageError
	ifaces map[string]*types.Interface
	values map[effect.FuncID]*types.Func // library methods used as values
}

// build gives the effect graphs of the module's packages and what is needed to link them. SSA is made, reduced to graphs
// and dropped package by package, with the syntax and types that it was made from: at no time is all of it in memory.
func build(u *universe, models *model.Set, res *Result) ([]*effect.Package, *effect.Linker) {
	b := &builder{models: models, module: map[string]*loaded{}, ifaces: map[string]*types.Interface{}, values: map[effect.FuncID]*types.Func{}}
	for _, l := range u.module {
		b.module[l.meta.PkgPath] = l
	}
	b.rehearse(u)
	ssaOf := createPackages(ssa.NewProgram(u.fset, ssa.BuilderMode(0)), u, b.module)
	graphs := make([]*effect.Package, len(u.module))
	inOrder(u.module, func(i int) {
		l := u.module[i]
		if pkg := ssaOf[l]; pkg != nil && b.buildSSA(pkg, l) {
			graphs[i] = b.graphs(u, l, pkg)
			effect.Forget(pkg)
		}
		l.forget()
	})
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

// buildSSA builds one package's SSA; a panic there costs that package only.
func (b *builder) buildSSA(pkg *ssa.Package, l *loaded) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			b.fail(l.meta.PkgPath, fmt.Sprintf("could not be analysed: %v", p))
			ok = false
		}
	}()
	pkg.Build()
	return true
}

// graphs makes the effect graphs of one package.
func (b *builder) graphs(u *universe, l *loaded, pkg *ssa.Package) *effect.Package {
	eb := &effect.Builder{Models: b.models, Interfaces: map[string]*types.Interface{},
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

// createPackages enters every package into the SSA program: those of the module with their syntax, all else by types
// only. A package that is imported and missing would make the builder panic.
func createPackages(prog *ssa.Program, u *universe, module map[string]*loaded) map[*loaded]*ssa.Package {
	built := map[*loaded]*ssa.Package{}
	for _, l := range u.module {
		if l.builds() {
			if pkg := createPackage(prog, l); pkg != nil {
				built[l] = pkg
			}
		}
	}
	for _, path := range sortedPaths(u.byPath) {
		if p := u.byPath[path]; p != nil && prog.Package(p) == nil {
			prog.CreatePackage(p, nil, nil, true)
		}
	}
	for _, l := range u.module { // what stands for an import that could not be loaded
		if l.types == nil {
			continue
		}
		for _, imp := range l.types.Imports() {
			if prog.Package(imp) == nil {
				prog.CreatePackage(imp, nil, nil, true)
			}
		}
	}
	return built
}

// createPackage enters a package with its syntax; nil where its declarations are too broken for that.
func createPackage(prog *ssa.Program, l *loaded) (pkg *ssa.Package) {
	defer func() {
		if recover() != nil {
			pkg = nil
		}
	}()
	return prog.CreatePackage(l.types, l.files, l.info, false)
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
