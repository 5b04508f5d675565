package graphview

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dmlint/dmlint/internal/effect"
)

// Text writes a view as a table: a line for each step, and below it what a call reaches. The function rel shortens the
// names of files.
func (v *View) Text(w io.Writer, rel func(file string) string) error {
	t := &textWriter{rel: rel}
	t.view(v, "", "")
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textWriter struct {
	b   strings.Builder
	rel func(string) string
}

func (t *textWriter) line(indent, format string, args ...any) {
	t.b.WriteString(strings.TrimRight(indent+fmt.Sprintf(format, args...), " ") + "\n")
}

// view writes one function; a closure comes below the function that it stands in.
func (t *textWriter) view(v *View, indent, file string) {
	place := v.place()
	if name := t.rel(v.file()); name != file {
		file = name
		place = file + place
	}
	t.line(indent, "%s   %s", v.title(), place)
	if looked := v.looked(); len(looked) > 0 {
		t.line(indent, "  roots: %s", strings.Join(looked, ", "))
	}
	if captured := v.captured(); len(captured) > 0 {
		t.line(indent, "  captures: %s", strings.Join(captured, ", "))
	}
	t.rows(v, indent)
	if deferred := v.deferred(); len(deferred) > 0 {
		t.line(indent, "  deferred, run on exit: %s", strings.Join(deferred, ", "))
	}
	if returned := v.returned(); returned != "" {
		t.line(indent, "  returns: %s", returned)
	}
	if v.hidden > 0 {
		t.line(indent, "  (calls without effects that are left out: %d)", v.hidden)
	}
	for _, inner := range v.inner {
		t.line("", "")
		t.view(inner, indent+"  ", file)
	}
}

func (t *textWriter) rows(v *View, indent string) {
	if len(v.rows) == 0 {
		t.line(indent, "  no effects")
		return
	}
	if first := (target{row: v.rows[0]}); len(v.entry) != 1 || v.entry[0] != first {
		t.line(indent, "  entry →%s", list(nil, v.entry))
	}
	cells := make([][4]string, len(v.rows))
	for i, r := range v.rows {
		cells[i] = [4]string{fmt.Sprintf("%3d  :%d", r.number, r.pos.Line), r.what, prefixed("via ", r.via), prefixed("→ ", r.gives)}
	}
	widths := columnWidths(cells)
	for i, r := range v.rows {
		line := ""
		for c, cell := range cells[i] {
			if widths[c] > 0 {
				line += pad(cell, widths[c]) + "  "
			}
		}
		t.line(indent, "%s%s", line, outsOf(r))
		for _, note := range r.notes {
			t.line(indent, "       ⇒ %s", note)
		}
	}
}

// maxColumn bounds the width of a column: a longer cell pushes the rest of its own line only.
const maxColumn = 56

func columnWidths(cells [][4]string) [4]int {
	var widths [4]int
	for _, line := range cells {
		for c, cell := range line {
			if n := utf8.RuneCountInString(cell); n <= maxColumn {
				widths[c] = max(widths[c], n)
			}
		}
	}
	return widths
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// outsOf writes the edges of a step: "ok→3  err→exit(err)".
func outsOf(r *row) string {
	if len(r.outs) == 0 {
		return "not reached unless something panics"
	}
	parts := make([]string, len(r.outs))
	for i, o := range r.outs {
		parts[i] = o.label + "→" + list(r, o.targets)
	}
	return strings.Join(parts, "  ")
}

// list writes targets; an arrow marks those to which a loop goes back.
func list(from *row, targets []target) string {
	words := make([]string, len(targets))
	for i, t := range targets {
		words[i] = t.String()
		if from != nil && t.row != nil && t.row.number <= from.number {
			words[i] = "↺" + words[i]
		}
	}
	return strings.Join(words, "|")
}

// looked lists the parameters that a handle or a function value of some step comes from.
func (v *View) looked() []string {
	var used effect.Bits
	note := func(roots effect.Roots) {
		for _, r := range roots {
			if r.Kind == effect.ParamRoot {
				used.Set(r.Index)
			}
		}
	}
	for _, r := range v.rows {
		n := r.node
		for _, roots := range slices.Concat(n.Args, n.Calls, []effect.Roots{n.Fun, n.Tested}) {
			note(roots)
		}
		if n.Effect != nil {
			note(n.Effect.Handle)
			note(n.Effect.Closure)
		}
	}
	for _, site := range v.graph.Closures {
		note(site.Bound)
		for _, roots := range site.Env {
			note(roots)
		}
	}
	var names []string
	for i := range v.graph.Params {
		if used.Has(i) {
			names = append(names, v.param(i))
		}
	}
	return names
}

func (v *View) file() string {
	if v.pkg == nil || v.graph.Pos.File >= len(v.pkg.Files) {
		return ""
	}
	return v.pkg.Files[v.graph.Pos.File]
}

func (v *View) place() string {
	if !v.graph.Pos.IsValid() {
		return ""
	}
	return fmt.Sprintf(":%d", v.graph.Pos.Line)
}
