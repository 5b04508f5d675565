package cli

import (
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/dmlint/dmlint/analyzers"
)

// calledByVet recognises the go command as caller: it asks a vet tool for its version, then for its flags, and then has
// it check the package that a configuration file describes.
func calledByVet(args []string) bool {
	if len(args) == 1 && (args[0] == "-V=full" || args[0] == "-flags") {
		return true
	}
	configs := 0
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
		case strings.HasSuffix(a, ".cfg"):
			configs++
		default:
			return false
		}
	}
	return configs == 1
}

// runVet hands over to golang.org/x/tools/go/analysis/unitchecker, which does not return: it reads the arguments of the
// process itself.
func runVet() int {
	unitchecker.Main(analyzers.Analyzers()...)
	return statusClean
}
