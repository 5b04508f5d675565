// Package report writes findings for people and machines: one file for each format.
package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/dmlint/dmlint/internal/driver"
)

// A Report is the result of a run with what every format needs to know besides.
type Report struct {
	*driver.Result
	// Version is dmlint's own.
	Version string
	// Dir is the directory that paths are written from.
	Dir string
}

// Relative writes a path from the report's directory where it lies in there, with slashes.
func (r Report) Relative(file string) string {
	if rel, err := filepath.Rel(r.Dir, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return filepath.ToSlash(file)
}

// gaveUp is said of a function that a bound of the engine stopped: what was found in it stands, but it is not all.
const gaveUp = "given up: too many states"

// problems lists what could not be analysed: packages, and functions that were given up.
func (r Report) problems() []driver.PackageError {
	var all []driver.PackageError
	for _, e := range r.Result.Errors {
		message := strings.ReplaceAll(e.Message, r.Dir+string(filepath.Separator), "")
		all = append(all, driver.PackageError{Package: e.Package, Message: message})
	}
	for _, name := range r.Result.Coverage.GaveUp {
		all = append(all, driver.PackageError{Package: name, Message: gaveUp})
	}
	return all
}

// Errors writes a line for each package or function that could not be analysed.
func Errors(w io.Writer, r Report) error {
	for _, e := range r.problems() {
		if _, err := fmt.Fprintf(w, "dmlint: %s: %s\n", e.Package, e.Message); err != nil {
			return err
		}
	}
	return nil
}
