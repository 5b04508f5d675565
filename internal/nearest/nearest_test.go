package nearest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	flags := []string{"format", "tier", "tags", "timings", "C"}
	for word, want := range map[string][]string{
		"fromat":  {"format"}, // two letters swapped
		"formt":   {"format"}, // one left out
		"formatt": {"format"}, // one too many
		"Format":  {"format"},
		"tiers":   {"tier"},
		"tixr":    {"tier"},
		"timing":  {"timings"},
		"x":       {},
		"output":  {},
		"":        {},
	} {
		assert.Equal(t, want, Names(word, flags), word)
	}
	assert.Equal(t, []string{"abcd", "abxx"}, Names("abcx", []string{"abxx", "abcd", "zzzz"}), "equally near ones by name")
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"check", "chekc", 1}, {"check", "chck", 1}, {"graph", "grpha", 2}, {"kitten", "sitting", 3}} {
		assert.Equal(t, c.want, distance(c.a, c.b), "%s %s", c.a, c.b)
		assert.Equal(t, c.want, distance(c.b, c.a), "%s %s", c.b, c.a)
	}
}
