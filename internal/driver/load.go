// Package driver runs checks over whole programs: it loads packages, makes effect graphs, links them and judges what the
// rules find.
package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/schema"
)

// Config says what to load and how.
type Config struct {
	// Dir is the directory to run in; "" is the current one.
	Dir      string
	Patterns []string
	// BuildFlags are handed to the go command: -tags and the like.
	BuildFlags []string
	Env        []string
	// Probe is a program that the go command may run in place of its tools: it must answer version queries and refuse to
	// build ("" means none). With it, export data is taken from the build cache where it is there, and nothing is
	// compiled where it is not.
	Probe string
	// Phase, if set, is told when each phase of the run begins.
	Phase func(name string)
	// Sized, if set, is told how large the module's source is, in bytes, once that is known.
	Sized func(bytes int64)
}

// sized adds up the files of the module's packages.
func (c Config) sized(roots []*packages.Package) {
	if c.Sized == nil {
		return
	}
	var bytes int64
	for p := range packages.Postorder(roots) {
		if !inModule(p) {
			continue
		}
		for _, name := range p.GoFiles {
			if info, err := os.Stat(name); err == nil {
				bytes += info.Size()
			}
		}
	}
	c.Sized(bytes)
}

func (c Config) phase(name string) {
	if c.Phase != nil {
		c.Phase(name)
	}
}

// A PackageError is a package that could not be analysed in whole or in part.
type PackageError struct {
	Package, Message string
}

// Error implements error.
func (e PackageError) Error() string { return e.Package + ": " + e.Message }

func compareErrors(a, b PackageError) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Message, b.Message))
}

// ErrNoPackages means that the patterns match nothing.
var ErrNoPackages = errors.New("no packages match")

// loaded is a package of the module with its types, and its syntax where it can be analysed.
type loaded struct {
	meta  *packages.Package
	types *types.Package
	info  *types.Info
	files []*ast.File
	errs  []PackageError
	// generator is the convention of generated code that is modelled by patterns, or inertCode: such a package needs no
	// bodies.
	generator string
}

// builds reports whether SSA can be made of the package.
func (l *loaded) builds() bool { return l.types != nil && l.info != nil && l.generator == "" }

// forget drops what SSA is made from. It is emptied, too, since declared functions keep hold of their syntax and generic
// ones of the types.
func (l *loaded) forget() {
	for _, f := range l.files {
		strip(f)
	}
	if l.info != nil {
		*l.info = types.Info{}
	}
	l.files, l.info = nil, nil
}

// universe is everything that was loaded.
type universe struct {
	fset *token.FileSet
	// module are the packages of the module in dependency order; matched those that the patterns name.
	module  []*loaded
	matched map[string]bool
	byPath  map[string]*types.Package
	// ssa are the packages of the module that SSA can be built of.
	ssa  map[*loaded]*ssa.Package
	errs []PackageError
}

// forgetTypes drops all types: graphs do without.
func (u *universe) forgetTypes() {
	u.byPath = nil
	for _, l := range u.module {
		l.types = nil
	}
}

// everything is the pattern that stands for none.
const everything = "./..."

// list asks the go command for the packages and what they import.
func list(ctx context.Context, cfg Config) ([]*packages.Package, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule |
		packages.NeedEmbedFiles | packages.NeedEmbedPatterns
	flags := slices.Clone(cfg.BuildFlags)
	if cfg.Probe != "" {
		mode |= packages.NeedExportFile
		flags = append(flags, "-toolexec="+cfg.Probe)
	}
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{everything}
	}
	pcfg := &packages.Config{Mode: mode, Context: ctx, Dir: cfg.Dir, Env: cfg.Env, BuildFlags: flags}
	roots, err := packages.Load(pcfg, patterns...)
	if err != nil {
		return nil, listError(cfg, err)
	}
	if len(roots) == 0 {
		return nil, noneError(ctx, cfg, patterns)
	}
	return roots, unmatched(cfg, roots)
}

// noneError says why there are no packages at all. What the go command has against a go.mod is not handed on by
// go/packages, so it is asked again.
func noneError(ctx context.Context, cfg Config, patterns []string) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-m")
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if cmd.Run() != nil && stderr.Len() > 0 {
		return listError(cfg, errors.New(stderr.String()))
	}
	return fmt.Errorf("%w %s", ErrNoPackages, strings.Join(patterns, " "))
}

// unmatched gives an error for the first pattern that the go command could make nothing of: it says so by a package
// without files.
func unmatched(cfg Config, roots []*packages.Package) error {
	for _, p := range roots {
		if p.Module != nil || len(p.GoFiles) > 0 || len(p.Errors) == 0 {
			continue
		}
		msg := p.Errors[0].Msg
		if strings.Contains(msg, "does not contain main module") && schema.ModuleRoot(cfg.Dir) == "" || strings.Contains(msg, noModFile) {
			return listError(cfg, errors.New(noModFile))
		}
		reason := strings.TrimPrefix(firstLines(msg, 1), "pattern "+p.PkgPath+": ")
		return fmt.Errorf("%w %s: %s", ErrNoPackages, p.PkgPath, strings.TrimSuffix(reason, "; to add it:"))
	}
	return nil
}

// noModFile is what the go command says where there is no module.
const noModFile = "go.mod file not found"

// listError makes one line of what the go command said.
func listError(cfg Config, err error) error {
	dir := cfg.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	msg := err.Error()
	if strings.Contains(msg, noModFile) || strings.Contains(msg, "cannot find main module") {
		return fmt.Errorf("%s: there is no go.mod here or above: run dmlint inside a module, or make one with go mod init", dir)
	}
	if strings.Contains(msg, "executable file not found") {
		return fmt.Errorf("the go command was not found on PATH: dmlint needs it to list packages")
	}
	msg = strings.TrimPrefix(firstLines(msg, 3), "go: ")
	return fmt.Errorf("go list: %s", strings.ReplaceAll(msg, ":; ", ": "))
}

func firstLines(s string, n int) string {
	var lines []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "go: downloading") {
			lines = append(lines, line)
		}
		if len(lines) == n {
			break
		}
	}
	return strings.Join(lines, "; ")
}

// inModule reports whether a package belongs to the user: to a main module or, without modules, to no module at all
// though not to the standard library.
func inModule(p *packages.Package) bool {
	if p.Module == nil {
		return !standard(p.PkgPath) && len(p.GoFiles) > 0 && !strings.Contains(filepath.ToSlash(p.GoFiles[0]), "/vendor/")
	}
	if p.Module.Main {
		return true
	}
	return p.Module.Replace != nil && p.Module.Replace.Version == "" // replaced by a directory: the user's code, too
}

// moduleDir is the directory of a module's source, "" where there is none.
func moduleDir(m *packages.Module) string {
	switch {
	case m == nil:
		return ""
	case m.Replace != nil && m.Replace.Dir != "":
		return m.Replace.Dir
	}
	return m.Dir
}

// standard reports whether an import path is of the standard library: its first element has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != "command-line-arguments"
}

// sortedImports lists a package's imports in a stable order.
func sortedImports(p *packages.Package) []*packages.Package {
	paths := make([]string, 0, len(p.Imports))
	for path := range p.Imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	imports := make([]*packages.Package, 0, len(paths))
	for _, path := range paths {
		imports = append(imports, p.Imports[path])
	}
	return imports
}
