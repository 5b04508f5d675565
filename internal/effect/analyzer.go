package effect

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// Analyzer makes the effect graphs of one package, links them with those of the packages below it, which come as facts,
// and exports what the packages above may need. It reports nothing itself.
var Analyzer = &analysis.Analyzer{
	Name:       "dmlinteffects",
	Doc:        "reduce functions to their delivery-relevant effects\n\nThe effect graphs are exported as facts, for dmlint's own analyzers.",
	URL:        "https://pkg.go.dev/github.com/dmlint/dmlint",
	Run:        run,
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{(*Fact)(nil)},
}

// A Result is what Analyzer knows of one package.
type Result struct {
	// Package holds the package's own graphs; nil where nothing in it can matter.
	Package *Package
	// Program are these graphs and those of the facts, with interface methods resolved as far as this package can see.
	Program *Program
}

// models reads the built-in models once for all packages that a process analyses.
var models = sync.OnceValues(model.Load)

func run(pass *analysis.Pass) (any, error) {
	files := sources(pass)
	if standard(pass) || len(files) == 0 {
		return &Result{}, nil
	}
	set, err := models()
	if err != nil {
		return nil, err
	}
	u := &unit{pass: pass, models: set, files: files, visible: visible(pass.Pkg)}
	if !u.owned() && partOfLibrary(set, pass.Pkg.Path()) {
		return &Result{}, nil
	}
	if g := u.generator(); g != "" {
		pass.ExportPackageFact(encodeFact(&payload{Packages: []*Package{{Path: pass.Pkg.Path(), Name: pass.Pkg.Name(), Generator: g}}}))
		return &Result{}, nil
	}
	if u.below, err = importFacts(pass, u.visible); err != nil {
		return nil, err
	}
	if !u.canMatter() {
		return &Result{}, nil
	}
	return u.analyse(), nil
}

// unit is one package under analysis.
type unit struct {
	pass    *analysis.Pass
	models  *model.Set
	files   []*ast.File
	visible map[string]*types.Package
	below   *facts
	// interfaces are those of the program in sight, once somebody has asked.
	interfaces []*types.Named
}

// sources are the package's files without its tests: go vet analyses a package together with them.
func sources(pass *analysis.Pass) []*ast.File {
	var files []*ast.File
	for _, f := range pass.Files {
		if !isTest(pass.Fset, f.FileStart) {
			files = append(files, f)
		}
	}
	return files
}

func isTest(fset *token.FileSet, pos token.Pos) bool {
	return strings.HasSuffix(fset.File(pos).Name(), "_test.go")
}

// visible lists the packages that the package's types lead to, by path.
func visible(pkg *types.Package) map[string]*types.Package {
	seen := map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		for _, imp := range p.Imports() {
			if seen[imp.Path()] == nil {
				seen[imp.Path()] = imp
				visit(imp)
			}
		}
	}
	visit(pkg)
	return seen
}

// generator gives the convention of generated code that the package follows, or "".
func (u *unit) generator() string {
	pb := &packageBuilder{Builder: &Builder{Models: u.models}, out: &Package{}}
	for _, f := range u.files {
		if ast.IsGenerated(f) {
			pb.noteGenerator(f)
		}
	}
	return pb.out.Generator
}

// canMatter reports whether there is a point in looking at the package at all: something in sight of it has effects, or
// it is the user's own and may pass on what its callers do.
func (u *unit) canMatter() bool {
	if len(u.below.packages) > 0 || u.owned() {
		return true
	}
	kinds := packageEffects(u.models)
	for path := range u.visible {
		if kinds[path] == delivers || kinds[path] == reaches && u.pass.Module == nil {
			return true
		}
	}
	return false
}

// owned reports whether the package is known to be of a main module, and not of a dependency.
func (u *unit) owned() bool { return u.pass.Module != nil && u.pass.Module.Version == "" }

// analyse builds, links and exports. A panic in there is dmlint's fault and costs what is known of the package.
func (u *unit) analyse() (result *Result) {
	defer func() {
		if p := recover(); p != nil {
			u.warn(u.pass.Pkg.Path(), p)
			result = &Result{}
		}
	}()
	own, ifaces := u.build()
	if own == nil {
		own = &Package{Path: u.pass.Pkg.Path(), Name: u.pass.Pkg.Name()}
	}
	for _, p := range u.below.packages {
		for _, m := range p.Handlers {
			u.addInterface(ifaces, m.Iface)
		}
		for _, g := range p.Graphs {
			eachMethod(g, func(m MethodKey) { u.addInterface(ifaces, m.Iface) })
		}
	}
	linker := &Linker{Models: u.models, Interfaces: ifaces, Types: u.implementers()}
	program := linker.Link(append(u.below.list(), own))
	u.completeTargets(program, ifaces)
	u.export(program, own)
	return &Result{Package: own, Program: program}
}

// export makes the package's fact. Nobody imports a command.
func (u *unit) export(program *Program, own *Package) {
	if u.pass.Pkg.Name() == "main" {
		return
	}
	funcs, methods := u.exposed()
	if p := newKeeper(program, own).payload(funcs, append(methods, u.provide(program)...)); len(p.Packages) > 0 {
		u.pass.ExportPackageFact(encodeFact(p))
	}
}

// build makes the package's SSA and its graphs; a panic in there leaves the package to be known by its types.
func (u *unit) build() (out *Package, ifaces map[string]*types.Interface) {
	ifaces = map[string]*types.Interface{}
	defer func() {
		if p := recover(); p != nil {
			u.warn(u.pass.Pkg.Path(), p)
			out = nil
		}
	}()
	prog := ssa.NewProgram(u.pass.Fset, 0)
	for _, imp := range u.pass.Pkg.Imports() {
		prog.CreatePackage(imp, nil, nil, true)
	}
	pkg := prog.CreatePackage(u.pass.Pkg, u.files, u.info(), false)
	pkg.Build()
	b := &Builder{Models: u.models, Interfaces: ifaces, Program: u.inProgram, Generator: u.below.generator, OnPanic: u.warn}
	return b.Build(Input{SSA: pkg, Fset: u.pass.Fset, Files: u.files, ReadFile: u.pass.ReadFile}), ifaces
}

// info is the package's type information without the variables that tests declare, which SSA would look for.
func (u *unit) info() *types.Info {
	info := *u.pass.TypesInfo
	info.InitOrder = slices.DeleteFunc(slices.Clone(info.InitOrder), func(init *types.Initializer) bool {
		return isTest(u.pass.Fset, init.Rhs.Pos())
	})
	return &info
}

func (u *unit) warn(function string, reason any) {
	fmt.Fprintf(os.Stderr, "dmlint: warning: internal error while analysing %s: %v; please report it\n", function, reason)
}

// inProgram reports whether the functions of a package have graphs: those for which there are some, and all of the
// module's own, where a function without a graph is known to do nothing.
func (u *unit) inProgram(path string) bool {
	if p := u.below.packages[path]; p != nil {
		return p.Generator == ""
	}
	if partOfLibrary(u.models, path) {
		return false
	}
	if m := u.pass.Module; u.owned() && (path == m.Path || strings.HasPrefix(path, m.Path+"/")) {
		return true
	}
	return !hasDomain(path) && !standardPath(path)
}

// implementers are the packages whose types can implement interfaces: this one, those with graphs, and libraries that
// have a model.
func (u *unit) implementers() []*types.Package {
	out := []*types.Package{u.pass.Pkg}
	for _, path := range sortedKeys(u.visible) {
		p := u.below.packages[path]
		if p != nil && p.Generator == "" || p == nil && u.models.HasPackage(path) {
			out = append(out, u.visible[path])
		}
	}
	return out
}

// addInterface looks up the interface behind the name in a graph of another package. One whose package is out of sight
// stays unknown: then only the implementations that the facts name are followed.
func (u *unit) addInterface(ifaces map[string]*types.Interface, name string) {
	dot := strings.LastIndexByte(name, '.')
	if ifaces[name] != nil || dot < 0 || u.visible[name[:dot]] == nil {
		return
	}
	tn, ok := u.visible[name[:dot]].Scope().Lookup(name[dot+1:]).(*types.TypeName)
	if !ok {
		return
	}
	if iface, ok := tn.Type().Underlying().(*types.Interface); ok {
		ifaces[name] = iface
	}
}
