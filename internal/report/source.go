package report

import (
	"os"
	"strings"
	"unicode/utf8"
)

// tabWidth is how far a tab indents in excerpts.
const tabWidth = 4

// maxSource is how many characters of a source line are shown: the effect beside it should stay on the screen.
const maxSource = 76

// source gives a line of a file, with tabs expanded; "" where the file cannot be read any more.
func (t *textWriter) source(file string, line int) string {
	lines, ok := t.sources[file]
	if !ok {
		if data, err := os.ReadFile(file); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		t.sources[file] = lines
	}
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.ReplaceAll(strings.TrimRight(lines[line-1], " \t\r"), "\t", strings.Repeat(" ", tabWidth))
}

// dedent takes off the indentation that the lines have in common, and shortens what is too long.
func dedent(ends []end) {
	common := -1
	for _, e := range ends {
		if indent := len(e.source) - len(strings.TrimLeft(e.source, " ")); e.source != "" && (common < 0 || indent < common) {
			common = indent
		}
	}
	for i := range ends {
		s := ends[i].source
		if s != "" {
			s = s[common:]
		}
		if utf8.RuneCountInString(s) > maxSource {
			s = string([]rune(s)[:maxSource-1]) + "…"
		}
		ends[i].source = s
	}
}
