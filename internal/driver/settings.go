package driver

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/dmlint/dmlint/internal/config"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/nearest"
)

// settings are what the user says of the module, in the words of the engine.
type settings struct {
	config   *config.Config
	problems config.Problems
	handlers map[effect.FuncID]bool
}

// readSettings reads the user's file. Its problems are an error at once, unless names of functions in it are still to be
// looked up: then all problems are to be said together.
func readSettings(root, dir string) (*settings, error) {
	c, problems, err := config.Load(root, dir)
	if err != nil {
		return nil, err
	}
	s := &settings{config: c, problems: problems, handlers: map[effect.FuncID]bool{}}
	if len(c.Handlers) > 0 {
		return s, nil
	}
	return s, s.failure()
}

func (s *settings) failure() error {
	if len(s.problems) == 0 {
		return nil
	}
	return s.problems
}

// resolve looks the functions up that are named in the file.
func (s *settings) resolve(roots []*packages.Package) error {
	if len(s.config.Handlers) == 0 {
		return nil
	}
	d := newDeclared(roots)
	for _, h := range s.config.Handlers {
		id := model.Normalise(h.Text)
		if _, ok := d.of(model.PackageOf(id))[id]; ok {
			s.handlers[effect.FuncID(id)] = true
			continue
		}
		s.problems = append(s.problems, config.Problem{File: s.config.File, Line: h.Line, Column: h.Column, Message: d.missing(h.Text)})
	}
	s.problems.Sort()
	return s.failure()
}

// declared finds the functions of the user's modules by syntax alone, whatever patterns and build tags leave out: a name
// in the file must not become wrong by looking at a part of the module.
type declared struct {
	files map[string][]string // of the packages that were listed
	// modules are the directories of the modules, by path.
	modules map[string]string
	found   map[string]map[string]string
}

func newDeclared(roots []*packages.Package) *declared {
	d := &declared{files: map[string][]string{}, modules: map[string]string{}, found: map[string]map[string]string{}}
	for p := range packages.Postorder(roots) {
		if !inModule(p) {
			continue
		}
		d.files[p.PkgPath] = slices.Concat(p.GoFiles, p.IgnoredFiles)
		if dir := moduleDir(p.Module); dir != "" {
			d.modules[p.Module.Path] = dir
		}
	}
	return d
}

// of gives the functions of a package, methods of interfaces among them: normalised symbols, with the symbols as people
// write them.
func (d *declared) of(pkg string) map[string]string {
	if found, ok := d.found[pkg]; ok {
		return found
	}
	files, ok := d.files[pkg]
	if !ok {
		files = d.inDirectory(pkg)
	}
	found := map[string]string{}
	for _, name := range files {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution) // what is wrong is said when it is analysed
		if f != nil {
			for _, symbol := range symbols(pkg, f) {
				found[model.Normalise(symbol)] = symbol
			}
		}
	}
	d.found[pkg] = found
	return found
}

// inDirectory lists the files of a package that no pattern and no import leads to.
func (d *declared) inDirectory(pkg string) []string {
	for module := pkg; module != "." && module != "/"; module = path.Dir(module) {
		dir, ok := d.modules[module]
		if !ok {
			continue
		}
		dir = filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(pkg, module)))
		entries, _ := os.ReadDir(dir) // no directory, no functions
		var names []string
		for _, e := range entries {
			names = append(names, filepath.Join(dir, e.Name()))
		}
		return names
	}
	return nil
}

// symbols lists the functions that a file declares.
func symbols(pkg string, f *ast.File) []string {
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if s := symbolOf(pkg, d); s != "" {
				out = append(out, s)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok {
					out = append(out, methodsOf(pkg, ts)...)
				}
			}
		}
	}
	return out
}

// symbolOf names a function as models do; "" where its receiver is no type.
func symbolOf(pkg string, d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return pkg + "." + d.Name.Name
	}
	t, star := ast.Unparen(d.Recv.List[0].Type), ""
	if p, ok := t.(*ast.StarExpr); ok {
		t, star = ast.Unparen(p.X), "*"
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	name, _ := t.(*ast.Ident)
	if name == nil {
		return ""
	}
	return fmt.Sprintf("(%s%s.%s).%s", star, pkg, name.Name, d.Name.Name)
}

// methodsOf lists the methods of an interface.
func methodsOf(pkg string, ts *ast.TypeSpec) []string {
	it, ok := ts.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	var out []string
	for _, m := range it.Methods.List {
		for _, name := range m.Names {
			out = append(out, fmt.Sprintf("(%s.%s).%s", pkg, ts.Name.Name, name.Name))
		}
	}
	return out
}

// missing says that there is no such function, and which one was probably meant: one that is spelt nearly alike, or else
// one of the same name elsewhere.
func (d *declared) missing(symbol string) string {
	d.of(model.PackageOf(model.Normalise(symbol)))
	for pkg := range d.files {
		d.of(pkg)
	}
	written := map[string]string{} // by the plain name
	for _, found := range d.found {
		for _, s := range found {
			written[plainSymbol(s)] = s
		}
	}
	message := fmt.Sprintf("there is no function %s in the module", symbol)
	if near := likeliest(plainSymbol(symbol), written); near != "" {
		message += fmt.Sprintf(": did you mean %s?", near)
	}
	return message
}

// plainSymbol writes a symbol without parentheses and star, which are easily forgotten.
func plainSymbol(symbol string) string {
	return strings.NewReplacer("(", "", ")", "").Replace(model.Normalise(symbol))
}

// likeliest picks the symbol that a plain name was meant to be. What follows the last slash counts first, so that a long
// path does not make everything in it alike.
func likeliest(plain string, written map[string]string) string {
	end := func(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	var ends []string
	for s := range written {
		ends = append(ends, end(s))
	}
	wanted, part := last(plain), last
	if near := nearest.Names(end(plain), ends); len(near) > 0 {
		wanted, part = near[0], end
	}
	var fit []string
	for s := range written {
		if part(s) == wanted {
			fit = append(fit, s)
		}
	}
	if near := nearest.Names(plain, fit); len(near) > 0 {
		return written[near[0]]
	}
	if len(fit) == 0 {
		return ""
	}
	return written[slices.Min(fit)]
}
