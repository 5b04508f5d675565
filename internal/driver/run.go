package driver

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// A Result is what a run found and what it saw.
type Result struct {
	Findings []*check.Finding
	Coverage Coverage
	Errors   []PackageError
	// Program is kept for `dmlint graph`.
	Program *flow.Program
}

// Coverage counts what a run saw.
type Coverage struct {
	Packages, Functions, Handlers, Transactions, Reads, Writes, Publishes, Acks int
	// UnknownCalls are calls into libraries without a model that are given a transaction; OpaqueSQL statements whose
	// text was not found.
	UnknownCalls, OpaqueSQL int
	// Unknown counts the unknown calls by symbol.
	Unknown map[string]int
	// GaveUp names the functions that a bound stopped.
	GaveUp []string
}

// Run loads the packages and runs the checks over the whole program.
func Run(ctx context.Context, cfg Config, checks []*check.Check) (*Result, error) {
	cfg.phase("load models")
	models, err := model.Load()
	if err != nil {
		return nil, err
	}
	cfg.phase("list packages")
	roots, err := list(ctx, cfg)
	if err != nil {
		return nil, err
	}
	cfg.phase("type-check")
	u := load(roots, generators(models))
	res := &Result{Errors: u.errs}
	cfg.phase("build effect graphs")
	packages, linker := build(u, models, res)
	cfg.phase("link")
	program := linker.Link(packages)
	res.count(packages, u)
	res.Program = flow.Prepare(program, flow.DefaultOptions())
	cfg.phase("run rules")
	res.judge(checks, u)
	return res, nil
}

func generators(models *model.Set) []string {
	var gs []string
	for _, p := range models.Patterns() {
		if !slices.Contains(gs, p.Generated) {
			gs = append(gs, p.Generated)
		}
	}
	return gs
}

// build makes SSA and effect graphs of the module's packages.
func build(u *universe, models *model.Set, res *Result) ([]*effect.Package, *effect.Linker) {
	prog := ssa.NewProgram(u.fset, ssa.BuilderMode(0))
	module := map[string]*loaded{}
	for _, l := range u.module {
		module[l.meta.PkgPath] = l
	}
	built := createPackages(prog, u, module)
	b := &effect.Builder{Models: models, Interfaces: map[string]*types.Interface{},
		Program: func(path string) bool { l := module[path]; return l != nil && l.generator == "" },
		Generator: func(path string) string {
			if l := module[path]; l != nil {
				return l.generator
			}
			return ""
		},
		OnPanic: func(fn string, reason any) {
			res.Errors = append(res.Errors, PackageError{fn, fmt.Sprintf("internal error while analysing it: %v; please report it", reason)})
		},
	}
	var out []*effect.Package
	for _, l := range u.module {
		pkg := built[l]
		if pkg == nil || !safeBuild(pkg, l, res) {
			continue
		}
		out = append(out, b.Build(effect.Input{SSA: pkg, Fset: u.fset, Files: l.files, ReadFile: os.ReadFile}))
	}
	return out, &effect.Linker{Models: models, Interfaces: b.Interfaces, Types: implementers(u, models)}
}

// createPackages enters every package into the SSA program: those of the module with their syntax, all else by types
// only. A package that is imported and missing would make the builder panic.
func createPackages(prog *ssa.Program, u *universe, module map[string]*loaded) map[*loaded]*ssa.Package {
	built := map[*loaded]*ssa.Package{}
	for _, l := range u.module {
		if l.types == nil {
			continue
		}
		if l.info != nil && l.generator == "" {
			built[l] = prog.CreatePackage(l.types, l.files, l.info, false)
		}
	}
	for _, path := range sortedPaths(u.byPath) {
		if p := u.byPath[path]; p != nil && prog.Package(p) == nil {
			prog.CreatePackage(p, nil, nil, true)
		}
	}
	return built
}

func sortedPaths(m map[string]*types.Package) []string {
	paths := make([]string, 0, len(m))
	for path := range m {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// safeBuild builds one package's SSA; a panic there costs that package only.
func safeBuild(pkg *ssa.Package, l *loaded, res *Result) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			res.Errors = append(res.Errors, PackageError{l.meta.PkgPath, fmt.Sprintf("could not be analysed: %v", p)})
			ok = false
		}
	}()
	pkg.Build()
	return true
}

// implementers are the packages whose types can implement the program's interfaces: the module's own, and libraries
// that have a model.
func implementers(u *universe, models *model.Set) []*types.Package {
	var out []*types.Package
	for _, l := range u.module {
		if l.types != nil && l.generator == "" {
			out = append(out, l.types)
		}
	}
	for _, path := range sortedPaths(u.byPath) {
		if p := u.byPath[path]; p != nil && models.HasPackage(path) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// judge runs the checks and keeps the findings of the packages that were asked for.
func (res *Result) judge(checks []*check.Check, u *universe) {
	for _, c := range checks {
		var hits []*flow.Hit
		for _, rule := range c.Automata {
			found, gaveUp := res.Program.Run(rule)
			hits = append(hits, found...)
			for _, name := range gaveUp {
				if !slices.Contains(res.Coverage.GaveUp, name) {
					res.Coverage.GaveUp = append(res.Coverage.GaveUp, name)
				}
			}
		}
		for _, f := range c.Judge(res.Program, hits) {
			if u.matched[f.Package] {
				res.Findings = append(res.Findings, f)
			}
		}
	}
	slices.Sort(res.Coverage.GaveUp)
	check.Sort(res.Findings)
}

func (res *Result) count(packages []*effect.Package, u *universe) {
	c := &res.Coverage
	c.Unknown = map[string]int{}
	for _, l := range u.module {
		if u.matched[l.meta.PkgPath] {
			c.Packages++
		}
	}
	for _, p := range packages {
		s := p.Stats
		c.Functions += s.Functions
		c.Handlers += s.Handlers
		c.Transactions += s.Transactions
		c.Reads += s.Reads
		c.Writes += s.Writes
		c.Publishes += s.Publishes
		c.Acks += s.Acks
		c.OpaqueSQL += s.OpaqueSQL
		for symbol, n := range s.Unknown {
			c.UnknownCalls += n
			c.Unknown[symbol] += n
		}
	}
}
