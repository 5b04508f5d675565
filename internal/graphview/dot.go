package graphview

import (
	"fmt"
	"io"
	"strings"
)

// DOT writes a view for Graphviz: a cluster for each function, solid edges for the order of steps, dashed ones from a
// step to the closure that it runs.
func (v *View) DOT(w io.Writer) error {
	d := &dotWriter{}
	d.line(0, "digraph effects {")
	d.line(1, "node [shape=box, fontname=monospace, fontsize=10]; edge [fontname=monospace, fontsize=9];")
	d.view(v)
	d.line(0, "}")
	_, err := io.WriteString(w, d.b.String())
	return err
}

type dotWriter struct {
	b        strings.Builder
	clusters int
}

func (d *dotWriter) line(depth int, format string, args ...any) {
	d.b.WriteString(strings.Repeat("\t", depth) + fmt.Sprintf(format, args...) + "\n")
}

// view writes one function and its closures, and gives the name of its entry node.
func (d *dotWriter) view(v *View) (entry string) {
	d.clusters++
	prefix := fmt.Sprintf("f%d_", d.clusters)
	d.line(1, "subgraph cluster_%d {", d.clusters)
	d.line(2, "label=%q;", v.title())
	entry = prefix + "entry"
	d.line(2, "%s [shape=point];", entry)
	for _, r := range v.rows {
		d.line(2, "%s%d [label=%q];", prefix, r.number, label(r))
	}
	exits := map[string]bool{}
	d.edges(prefix, "entry", out{"", v.entry}, exits)
	for _, r := range v.rows {
		for _, o := range r.outs {
			d.edges(prefix, fmt.Sprint(r.number), o, exits)
		}
	}
	d.line(1, "}")
	for _, inner := range v.inner {
		to := d.view(inner)
		for _, r := range v.rows {
			if mentions(r, closureName(inner.graph.Name)) {
				d.line(1, "%s%d -> %s [style=dashed];", prefix, r.number, to)
			}
		}
	}
	return entry
}

// edges writes the edges of one way out of a step, and the exits that they lead to where they are new.
func (d *dotWriter) edges(prefix, from string, o out, exits map[string]bool) {
	for _, t := range o.targets {
		to := fmt.Sprintf("%q", prefix+t.exit)
		switch {
		case t.row != nil:
			to = fmt.Sprintf("%s%d", prefix, t.row.number)
		case !exits[t.exit]:
			exits[t.exit] = true
			d.line(2, "%s [label=%q, shape=plaintext];", to, t.exit)
		}
		attributes := ""
		if o.label != "" {
			attributes = fmt.Sprintf(" [label=%q]", o.label)
		}
		d.line(2, "%s%s -> %s%s;", prefix, from, to, attributes)
	}
}

func label(r *row) string {
	s := fmt.Sprintf("%d %s", r.number, r.what)
	if r.via != "" {
		s += "\nvia " + r.via
	}
	if r.gives != "" {
		s += " → " + r.gives
	}
	return s
}

// mentions reports whether a step runs or hands on a closure.
func mentions(r *row, closure string) bool {
	for _, word := range strings.FieldsFunc(r.what+" "+r.gives, func(c rune) bool { return strings.ContainsRune(" (),|", c) }) {
		if word == closure {
			return true
		}
	}
	return false
}
