// Command bench measures what dmlint costs on top of what any analyser of whole programs has to pay: loading a module
// with go/packages, types of dependencies from export data, and building its SSA form.
//
//	go run ./tools/bench [flags] DIR...
//
// In each module directory it runs both as processes of their own, in turns, and writes the medians of wall time, CPU
// time and peak memory, and their ratios. The first round warms the build cache and does not count.
//
// # Exit status
//
//	0  every ratio is within its limit
//	1  one is not
//	2  something could not be measured
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// baselineCommand makes the program run the baseline in the current directory: it starts itself with it.
const baselineCommand = "__baseline"

func main() {
	if len(os.Args) == 2 && os.Args[1] == baselineCommand {
		exitOn(baseline())
		return
	}
	opts := options{}
	flag.IntVar(&opts.rounds, "n", 5, "`rounds` that are measured")
	flag.StringVar(&opts.dmlint, "dmlint", "", "the `program` to measure; \"\" builds it from ./cmd/dmlint")
	flag.BoolVar(&opts.markdown, "markdown", false, "write a table in Markdown")
	flag.Float64Var(&opts.limits.wall, "max-wall", 1.5, "the largest `ratio` of wall times that is allowed")
	flag.Float64Var(&opts.limits.memory, "max-memory", 2, "the largest `ratio` of peak memory that is allowed")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./tools/bench [flags] DIR...")
		flag.PrintDefaults()
	}
	flag.Parse()
	within, err := opts.run(flag.Args())
	exitOn(err)
	if !within {
		os.Exit(1)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// options are the flags.
type options struct {
	rounds   int
	dmlint   string
	markdown bool
	limits   limits
}

// limits are the largest ratios that are allowed.
type limits struct {
	wall, memory float64
}

// run measures each directory and writes the table; it reports whether everything is within its limits.
func (o options) run(dirs []string) (within bool, err error) {
	if len(dirs) == 0 || o.rounds < 1 {
		flag.Usage()
		return false, errors.New("name at least one directory and one round")
	}
	program, remove, err := o.program()
	if err != nil {
		return false, err
	}
	defer remove()
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	var rows []row
	for _, dir := range dirs {
		r, err := measure(dir, o.rounds, []string{self, baselineCommand}, []string{program, "check", "./..."})
		if err != nil {
			return false, fmt.Errorf("%s: %w", dir, err)
		}
		rows = append(rows, r)
	}
	return withinLimits(rows, o.limits, os.Stderr), write(os.Stdout, rows, o.markdown)
}

// program is the dmlint to be measured; remove takes away what had to be built for it.
func (o options) program() (path string, remove func(), err error) {
	if o.dmlint != "" {
		path, err := exec.LookPath(o.dmlint)
		if err != nil {
			return "", nil, err
		}
		path, err = filepath.Abs(path)
		return path, func() {}, err
	}
	dir, err := os.MkdirTemp("", "dmlint-bench")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "dmlint")
	if out, err := exec.Command("go", "build", "-o", path, "./cmd/dmlint").CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("building dmlint: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return path, remove, nil
}
