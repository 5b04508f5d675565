package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dmlint/dmlint/internal/nearest"
)

const intro = `dmlint finds the places in Go code where a crash, a rollback or a redelivery loses an event or applies it twice.

Usage:

    dmlint [check] [flags] [packages]
    dmlint COMMAND [flags] [arguments]

Without packages, ./... is checked. The commands are:

`

const outro = `
dmlint help COMMAND says more about one. As a tool of go vet: go vet -vettool=$(which dmlint) ./...

Exit status:

    0  nothing was found in the tier that --tier names
    1  something was found
    2  wrong use or configuration, or nothing could be analysed
    3  a package or a function could not be analysed, and nothing was found in the rest
`

func newHelp() *command {
	c := newCommand("help", "[command]", "say what dmlint or one of its commands does", "")
	c.run = func(s streams, args []string) (int, error) {
		switch len(args) {
		case 0:
			return statusClean, printOverview(s.out)
		case 1:
		default:
			return 0, fmt.Errorf("help explains one command at a time, not %d", len(args))
		}
		if about := find(args[0]); about != nil {
			return statusClean, about.printHelp(s.out)
		}
		if near := nearest.Names(args[0], commandNames()); len(near) > 0 {
			return 0, fmt.Errorf("unknown command %q: did you mean %s?", args[0], near[0])
		}
		return 0, fmt.Errorf("unknown command %q: the commands are %s", args[0], strings.Join(commandNames(), ", "))
	}
	return c
}

func printOverview(w io.Writer) error {
	var b strings.Builder
	b.WriteString(intro)
	tw := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(tw, "    %s\t%s\n", c.name, c.summary)
	}
	tw.Flush()
	b.WriteString(outro)
	_, err := io.WriteString(w, b.String())
	return err
}

// printHelp explains one command with its flags.
func (c *command) printHelp(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "dmlint %s: %s\n\nUsage:\n\n    %s\n", c.name, c.summary, c.usage())
	if c.details != "" {
		fmt.Fprintf(&b, "\n%s\n", c.details)
	}
	tw := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	title := "\nFlags:\n\n"
	c.flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if _, ok := f.Value.(*choice); ok {
			value = strings.Join(f.Value.(*choice).values, "|")
		}
		fmt.Fprintf(tw, "%s    %s\t%s\n", title, strings.TrimSpace(dashed(f.Name)+" "+value), usage)
		title = ""
	})
	tw.Flush()
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *command) usage() string {
	name := c.name
	if name == defaultCommand {
		name = "[" + name + "]"
	}
	return strings.TrimSpace("dmlint " + name + " " + c.args)
}
