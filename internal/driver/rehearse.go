package driver

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// rehearse builds the SSA of packages with errors, and of those that import such, each in a program of its own, and
// drops it again. Where the builder panics, the package is kept out of the real program: there, functions that several
// packages share are built by one and waited for by the others, without end if that one has panicked.
func (b *builder) rehearse(u *universe) {
	suspect := map[*types.Package]bool{}
	for _, l := range u.module { // imports come first
		if l.types == nil {
			continue
		}
		suspect[l.types] = len(l.errs) > 0
		for _, imp := range l.types.Imports() {
			if suspect[imp] || !imp.Complete() {
				suspect[l.types] = true
			}
		}
		if suspect[l.types] && l.builds() && !b.survives(u, l) {
			l.info = nil
		}
	}
}

// survives reports whether the SSA of a package can be built.
func (b *builder) survives(u *universe, l *loaded) bool {
	prog := ssa.NewProgram(u.fset, ssa.BuilderMode(0))
	pkg := createPackage(prog, l)
	if pkg == nil {
		return true // the real program comes to the same end, without harm
	}
	for _, imp := range l.types.Imports() {
		prog.CreatePackage(imp, nil, nil, true)
	}
	return b.buildSSA(pkg, l)
}
