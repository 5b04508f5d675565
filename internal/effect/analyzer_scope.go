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
	for ; hasDomain(path); path = path[:strings.LastIndexByte(path, '/')] {
		if set.HasPackage(path) {
			return true
		}
		if !strings.Contains(path, "/") {
			break
		}
	}
	return false
}

// effectClass says what the rows of a package can do.
type effectClass uint8

const (
	nothing  effectClass = iota
	reaches              // external calls only: net/http is everywhere
	delivers             // anything else that has an effect
)

var packageEffects = func() func(set *model.Set) map[string]effectClass {
	var once sync.Once
	classes := map[string]effectClass{}
	return func(set *model.Set) map[string]effectClass {
		once.Do(func() {
			for symbol, row := range set.Rows {
				path := model.PackageOf(symbol)
				classes[path] = max(classes[path], classOf(row.Effect))
			}
		})
		return classes
	}
}()

func classOf(e model.Effect) effectClass {
	switch e {
	case model.Ignore, model.Builder, model.Handle, model.Construct, model.Lock:
		return nothing
	case model.External:
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
			have = &Package{Path: pkg.Path, Name: pkg.Name, Files: pkg.Files, Generator: pkg.Generator, Harness: pkg.Harness}
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

// complete adds to a linked program what the facts know of interface methods and this package cannot see.
func (fs *facts) complete(program *Program) {
	for _, id := range sortedKeys(fs.library) {
		if program.Graphs[id] == nil {
			program.Graphs[id] = fs.library[id]
		}
	}
	for m, ids := range fs.targets {
		have, asked := program.Targets[m]
		if !asked {
			continue
		}
		for _, id := range ids {
			if program.Graphs[id] != nil {
				have = append(have, id)
			}
		}
		slices.Sort(have)
		program.Targets[m] = slices.Compact(have)
	}
}

func (fs *facts) generator(path string) string {
	if p := fs.packages[path]; p != nil {
		return p.Generator
	}
	return ""
}

func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// exposed lists the functions of other packages that callers can reach through this package's types without importing
// theirs: the methods of what its exported functions, variables and fields give.
func (u *unit) exposed() []FuncID {
	e := &exposure{below: u.below, own: u.pass.Pkg, seen: map[types.Type]bool{}, named: map[string]bool{}}
	scope := u.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj.Exported() {
			e.visit(obj.Type())
		}
	}
	var ids []FuncID
	for _, p := range u.below.packages {
		for _, g := range p.Graphs {
			if recv, ok := receiverType(g.ID); ok && e.named[recv] {
				ids = append(ids, g.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// receiverType takes "pkg.T" out of the name of a method "(pkg.T).M", its closures included.
func receiverType(id FuncID) (string, bool) {
	rest, ok := strings.CutPrefix(string(id), "(")
	end := strings.IndexByte(rest, ')')
	if !ok || end < 0 {
		return "", false
	}
	return rest[:end], true
}

// exposure walks over types as far as callers can get.
type exposure struct {
	below *facts
	own   *types.Package
	seen  map[types.Type]bool
	named map[string]bool // the types of other packages with graphs
}

func (e *exposure) visit(t types.Type) {
	t = types.Unalias(t)
	if e.seen[t] {
		return
	}
	e.seen[t] = true
	switch t := t.(type) {
	case *types.Pointer:
		e.visit(t.Elem())
	case *types.Slice:
		e.visit(t.Elem())
	case *types.Array:
		e.visit(t.Elem())
	case *types.Chan:
		e.visit(t.Elem())
	case *types.Map:
		e.visit(t.Key())
		e.visit(t.Elem())
	case *types.Signature:
		e.visitTuple(t.Results())
		e.visitCallbacks(t.Params())
	case *types.Interface:
		for m := range t.Methods() {
			e.visit(m.Signature())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				e.visit(f.Type())
			}
		}
	case *types.Named:
		e.visitNamed(t)
	}
}

func (e *exposure) visitTuple(t *types.Tuple) {
	for v := range t.Variables() {
		e.visit(v.Type())
	}
}

// visitCallbacks visits what the functions that a caller passes are given.
func (e *exposure) visitCallbacks(params *types.Tuple) {
	for v := range params.Variables() {
		if fn, ok := v.Type().Underlying().(*types.Signature); ok {
			e.visitTuple(fn.Params())
		}
	}
}

func (e *exposure) visitNamed(t *types.Named) {
	pkg := t.Obj().Pkg()
	if pkg == nil || pkg != e.own && e.below.packages[pkg.Path()] == nil {
		return
	}
	if pkg != e.own {
		e.named[typeName(t)] = true
	}
	for a := range t.TypeArgs().Types() {
		e.visit(a)
	}
	for m := range t.Methods() {
		if m.Exported() {
			e.visit(m.Signature())
		}
	}
	e.visit(t.Underlying())
}
