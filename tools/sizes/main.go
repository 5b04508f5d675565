// Command sizes keeps functions and files short enough to be read at once. It measures the Go files below the current
// directory and names what is too long:
//
//	go run ./tools/sizes
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The bounds, in lines. The two percentiles are taken over the functions that are not tests.
const (
	maxFile     = 400
	maxFunction = 100
	maxMedian   = 15
	maxP90      = 40
)

func main() {
	m, err := measure(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(2)
	}
	fmt.Println(m.summary())
	if complaints := m.complaints(); len(complaints) > 0 {
		fmt.Println(strings.Join(complaints, "\n"))
		os.Exit(1)
	}
}

// measured holds what was measured.
type measured struct {
	files     int
	functions []int // lengths
	tooLong   []string
}

// measure looks at every Go file but those under testdata and in hidden folders.
func measure(root fs.FS) (*measured, error) {
	m := &measured{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (base == "testdata" || strings.HasPrefix(base, ".") && name != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		return m.add(name, src)
	})
	return m, err
}

// add measures a file.
func (m *measured) add(name string, src []byte) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	m.files++
	if n := bytes.Count(src, []byte("\n")); n > maxFile {
		m.tooLong = append(m.tooLong, fmt.Sprintf("%s: file of %d lines, more than %d", name, n, maxFile))
	}
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		start := fset.Position(fn.Pos())
		n := fset.Position(fn.End()).Line - start.Line + 1
		if n > maxFunction {
			m.tooLong = append(m.tooLong, fmt.Sprintf("%s:%d: function %s of %d lines, more than %d", name, start.Line, fn.Name.Name, n, maxFunction))
		}
		if !strings.HasSuffix(name, "_test.go") {
			m.functions = append(m.functions, n)
		}
	}
	return nil
}

// percentile gives the length that p of 100 functions do not exceed.
func (m *measured) percentile(p int) int {
	if len(m.functions) == 0 {
		return 0
	}
	lengths := slices.Sorted(slices.Values(m.functions))
	return lengths[(len(lengths)-1)*p/100]
}

func (m *measured) summary() string {
	return fmt.Sprintf("%d files; %d functions, of which half have at most %d lines and 90%% at most %d", m.files, len(m.functions), m.percentile(50), m.percentile(90))
}

// complaints names everything that exceeds a bound.
func (m *measured) complaints() []string {
	all := slices.Clone(m.tooLong)
	if n := m.percentile(50); n > maxMedian {
		all = append(all, fmt.Sprintf("half of the functions have more than %d lines", maxMedian))
	}
	if n := m.percentile(90); n > maxP90 {
		all = append(all, fmt.Sprintf("a tenth of the functions have more than %d lines", maxP90))
	}
	return all
}
