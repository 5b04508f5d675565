// Package config reads .dmlint.yaml, in which a module says what its code does not show.
//
// The file is read strictly: an unknown key or a value of the wrong kind is an error, since a setting that nobody reads
// would look like one that works. All errors of a file are found at once.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Name is the name of the file, in the directory of the module's go.mod.
const Name = ".dmlint.yaml"

// Config is what the file of a module says. The zero Config is that of a module without one.
type Config struct {
	// File is the file's path, "" if there is none.
	File string
	// Handlers are functions and methods that handle messages, by symbol: (*example.com/shop/orders.Service).OnPaid. A
	// method of an interface stands for all that implement it.
	Handlers []Item
	// Inbox are the tables whose rows say which messages have been handled, without schemas.
	Inbox []Item
}

// An Item is a text with the place where it stands.
type Item struct {
	Text         string
	Line, Column int
}

// Texts gives the texts of items.
func Texts(items []Item) []string {
	var texts []string
	for _, it := range items {
		texts = append(texts, it.Text)
	}
	return texts
}

// A Problem is something in the file that is wrong.
type Problem struct {
	File         string
	Line, Column int
	Message      string
}

// Error implements error.
func (p Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Problems are all that is wrong with a file, in the order of its lines.
type Problems []Problem

// Sort puts problems into the order of their lines.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
}

// Error implements error: one line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Load reads the file of the module in a directory; problems name it relative to another, if it is below that. That there
// is no file is no error, and neither is "" for the module. What can be read is returned beside the problems, so that it
// can be looked at, too.
func Load(module, from string) (*Config, Problems, error) {
	if module == "" {
		return &Config{}, nil, nil
	}
	name := filepath.Join(module, Name)
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Config{}, nil, nil
	case err != nil:
		return nil, nil, err
	}
	if from, err = filepath.Abs(from); err == nil {
		if rel, err := filepath.Rel(from, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	c, problems := Parse(filepath.ToSlash(name), text)
	return c, problems, nil
}
