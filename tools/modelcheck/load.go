// Package modelcheck holds the test that every shipped row of package model names something that its library has.
//
// It is a module of its own, so that dmlint does not depend on the 160 libraries that it knows. Types are read from
// source with function bodies cut out: nothing is compiled, and a package that needs cgo can be read without it.
package modelcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// A listed package, as go list prints it.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	ImportMap  map[string]string
	Error      *struct{ Err string }
}

// A Loader type-checks declarations of packages, each when it is first asked for.
type Loader struct {
	listed map[string]*listed
	typed  map[string]*types.Package
	errs   map[string]error
	sizes  types.Sizes
	fset   *token.FileSet
}

// NewLoader asks the go command where the packages and all that they import are.
func NewLoader(paths []string) (*Loader, error) {
	args := append([]string{"list", "-e", "-deps", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,ImportMap,Error", "--"}, paths...)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	l := &Loader{
		listed: map[string]*listed{},
		typed:  map[string]*types.Package{"unsafe": types.Unsafe},
		errs:   map[string]error{},
		sizes:  types.SizesFor("gc", "amd64"),
		fset:   token.NewFileSet(),
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return l, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		l.listed[p.ImportPath] = &p
	}
}

// Package gives the declarations of one package.
func (l *Loader) Package(path string) (*types.Package, error) {
	if pkg := l.typed[path]; pkg != nil {
		return pkg, l.errs[path]
	}
	p := l.listed[path]
	if p == nil {
		return nil, fmt.Errorf("%s: not listed", path)
	}
	if p.Error != nil {
		return nil, fmt.Errorf("%s: %s", path, p.Error.Err)
	}
	var files []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		f, err := parser.ParseFile(l.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		l.strip(p, f)
		files = append(files, f)
	}
	var first error
	conf := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         importer{l, p},
		Sizes:            l.sizes,
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	pkg, _ := conf.Check(path, l.fset, files, nil)
	if first != nil {
		l.errs[path] = fmt.Errorf("%s: %w", path, first)
	}
	l.typed[path] = pkg
	return pkg, l.errs[path]
}

// strip cuts function bodies out of f, and then the imports that only they needed: these are most.
func (l *Loader) strip(p *listed, f *ast.File) {
	used := map[string]bool{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			fn.Body = new(ast.BlockStmt) // empty, not nil: init and generic functions must have one
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			return false
		}
		kept := gen.Specs[:0]
		for _, s := range gen.Specs {
			spec := s.(*ast.ImportSpec)
			name := ""
			if spec.Name != nil {
				name = spec.Name.Name
			} else if dep := l.listed[p.resolve(importPath(spec))]; dep != nil {
				name = dep.Name
			}
			if name == "." || used[name] || spec.Path.Value == `"C"` {
				kept = append(kept, spec)
			}
		}
		gen.Specs = kept
		return len(kept) == 0
	})
}

func importPath(spec *ast.ImportSpec) string { return spec.Path.Value[1 : len(spec.Path.Value)-1] }

// resolve gives the package that an import path means in p: the standard library has vendored packages.
func (p *listed) resolve(path string) string {
	if to, ok := p.ImportMap[path]; ok {
		return to
	}
	return path
}

type importer struct {
	l *Loader
	p *listed
}

// Import gives what there is of a package: an error in a dependency is no reason to know nothing of its dependants.
func (i importer) Import(path string) (*types.Package, error) {
	pkg, err := i.l.Package(i.p.resolve(path))
	if pkg != nil {
		return pkg, nil
	}
	return nil, err
}
