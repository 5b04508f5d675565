package cli

import (
	"errors"
	"fmt"

	"github.com/dmlint/dmlint/internal/report"
)

const handlersDetails = `Lists the functions that run once for each delivered message, with the reason why dmlint takes each for one: it is
registered with a library, it receives messages from a broker or a channel, it is given a message, or another handler
picks it for one. //dmlint:handler above a function, or above a method in an interface, declares a handler that is not
recognised; so does its symbol under handlers in the module's .dmlint.yaml. A registration or a dispatcher is seen where
the packages, or what they import, hold it: with ./... that is everywhere.`

func newHandlers() *command {
	c := newCommand("handlers", "[flags] [packages]", "list the message handlers in packages", handlersDetails)
	var l loading
	format := c.choose("format", "how the list is written (default text)", "text", "json")
	l.define(c.flags)
	c.run = func(s streams, patterns []string) (int, error) { return handlers(s, l, format.value, patterns) }
	return c
}

func handlers(s streams, l loading, format string, patterns []string) (int, error) {
	r, err := l.look(patterns)
	if err != nil {
		return 0, err
	}
	write := report.Handlers
	if format == "json" {
		write = report.HandlersJSON
	}
	if err := errors.Join(write(s.out, r), report.Errors(s.err, r)); err != nil {
		return 0, fmt.Errorf("the list could not be written: %w", err)
	}
	return exitStatus(r.Result, ""), nil
}
