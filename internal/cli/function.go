package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/nearest"
)

// maxCandidates is how many functions are listed where a name fits several or none.
const maxCandidates = 10

// findFunction finds the function that a name means: the whole name of one, or the end of one's name.
func findFunction(p *effect.Program, name string) (*effect.Graph, error) {
	want := plain(name)
	var whole, ends []*effect.Graph
	var ids []string
	for _, pkg := range p.Packages {
		for _, g := range pkg.Graphs {
			if g.Wrapper {
				continue
			}
			id, shown := plain(string(g.ID)), plain(g.Name)
			ids = append(ids, id)
			switch {
			case id == want || shown == want:
				whole = append(whole, g)
			case endsIn(id, want) || endsIn(shown, want):
				ends = append(ends, g)
			}
		}
	}
	found := whole
	if len(found) == 0 {
		found = ends
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, noFunction(name, want, ids)
	}
	return nil, fmt.Errorf("%s is the name of %d functions; write more of the one that you mean:%s", name, len(found), candidates(found))
}

// plain writes a function's name without what people leave out: the star and the parentheses of a receiver.
func plain(name string) string { return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name) }

// endsIn reports whether name ends in whole elements that are suffix.
func endsIn(name, suffix string) bool {
	rest, ok := strings.CutSuffix(name, suffix)
	return ok && suffix != "" && (strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// candidates lists functions, one a line, as they can be written on the command line without quotes.
func candidates(gs []*effect.Graph) string {
	var names []string
	for _, g := range gs {
		names = append(names, plain(string(g.ID)))
	}
	slices.Sort(names)
	more := ""
	if n := len(names) - maxCandidates; n > 0 {
		names, more = names[:maxCandidates], fmt.Sprintf("\n\tand %d more", n)
	}
	return "\n\t" + strings.Join(names, "\n\t") + more
}

// maxNear is how many names are suggested.
const maxNear = 3

// noFunction names functions that may have been meant: those whose last elements are spelt nearly alike, or else those
// of the same name elsewhere.
func noFunction(name, want string, ids []string) error {
	want = want[strings.LastIndex(want, "/")+1:]
	elements := strings.Count(want, ".") + 1
	last := lastElements(want, 1)
	var ends, namesakes []string
	for _, id := range ids {
		if end := lastElements(id, elements); !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
		if lastElements(id, 1) == last {
			namesakes = append(namesakes, id)
		}
	}
	near := nearest.Names(want, ends)
	if len(near) == 0 {
		near = namesakes
	}
	if len(near) == 0 {
		return fmt.Errorf("there is no function %s in the module", name)
	}
	return fmt.Errorf("there is no function %s in the module: did you mean %s?", name, strings.Join(near[:min(len(near), maxNear)], ", "))
}

// lastElements gives the last n elements of a function's plain name, which dots separate after the last slash.
func lastElements(name string, n int) string {
	parts := strings.Split(name[strings.LastIndex(name, "/")+1:], ".")
	return strings.Join(parts[max(0, len(parts)-n):], ".")
}
