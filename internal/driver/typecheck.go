package driver

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/dmlint/dmlint/internal/model"
)

// checker type-checks packages in dependency order, several at a time. Dependencies come from export data where the
// build cache has it, else from source without function bodies.
type checker struct {
	fset      *token.FileSet
	models    *model.Set
	patterns  []string // the comments of modelled generators
	mu        sync.Mutex
	types     map[string]*types.Package // also what export data refers to; guarded by mu
	results   map[*packages.Package]*result
	slots     chan struct{}
	entrance  *entrance
	sources   *sources
	goVersion string
}

type result struct {
	done  chan struct{}
	pkg   *types.Package
	entry *loaded
}

// load lists and type-checks everything.
func load(roots []*packages.Package, models *model.Set, src *sources) *universe {
	fset := src.fset
	c := &checker{fset: fset, sources: src, models: models, patterns: generators(models), entrance: newEntrance(fset), types: map[string]*types.Package{"unsafe": types.Unsafe},
		results: map[*packages.Package]*result{}, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	order := c.order(roots)
	for _, p := range order {
		c.results[p] = &result{done: make(chan struct{})}
	}
	for _, p := range order {
		go c.run(p)
	}
	u := &universe{fset: fset, matched: map[string]bool{}, byPath: c.types, ssa: c.entrance.of}
	for _, p := range order {
		r := c.results[p]
		<-r.done
		if r.entry != nil {
			u.module = append(u.module, r.entry)
			u.errs = append(u.errs, r.entry.errs...)
		}
	}
	c.sources.settle()
	c.entrance.finish(u)
	for _, p := range roots {
		u.matched[p.PkgPath] = true
		if r := c.results[p]; r == nil {
			u.errs = append(u.errs, listErrors(p)...)
		}
	}
	return u
}

// order lists the packages that have to be loaded, imports first: the module's own, and of the others what they import
// (all of that where there is no export data).
func (c *checker) order(roots []*packages.Package) []*packages.Package {
	var order []*packages.Package
	seen := map[*packages.Package]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if seen[p] || p.PkgPath == "unsafe" {
			return
		}
		seen[p] = true
		if inModule(p) || p.ExportFile == "" {
			for _, imp := range sortedImports(p) {
				visit(imp)
			}
		}
		order = append(order, p)
	}
	for _, p := range roots {
		visit(p)
	}
	return order
}

func (c *checker) run(p *packages.Package) {
	r := c.results[p]
	defer close(r.done)
	for _, imp := range p.Imports {
		if dep := c.results[imp]; dep != nil {
			<-dep.done
		}
	}
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	switch {
	case inModule(p):
		r.entry = c.checkModule(p)
		r.pkg = r.entry.types
		c.entrance.enter(r.entry)
	case p.ExportFile != "":
		if r.pkg = c.readExport(p); r.pkg == nil {
			r.pkg = c.checkStripped(p)
		}
	default:
		r.pkg = c.checkStripped(p)
	}
	if r.entry == nil {
		c.entrance.library(r.pkg)
	}
	c.mu.Lock()
	c.types[p.PkgPath] = r.pkg
	c.mu.Unlock()
}

// readExport reads a dependency's types from the build cache.
func (c *checker) readExport(p *packages.Package) *types.Package {
	f, err := os.Open(p.ExportFile)
	if err != nil {
		return nil
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil
	}
	c.mu.Lock() // export data shares the map of packages
	defer c.mu.Unlock()
	pkg, err := gcexportdata.Read(r, c.fset, c.types, p.PkgPath)
	if err != nil {
		return nil
	}
	return pkg
}

// importer resolves the imports of one package.
type importer struct {
	c *checker
	p *packages.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	dep := i.p.Imports[path]
	if dep == nil {
		return nil, fmt.Errorf("package %s is not known to the go command", path)
	}
	if r := i.c.results[dep]; r != nil && r.pkg != nil {
		return r.pkg, nil
	}
	return nil, fmt.Errorf("package %s could not be loaded", path)
}

func (c *checker) config(p *packages.Package, onError func(error), bodies bool) *types.Config {
	cfg := &types.Config{Importer: importer{c, p}, Error: onError, IgnoreFuncBodies: !bodies, FakeImportC: true,
		Sizes: types.SizesFor("gc", runtime.GOARCH)}
	if p.Module != nil && p.Module.GoVersion != "" {
		cfg.GoVersion = "go" + p.Module.GoVersion
	}
	return cfg
}

// checkStripped type-checks a dependency without its function bodies and drops its syntax.
func (c *checker) checkStripped(p *packages.Package) *types.Package {
	var files []*ast.File
	for _, name := range p.GoFiles {
		if f, _ := parser.ParseFile(c.fset, name, nil, parser.SkipObjectResolution); f != nil {
			strip(f)
			files = append(files, f)
		}
	}
	pkg, _ := c.config(p, func(error) {}, false).Check(p.PkgPath, c.fset, files, nil)
	return pkg
}

// strip takes the bodies out of a file's functions.
func strip(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}

// checkModule type-checks a package of the user's with everything that its analysis needs.
func (c *checker) checkModule(p *packages.Package) *loaded {
	l := &loaded{meta: p, errs: listErrors(p)}
	for _, name := range p.GoFiles {
		f, err := c.sources.file(name)
		if err != nil {
			l.errs = append(l.errs, PackageError{p.PkgPath, firstError(err)})
		}
		if f != nil {
			l.files = append(l.files, f)
		}
	}
	if l.generator = c.generatorOf(l.files); l.generator == "" && c.inert(p, l.files) {
		l.generator = inertCode
	}
	if l.generator != "" {
		for _, f := range l.files {
			strip(f)
		}
	}
	c.check(p, l)
	return l
}

// check type-checks; functions with errors of their own lose their bodies, so that the rest can still be analysed.
func (c *checker) check(p *packages.Package, l *loaded) {
	errs := c.attempt(p, l)
	if len(errs) == 0 {
		return
	}
	l.errs = append(l.errs, PackageError{p.PkgPath, summarise(errs)})
	if c.dropBroken(l.files, errs) {
		c.attempt(p, l) // what is left stands in declarations: the functions that use them are lost, no others
	}
}

func (c *checker) attempt(p *packages.Package, l *loaded) []types.Error {
	var errs []types.Error
	onError := func(err error) {
		var te types.Error
		if errors.As(err, &te) && !te.Soft && !harmless(te.Msg) {
			errs = append(errs, te)
		}
	}
	l.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{}}
	l.types, _ = c.config(p, onError, l.generator == "").Check(p.PkgPath, c.fset, l.files, l.info)
	return errs
}

// harmless errors come from bodies that were taken out.
func harmless(msg string) bool {
	return strings.Contains(msg, "imported and not used") || strings.Contains(msg, "missing function body") || strings.Contains(msg, "func init must have a body") || strings.Contains(msg, "declared and not used")
}

// dropBroken removes the bodies of the functions that errors stand in; it reports whether every error stood in one.
func (c *checker) dropBroken(files []*ast.File, errs []types.Error) bool {
	for _, err := range errs {
		for _, f := range files {
			if err.Pos < f.FileStart || err.Pos > f.FileEnd {
				continue
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Body.Pos() <= err.Pos && err.Pos <= fn.Body.End() {
					fn.Body = nil
				}
			}
		}
	}
	return true
}

func (c *checker) generatorOf(files []*ast.File) string {
	for _, f := range files {
		for _, group := range f.Comments {
			if group.Pos() > f.Package {
				break
			}
			for _, comment := range group.List {
				for _, g := range c.patterns {
					if strings.Contains(comment.Text, g) {
						return g
					}
				}
			}
		}
	}
	return ""
}

// inertCode is the generator of packages that nobody needs the bodies of, although no pattern models them.
const inertCode = "inert"

// inert reports whether a package is generated throughout and has nothing at hand that a model is about, nor anything
// else of the module's: messages and stubs of protocols. It is then as good as a library without a model.
func (c *checker) inert(p *packages.Package, files []*ast.File) bool {
	for _, imp := range p.Imports {
		if c.models.HasPackage(imp.PkgPath) {
			return false
		}
		if r := c.results[imp]; inModule(imp) && (r == nil || r.entry == nil || r.entry.generator != inertCode) {
			return false
		}
	}
	return len(files) > 0 && !slices.ContainsFunc(files, func(f *ast.File) bool { return !ast.IsGenerated(f) })
}

// listErrors are what the go command said of a package, without what the probe caused.
func listErrors(p *packages.Package) []PackageError {
	var errs []PackageError
	for _, e := range p.Errors {
		if strings.Contains(e.Msg, "toolexec") || strings.Contains(e.Msg, "exit status 1") || strings.Contains(e.Msg, "build failed") {
			continue
		}
		errs = append(errs, PackageError{p.PkgPath, firstLines(e.Msg, 2)})
	}
	return slices.Compact(errs)
}

func firstError(err error) string { return firstLines(err.Error(), 1) }

func summarise(errs []types.Error) string {
	msg := errs[0].Fset.Position(errs[0].Pos).String() + ": " + errs[0].Msg
	if len(errs) > 1 {
		msg += fmt.Sprintf(" (and %d more)", len(errs)-1)
	}
	return msg
}
