package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// loadMode is the least that a builder of SSA needs: syntax and types of the module's packages, and the types of what
// they import from export data.
const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedModule | packages.NeedExportFile | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax |
	packages.NeedTypesInfo

// baseline loads the module in the current directory and builds the SSA form of its packages.
func baseline() error {
	pkgs, err := packages.Load(&packages.Config{Mode: loadMode}, "./...")
	if err != nil {
		return err
	}
	prog, built := ssautil.Packages(pkgs, ssa.BuilderMode(0))
	prog.Build()
	n := 0
	for _, p := range built {
		if p != nil {
			n++
		}
	}
	if n == 0 {
		return errors.New("no package could be built")
	}
	_, err = fmt.Fprintf(os.Stdout, "%d of %d\n", n, len(pkgs))
	return err
}
