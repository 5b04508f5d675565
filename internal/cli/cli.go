// Package cli is the dmlint command: its subcommands, one file each, their flags and the exit status.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/config"
	"github.com/dmlint/dmlint/internal/nearest"
)

// The exit statuses. Findings win over what could not be analysed: a run that found something must not look like a run
// that only stumbled.
const (
	statusClean      = 0
	statusFindings   = 1
	statusUsage      = 2
	statusIncomplete = 3
)

// streams are where a command writes: what was asked for, and what is said about it.
type streams struct {
	out, err io.Writer
}

// Main runs dmlint with the arguments that follow the program's name and gives the exit status.
func Main(args []string, stdout, stderr io.Writer) int {
	s := streams{stdout, stderr}
	switch {
	case len(args) > 0 && args[0] == probeCommand:
		return probe(args[1:], s)
	case calledByVet(args):
		return runVet()
	}
	status, err := dispatch(args, s)
	if err != nil {
		complain(stderr, err)
		return statusUsage
	}
	return status
}

// complain says why a command did not do what it was asked for: all that is wrong with the module's file, one a line, or
// the first thing that went wrong.
func complain(w io.Writer, err error) {
	var problems config.Problems
	if !errors.As(err, &problems) {
		fmt.Fprintln(w, "dmlint:", err)
		return
	}
	for _, p := range problems {
		fmt.Fprintln(w, "dmlint:", p)
	}
}

// dispatch picks the command. Anything that is no command's name is a package or a flag of check, unless it looks like
// a slip of the pen.
func dispatch(args []string, s streams) (int, error) {
	c, rest := newCheck(), args
	if len(args) > 0 {
		name := args[0]
		switch name {
		case "-h", "-help", "--help":
			name = "help"
		case "-version", "--version":
			name = "version"
		}
		if found := find(name); found != nil {
			c, rest = found, args[1:]
		} else if near := misspelt(name); near != "" {
			return 0, fmt.Errorf("unknown command %q: did you mean %s? (packages are written with a slash: ./%s)", name, near, name)
		}
	}
	return c.start(s, rest)
}

// misspelt gives the command that a word was probably meant to be, or "". Names of directories are left alone.
func misspelt(word string) string {
	if word == "" || strings.ContainsAny(word, "./\\-") {
		return ""
	}
	if _, err := os.Stat(word); err == nil {
		return ""
	}
	if near := nearest.Names(word, commandNames()); len(near) > 0 {
		return near[0]
	}
	return ""
}

// commands lists the commands as help shows them.
func commands() []*command {
	return []*command{newCheck(), newChecklist(), newGraph(), newHandlers(), newVersion(), newHelp()}
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func find(name string) *command {
	cs := commands()
	if i := slices.IndexFunc(cs, func(c *command) bool { return c.name == name }); i >= 0 {
		return cs[i]
	}
	return nil
}
