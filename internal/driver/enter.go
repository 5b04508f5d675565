package driver

import (
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// An entrance enters packages into the SSA program as soon as their types are known, while others are still being
// type-checked: those of the module with their syntax, all else by types only. Nothing is built meanwhile, since the
// builder reads what is written here.
type entrance struct {
	fset *token.FileSet
	mu   sync.Mutex // guards what follows
	prog *ssa.Program
	of   map[*loaded]*ssa.Package
	// suspect are the packages with errors, and those that import such.
	suspect map[*types.Package]bool
}

func newEntrance(fset *token.FileSet) *entrance {
	return &entrance{fset: fset, prog: ssa.NewProgram(fset, ssa.BuilderMode(0)), of: map[*loaded]*ssa.Package{}, suspect: map[*types.Package]bool{}}
}

// enter enters a package of the module, after what it imports. One that SSA cannot be made of counts by its types only.
func (e *entrance) enter(l *loaded) {
	if l.types == nil {
		return
	}
	if e.suspects(l) && l.builds() {
		if reason := e.rehearse(l); reason != "" {
			l.lose(reason)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if l.builds() {
		if pkg := createPackage(e.prog, l); pkg != nil {
			e.of[l] = pkg
			return
		}
	}
	e.declare(l.types)
}

// lose gives a package up. What is wrong with it has mostly been said: then there is no need to say it in other words.
func (l *loaded) lose(reason string) {
	if last := len(l.errs) - 1; last >= 0 {
		l.errs[last].Message += "; nothing of it was analysed"
	} else {
		l.errs = append(l.errs, PackageError{l.meta.PkgPath, reason})
	}
	l.info = nil
}

// library enters a package that is known by its types only.
func (e *entrance) library(p *types.Package) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.declare(p)
}

// declare is library for who holds the lock.
func (e *entrance) declare(p *types.Package) {
	if p != nil && e.prog.Package(p) == nil {
		e.prog.CreatePackage(p, nil, nil, true)
	}
}

// finish enters what is left: packages that export data mentions, and what stands for imports that could not be loaded.
// One that is imported and missing would make the builder panic.
func (e *entrance) finish(u *universe) {
	for _, path := range sortedPaths(u.byPath) {
		e.library(u.byPath[path])
	}
	for _, l := range u.module {
		if l.types == nil {
			continue
		}
		for _, imp := range l.types.Imports() {
			e.library(imp)
		}
	}
}

func (e *entrance) suspects(l *loaded) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	suspect := len(l.errs) > 0
	for _, imp := range l.types.Imports() {
		suspect = suspect || e.suspect[imp] || !imp.Complete()
	}
	e.suspect[l.types] = suspect
	return suspect
}

// rehearse builds the SSA of a suspect package in a program of its own, and drops it again; it says why that cannot be
// done, or nothing. Where the builder panics, the package is kept out of the real program: there, functions that several
// packages share are built by one and waited for by the others, without end if that one has panicked.
func (e *entrance) rehearse(l *loaded) (reason string) {
	prog := ssa.NewProgram(e.fset, ssa.BuilderMode(0))
	pkg := createPackage(prog, l)
	if pkg == nil {
		return "" // the real program comes to the same end, without harm
	}
	for _, imp := range l.types.Imports() {
		prog.CreatePackage(imp, nil, nil, true)
	}
	return buildSSA(pkg)
}

// buildSSA builds one package's SSA; a panic there costs that package only, and is said.
func buildSSA(pkg *ssa.Package) (reason string) {
	defer func() {
		if p := recover(); p != nil {
			reason = fmt.Sprintf("could not be analysed: %v", p)
		}
	}()
	pkg.Build()
	return ""
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
