package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/dmlint/dmlint/analyzers"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/report"
)

// defaultCommand is the command whose name may be left out.
const defaultCommand = "check"

const checkDetails = `Packages are written as for the go command; the default is ./... The effects of the whole module are known, whichever
packages are checked. Findings go to standard output; what could not be analysed, and how much was seen, to standard
error. On a terminal, or with --format text, each finding shows the source and says what to do instead.`

// checkOptions are the flags of check.
type checkOptions struct {
	loading
	profiling
	format, tier *choice
	showUnknown  bool
}

func newCheck() *command {
	c := newCommand(defaultCommand, "[flags] [packages]", "find events that can be lost or applied twice", checkDetails)
	o := &checkOptions{}
	o.format = c.choose("format", "how findings are written (default text)", "text", "json")
	o.tier = c.choose("tier", "the weakest findings that make the exit status 1 (default error)", string(check.Error), string(check.Advice))
	c.flags.BoolVar(&o.showUnknown, "show-unknown", false, "list the library functions that are given a transaction and have no model")
	o.loading.define(c.flags)
	o.profiling.define(c.flags)
	c.run = func(s streams, patterns []string) (int, error) { return o.run(s, patterns, c.given("format")) }
	return c
}

func (o *checkOptions) run(s streams, patterns []string, formatGiven bool) (status int, err error) {
	stop, err := o.profiling.start(s.err)
	if err != nil {
		return 0, err
	}
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	cfg, err := o.loading.config(patterns)
	if err != nil {
		return 0, err
	}
	cfg.Phase = o.phase
	pace(&cfg)
	res, err := driver.Run(context.Background(), cfg, analyzers.All())
	if err != nil {
		return 0, err
	}
	o.phase("write report")
	if err := o.write(s, res, formatGiven); err != nil {
		return 0, fmt.Errorf("the report could not be written: %w", err)
	}
	return exitStatus(res, check.Tier(o.tier.value)), nil
}

// write writes the findings to standard output, and beside them for people what was and what was not seen.
func (o *checkOptions) write(s streams, res *driver.Result, formatGiven bool) error {
	dir, err := o.loading.absolute()
	if err != nil {
		return err
	}
	r := report.Report{Result: res, Version: version(), Dir: dir}
	if o.format.value == "json" {
		return errors.Join(report.JSON(s.out, r), report.Errors(s.err, r))
	}
	if err := report.Text(s.out, r, styleOf(s.out, formatGiven)); err != nil {
		return err
	}
	return errors.Join(report.Errors(s.err, r), report.Coverage(s.err, r, o.showUnknown))
}

// exitStatus is the status of a run that got to its end. Whoever asks for advice asks for errors, too.
func exitStatus(res *driver.Result, tier check.Tier) int {
	for _, f := range res.Findings {
		if f.Tier == check.Error || tier == check.Advice {
			return statusFindings
		}
	}
	if len(res.Errors) > 0 || len(res.Coverage.GaveUp) > 0 {
		return statusIncomplete
	}
	return statusClean
}
