package effect

import "golang.org/x/tools/go/ssa"

// Forget drops the bodies of a package's functions, except of those that graphs of other packages look into. It is called
// once the package's own graphs are made, so that the SSA of a program need not be in memory all at once.
func Forget(pkg *ssa.Package) {
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Function:
			forget(m)
		case *ssa.Type:
			for _, fn := range methodsOf(pkg, m.Type()) {
				forget(fn)
			}
		}
	}
}

// forget leaves a function without blocks but with a list of them: that it has a body is asked, too (addressTaken).
func forget(fn *ssa.Function) {
	if fn.Blocks == nil || givesText(fn) {
		return
	}
	fn.Blocks = []*ssa.BasicBlock{}
	fn.Locals, fn.AnonFuncs, fn.Recover = nil, nil, nil
	for _, p := range fn.Params {
		*p.Referrers() = nil
	}
}

// givesText reports whether a function may be asked for the text that it returns: see returnedText and constantReturn.
func givesText(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	return results.Len() > 0 && isString(results.At(0).Type()) && (len(fn.Blocks) <= maxTextBlocks || fn.Name() == "TableName")
}
