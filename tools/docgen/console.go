package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// written are the pages that people write. The output that they show is made anew.
var written = []string{"README.md", "CONTRIBUTING.md", "docs/design.md"}

// A session is a block of Markdown that shows a command and what it writes.
const (
	opening = "```console\n$ "
	closing = "\n```\n"
)

// refresh runs the commands that a page shows and puts what they write below them.
func refresh(root, name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	rest := string(data)
	for {
		before, session, ok := strings.Cut(rest, opening)
		out.WriteString(before)
		if !ok {
			return []byte(out.String()), nil
		}
		command, after, ok := strings.Cut(session, "\n")
		if !ok {
			return nil, errors.New(name + ": nothing follows: " + command)
		}
		_, after, ok = strings.Cut("\n"+after, closing)
		if !ok {
			return nil, errors.New(name + ": no end of: " + command)
		}
		output, err := execute(root, command)
		if err != nil {
			return nil, err
		}
		out.WriteString(opening + command + "\n" + output + closing[1:])
		rest = after
	}
}

// execute runs a command and gives what it writes, without what depends on whether modules had been downloaded. A status
// of findings is no failure: go run says it in the output.
func execute(root, command string) (string, error) {
	args := strings.Fields(command)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = root
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	var kept strings.Builder
	for line := range strings.Lines(output.String()) {
		if !strings.HasPrefix(line, "go: downloading ") {
			kept.WriteString(line)
		}
	}
	return kept.String(), nil
}
