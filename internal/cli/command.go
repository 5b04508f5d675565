package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/nearest"
)

// A command is one subcommand. It is made anew for each use, since its flags hold what was given.
type command struct {
	name string
	// args is what follows the name in the usage line; summary one line for the list of commands; details the rest of
	// the help text.
	args, summary, details string
	flags                  *flag.FlagSet
	// run does the work. An error means wrong use or that nothing could be analysed: status 2.
	run func(s streams, args []string) (status int, err error)
}

// newCommand makes a command whose flag errors are reported by us.
func newCommand(name, args, summary, details string) *command {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return &command{name: name, args: args, summary: summary, details: details, flags: fs}
}

func (c *command) start(s streams, args []string) (int, error) {
	rest, err := c.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return statusClean, c.printHelp(s.out)
	}
	if err != nil {
		return 0, err
	}
	return c.run(s, rest)
}

// parse reads the flags wherever they stand among the arguments and gives the other arguments; after "--" none are
// flags.
func (c *command) parse(args []string) (rest []string, err error) {
	for {
		if err := c.flags.Parse(args); err != nil {
			return nil, c.flagError(err)
		}
		left := c.flags.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// given reports whether a flag was set on the command line.
func (c *command) given(name string) bool {
	found := false
	c.flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

var flagInMessage = regexp.MustCompile(`(flag|for|argument:) -[\w-]+`)

// flagError says what the flag package says, with flags written as the help text writes them and with the nearest
// flag where there is none of that name.
func (c *command) flagError(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return errors.New(flagInMessage.ReplaceAllStringFunc(err.Error(), func(m string) string {
			before, name, _ := strings.Cut(m, "-")
			return before + dashed(name)
		}))
	}
	var names []string
	c.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	hint := fmt.Sprintf("see dmlint help %s", c.name)
	if near := nearest.Names(name, names); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s?", dashed(near[0]))
	}
	return fmt.Errorf("unknown flag %s of dmlint %s: %s", dashed(name), c.name, hint)
}

// dashed writes a flag as people do: one dash for a letter, two for a word.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// A choice is a flag with a few values.
type choice struct {
	value  string
	values []string
}

// String implements flag.Value.
func (c *choice) String() string { return c.value }

// Set implements flag.Value.
func (c *choice) Set(s string) error {
	if slices.Contains(c.values, s) {
		c.value = s
		return nil
	}
	if near := nearest.Names(s, c.values); len(near) > 0 {
		return fmt.Errorf("did you mean %s?", near[0])
	}
	return fmt.Errorf("it is one of %s", strings.Join(c.values, ", "))
}

// choose defines a flag with a few values, the first of which is the default.
func (c *command) choose(name, usage string, values ...string) *choice {
	v := &choice{value: values[0], values: values}
	c.flags.Var(v, name, usage)
	return v
}
