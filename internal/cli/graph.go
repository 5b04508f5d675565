package cli

import (
	"errors"
	"fmt"

	"github.com/dmlint/dmlint/internal/graphview"
	"github.com/dmlint/dmlint/internal/report"
)

const graphDetails = `Shows what dmlint sees of a function: its effects in the order of the source, the handle that each goes through, and for
each outcome the step that follows. FUNC is written pkg.Func, pkg.(*T).Method, T.Method, or with more of the import path.
With --format dot the output is for Graphviz: dmlint graph --format dot FUNC | dot -Tsvg`

func newGraph() *command {
	c := newCommand("graph", "[flags] FUNC [packages]", "show the effect graph of a function", graphDetails)
	var l loading
	format := c.choose("format", "how the graph is written (default text)", "text", "dot")
	l.define(c.flags)
	c.run = func(s streams, args []string) (int, error) {
		if len(args) == 0 {
			return 0, errors.New("graph needs the name of a function: dmlint graph FUNC [packages]")
		}
		return graph(s, l, format.value, args[0], args[1:])
	}
	return c
}

func graph(s streams, l loading, format, function string, patterns []string) (int, error) {
	r, err := l.look(patterns)
	if err != nil {
		return 0, err
	}
	if err := report.Errors(s.err, r); err != nil {
		return 0, err
	}
	g, err := findFunction(r.Result.Program.Program, function)
	if err != nil {
		return 0, err
	}
	view := graphview.New(r.Result.Program.Program, g)
	if format == "dot" {
		err = view.DOT(s.out)
	} else {
		err = view.Text(s.out, r.Relative)
	}
	if err != nil {
		return 0, fmt.Errorf("the graph could not be written: %w", err)
	}
	return exitStatus(r.Result, ""), nil
}
