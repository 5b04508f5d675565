package cli

import (
	"os"
	"os/exec"
	"slices"
	"strings"
)

// probeCommand is the hidden command that the go command runs, through -toolexec, in place of its compiler.
//
// dmlint wants the types of a program's dependencies. The go command has them in its build cache as export data, but
// when it is asked for them it compiles what is not there, and that can take minutes. So it is given this program for a
// compiler: it answers the queries by which the go command finds out what a cached result was made with (so that what
// is in the cache is found), and refuses to compile (so that what is not there is quickly said to be missing and is
// type-checked from source instead).
const probeCommand = "__probe"

// probe runs a tool of the go command's if it is only asked who it is.
func probe(args []string, s streams) int {
	if len(args) == 0 || !slices.ContainsFunc(args, isQuery) {
		return statusFindings // any failure will do
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, s.out, s.err
	if cmd.Run() != nil {
		return statusFindings
	}
	return statusClean
}

func isQuery(arg string) bool { return arg == "-V=full" || arg == "-###" }

// probeProgram is the command line that makes this binary the probe, quoted as -toolexec wants it; "" where the binary
// cannot be found, so that dependencies are read from source.
func probeProgram() string {
	self, err := os.Executable()
	if err != nil || strings.ContainsAny(self, `'"`) {
		return ""
	}
	if strings.ContainsAny(self, " \t") {
		self = "'" + self + "'"
	}
	return self + " " + probeCommand
}
