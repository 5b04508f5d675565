package driver

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/config"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// A Result is what a run found and what it saw.
type Result struct {
	Findings []*check.Finding
	Coverage Coverage
	Errors   []PackageError
	// Handlers are those in the packages that were asked for.
	Handlers []flow.Handler
	// Program is kept for commands that look at more than findings.
	Program *flow.Program

	asked map[string]bool // packages
}

// Asked reports whether a package is one of those that the patterns name.
func (res *Result) Asked(pkg string) bool { return res.asked[pkg] }

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

// Run loads the packages and runs the checks over the whole program. What is wrong with the user's file is an error of
// type [config.Problems], and then nothing has been analysed.
func Run(ctx context.Context, cfg Config, checks []*check.Check) (*Result, error) {
	src := newSources(cfg.Dir)
	said, err := readSettings(src.root, cfg.Dir)
	if err != nil {
		return nil, err
	}
	cfg.phase("list packages")
	models, roots, err := begin(ctx, cfg, src)
	if err != nil {
		return nil, err
	}
	if err := said.resolve(roots); err != nil {
		return nil, err
	}
	cfg.sized(roots)
	cfg.phase("type-check")
	u := load(roots, models, src)
	res := &Result{Errors: u.errs, asked: u.matched}
	cfg.phase("build effect graphs")
	packages, linker := build(u, models, said.handlers, res)
	cfg.phase("link")
	program := linker.Link(packages)
	u.forgetTypes()
	res.count(packages, u)
	opts := flow.DefaultOptions()
	opts.Schema = src.schemaOf(moduleDirs(u))
	opts.Handlers, opts.Inbox = said.handlers, config.Texts(said.config.Inbox)
	res.Program = flow.Prepare(program, opts)
	res.findHandlers(u)
	if len(res.Handlers) > 0 { // a rule is going to ask
		go opts.Schema()
	}
	cfg.phase("run rules")
	res.judge(checks, u)
	return res, nil
}

// moduleDirs lists the directories of the user's modules.
func moduleDirs(u *universe) []string {
	var dirs []string
	for _, l := range u.module {
		if dir := moduleDir(l.meta.Module); dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// findHandlers keeps the handlers of the packages that were asked for.
func (res *Result) findHandlers(u *universe) {
	for _, h := range res.Program.Handlers() {
		if u.matched[h.Package] {
			res.Handlers = append(res.Handlers, h)
		}
	}
	res.Coverage.Handlers = len(res.Handlers)
}

// begin reads the models, and then sources, while the go command lists the packages.
func begin(ctx context.Context, cfg Config, src *sources) (*model.Set, []*packages.Package, error) {
	var models *model.Set
	var broken error
	read := make(chan struct{})
	listing, listed := context.WithCancel(ctx)
	go func() {
		defer close(read)
		models, broken = model.Load()
		<-src.ahead(listing, cfg)
	}()
	roots, err := list(ctx, cfg)
	listed()
	<-read
	return models, roots, cmp.Or(broken, err)
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

// judge runs the checks and keeps the findings of the packages that were asked for. Checks that have automata in common
// run one after the other, the rest side by side.
func (res *Result) judge(checks []*check.Check, u *universe) {
	groups := apart(checks)
	found := make([]judged, len(groups))
	var works []func(*flow.Program)
	for i, group := range groups {
		works = append(works, func(fork *flow.Program) { found[i].run(fork, group) })
	}
	res.Program.SideBySide(works)
	for _, one := range found {
		for _, f := range one.findings {
			if u.matched[f.Package] {
				res.Findings = append(res.Findings, f)
			}
		}
		for _, name := range one.gaveUp {
			if !slices.Contains(res.Coverage.GaveUp, name) {
				res.Coverage.GaveUp = append(res.Coverage.GaveUp, name)
			}
		}
	}
	slices.Sort(res.Coverage.GaveUp)
	check.Sort(res.Findings)
}

// judged is what some checks have found, and the functions that a bound stopped.
type judged struct {
	findings []*check.Finding
	gaveUp   []string
}

func (j *judged) run(p *flow.Program, checks []*check.Check) {
	for _, c := range checks {
		var hits []*flow.Hit
		for _, rule := range c.Automata {
			found, gaveUp := p.Run(rule)
			hits, j.gaveUp = append(hits, found...), append(j.gaveUp, gaveUp...)
		}
		j.findings = append(j.findings, c.Judge(p, hits)...)
	}
}

// apart puts checks together that have automata in common.
func apart(checks []*check.Check) [][]*check.Check {
	var groups [][]*check.Check
	groupOf := map[*flow.Rule]int{}
	for _, c := range checks {
		at := len(groups)
		for _, rule := range c.Automata {
			if i, ok := groupOf[rule]; ok {
				at = i
			}
		}
		if at == len(groups) {
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], c)
		for _, rule := range c.Automata {
			groupOf[rule] = at
		}
	}
	return groups
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
