package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// ratio is how often b goes into a; 0 where nothing was measured.
func ratio[T time.Duration | int64](a, b T) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// withinLimits says which ratios are too large.
func withinLimits(rows []row, l limits, w io.Writer) bool {
	within := true
	check := func(module, what string, got, most float64) {
		if got > most {
			fmt.Fprintf(w, "bench: %s: %s is %.2f times the baseline's, and %.2f is allowed\n", module, what, got, most)
			within = false
		}
	}
	for _, r := range rows {
		check(r.module, "wall time", ratio(r.dmlint.wall, r.baseline.wall), l.wall)
		check(r.module, "peak memory", ratio(r.dmlint.memory, r.baseline.memory), l.memory)
	}
	return within
}

var header = []string{"module", "packages", "run", "wall", "CPU", "peak memory"}

// cells are the lines of the table.
func cells(rows []row) [][]string {
	var lines [][]string
	for _, r := range rows {
		lines = append(lines,
			append([]string{r.module, r.built, "load and SSA"}, figures(r.baseline)...),
			append([]string{"", "", "dmlint"}, figures(r.dmlint)...),
			[]string{"", "", "ratio", times(ratio(r.dmlint.wall, r.baseline.wall)), times(ratio(r.dmlint.cpu, r.baseline.cpu)),
				times(ratio(r.dmlint.memory, r.baseline.memory))})
	}
	return lines
}

func figures(c cost) []string {
	return []string{fmt.Sprintf("%.2f s", c.wall.Seconds()), fmt.Sprintf("%.2f s", c.cpu.Seconds()), fmt.Sprintf("%d MB", c.memory/1e6)}
}

func times(r float64) string { return fmt.Sprintf("%.2f ×", r) }

func write(w io.Writer, rows []row, markdown bool) error {
	if markdown {
		return writeMarkdown(w, rows)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(tw, strings.Join(header, "\t"))
	for _, line := range cells(rows) {
		fmt.Fprintln(tw, strings.Join(line, "\t"))
	}
	return tw.Flush()
}

func writeMarkdown(w io.Writer, rows []row) error {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(header)
	line([]string{"---", "---", "---", "---:", "---:", "---:"})
	for _, l := range cells(rows) {
		line(l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
