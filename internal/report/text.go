package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dmlint/dmlint/internal/check"
)

// Style says how findings are written for people.
type Style struct {
	// Full adds to each finding's line the source of its window, the path through helpers and what to do instead.
	Full bool
	// Color marks places and ends with terminal colours.
	Color bool
}

// Text writes each finding on a line that editors, grep and problem matchers understand and, in full style, what the
// eye needs below it.
func Text(w io.Writer, r Report, style Style) error {
	t := &textWriter{r: r, style: style, sources: map[string][]string{}}
	for _, f := range r.Findings {
		t.headline(f)
		if style.Full {
			t.line("")
			t.window(f)
			t.remarks(f)
			t.line("")
		}
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textWriter struct {
	r       Report
	style   Style
	b       strings.Builder
	sources map[string][]string // lines by file
}

func (t *textWriter) line(format string, args ...any) {
	t.b.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " "))
	t.b.WriteByte('\n')
}

func (t *textWriter) headline(f *check.Finding) {
	place := fmt.Sprintf("%s:%d:%d:", t.r.Relative(f.File), f.Pos.Line, f.Pos.Col)
	t.line("%s %s %s", t.paint(bold, place), strings.ReplaceAll(f.Message, "\n", " "), t.paint(dim, ruleOf(f)))
}

// ruleOf names what a finding breaks: "(dualwrite/after-commit, checklist 1)".
func ruleOf(f *check.Finding) string {
	parts := []string{f.Rule}
	if len(f.Checklist) > 0 {
		items := make([]string, len(f.Checklist))
		for i, n := range f.Checklist {
			items[i] = strconv.Itoa(n)
		}
		parts = append(parts, "checklist "+strings.Join(items, ", "))
	}
	if f.Tier != check.Error {
		parts = append(parts, string(f.Tier))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// An end is one side of a window: the line where it begins, and the steps below it through helpers.
type end struct {
	check.Step
	source string
	steps  []check.Step
}

// ends splits the trace in the two chains that the window's steps head.
func (t *textWriter) ends(f *check.Finding) []end {
	split := len(f.Trace)
	for i := len(f.Trace) - 1; i > 0; i-- {
		if samePlace(f.Trace[i], f.Window.To) {
			split = i
			break
		}
	}
	from, to := end{Step: f.Window.From}, end{Step: f.Window.To}
	if split > 0 && samePlace(f.Trace[0], from.Step) {
		from.steps = f.Trace[1:split]
	}
	if split < len(f.Trace) {
		to.steps = f.Trace[split+1:]
	}
	ends := []end{from, to}
	for i := range ends {
		ends[i].source = t.source(ends[i].File, ends[i].Line)
	}
	dedent(ends)
	return ends
}

func samePlace(a, b check.Step) bool {
	return a.File == b.File && a.Line == b.Line && a.Column == b.Column
}

// window shows the source of both ends, how each gets to its effect, and between them what goes wrong.
func (t *textWriter) window(f *check.Finding) {
	ends := t.ends(f)
	digits, width := 0, 0
	for _, e := range ends {
		digits = max(digits, len(strconv.Itoa(e.Line)))
		width = max(width, utf8.RuneCountInString(e.source))
	}
	gutter := strings.Repeat(" ", 5+digits)
	for i, e := range ends {
		if i > 0 {
			t.line("%s ┆ %s %s", gutter, t.paint(red, "✗"), f.Window.Consequence)
		}
		effect := e.Effect
		if e.File != f.File {
			effect += ", " + t.r.Relative(e.File)
		}
		padding := strings.Repeat(" ", width-utf8.RuneCountInString(e.source))
		t.line("   %s %*d │ %s%s   %s", t.paint(red, "●"), digits, e.Line, e.source, padding, t.paint(bold, effect))
		t.helpers(gutter+"   ", e.steps)
	}
}

// helpers writes the path from an end's line down to its effect.
func (t *textWriter) helpers(indent string, steps []check.Step) {
	for i, s := range steps {
		t.line("%s%s└ %s   %s", indent, strings.Repeat("  ", i), s.Function, t.paint(dim, t.place(s)))
	}
	if n := len(steps); n > 0 && steps[n-1].Note != "" {
		t.line("%s%s└ %s", indent, strings.Repeat("  ", n), steps[n-1].Note)
	}
}

func (t *textWriter) place(s check.Step) string {
	return fmt.Sprintf("%s:%d", t.r.Relative(s.File), s.Line)
}

// remarks says where else the same cause does damage, and what to do instead.
func (t *textWriter) remarks(f *check.Finding) {
	var also []string
	for _, s := range f.Related {
		place := fmt.Sprintf("%s (%s)", t.place(s), s.Effect)
		if (s.File != f.File || s.Line != f.Pos.Line) && !slices.Contains(also, place) {
			also = append(also, place)
		}
	}
	if len(also) > 0 {
		t.line("\n   also: %s", strings.Join(also, ", "))
	}
	if f.Advice != "" {
		t.line("\n   instead: %s", f.Advice)
	}
}

// The colours, as terminal attributes.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

func (t *textWriter) paint(attribute, s string) string {
	if !t.style.Color || s == "" {
		return s
	}
	return "\x1b[" + attribute + "m" + s + "\x1b[0m"
}
