package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/dmlint/dmlint/analyzers"
	"github.com/dmlint/dmlint/checklist"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/evidence"
	"github.com/dmlint/dmlint/internal/report"
)

const checklistDetails = `Writes the review checklist with a verdict on each item and the places that speak for it:

    held           the code does what the item is about, and no rule found a flaw
    broken         a rule found where it is broken
    seen           there is code for it; people say whether it is enough
    nothing seen   nothing for it was seen, or the code has nothing that it is about
    for people     only advice was found, which people have to judge

A last part lists what was built and is not used: an outbox that nobody writes, an inbox that no handler reaches. With
--format markdown it is a task list for a pull request. The exit status is 1 where an item is broken.`

func newChecklist() *command {
	c := newCommand("checklist", "[flags] [packages]", "judge packages by the review checklist", checklistDetails)
	var l loading
	format := c.choose("format", "how the list is written (default text)", "text", "markdown", "json")
	l.define(c.flags)
	c.run = func(s streams, patterns []string) (int, error) { return runChecklist(s, l, format.value, patterns) }
	return c
}

func runChecklist(s streams, l loading, format string, patterns []string) (int, error) {
	dir, err := l.absolute()
	if err != nil {
		return 0, err
	}
	cfg, err := l.config(patterns)
	if err != nil {
		return 0, err
	}
	pace(&cfg)
	res, err := driver.Run(context.Background(), cfg, analyzers.All())
	if err != nil {
		return 0, err
	}
	list := judged(res)
	list.Report = report.Report{Result: res, Version: version(), Dir: dir}
	write := map[string]func(io.Writer, report.Checklist) error{"text": report.ChecklistText, "markdown": report.ChecklistMarkdown, "json": report.ChecklistJSON}[format]
	if err := errors.Join(write(s.out, list), report.Errors(s.err, list.Report)); err != nil {
		return 0, fmt.Errorf("the checklist could not be written: %w", err)
	}
	return exitStatus(res, check.Error), nil
}

// judged gives each item its verdict from the findings and the evidence in the packages that were asked for.
func judged(res *driver.Result) report.Checklist {
	var list report.Checklist
	var seen []evidence.Fact
	for _, f := range evidence.Gather(res.Program) {
		switch {
		case f.Package != "" && !res.Asked(f.Package):
		case f.Kind == evidence.Unused:
			list.Unused = append(list.Unused, f)
		default:
			seen = append(seen, f)
		}
	}
	list.Items = checklist.Judge(res.Findings, seen)
	return list
}
