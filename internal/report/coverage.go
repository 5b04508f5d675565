package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
)

// Coverage writes what was found and what was seen in one line, so that a run which saw nothing is not mistaken for a
// clean one. With showUnknown the line is preceded by the unknown calls, the most frequent first.
func Coverage(w io.Writer, r Report, showUnknown bool) error {
	var b strings.Builder
	if showUnknown {
		writeUnknown(&b, r.Result.Coverage.Unknown)
	}
	fmt.Fprintln(&b, coverageLine(r, showUnknown))
	_, err := io.WriteString(w, b.String())
	return err
}

func coverageLine(r Report, showUnknown bool) string {
	c := r.Result.Coverage
	line := fmt.Sprintf("dmlint: %s in %s: %s, %s, %s, %s", r.tally(), count(c.Packages, "package"), count(c.Handlers, "handler"),
		count(c.Transactions, "transaction"), count(c.Publishes, "publish"), count(c.Writes, "write"))
	var gaps []string
	if c.UnknownCalls > 0 {
		gap := count(c.UnknownCalls, "unknown call") + " inside transactions"
		if !showUnknown {
			gap += " (--show-unknown)"
		}
		gaps = append(gaps, gap)
	}
	if c.OpaqueSQL > 0 {
		gaps = append(gaps, count(c.OpaqueSQL, "statement")+" whose SQL was not found")
	}
	if n := len(c.GaveUp); n > 0 {
		gaps = append(gaps, count(n, "function")+" given up")
	}
	if len(gaps) > 0 {
		line += "; " + strings.Join(gaps, ", ")
	}
	return line
}

// tally counts the findings by tier: "3 findings (2 errors, 1 advice)".
func (r Report) tally() string {
	if len(r.Findings) == 0 {
		return "no findings"
	}
	errors := 0
	for _, f := range r.Findings {
		if f.Tier == check.Error {
			errors++
		}
	}
	var tiers []string
	if errors > 0 {
		tiers = append(tiers, count(errors, "error"))
	}
	if advice := len(r.Findings) - errors; advice > 0 {
		tiers = append(tiers, fmt.Sprintf("%d advice", advice))
	}
	return fmt.Sprintf("%s (%s)", count(len(r.Findings), "finding"), strings.Join(tiers, ", "))
}

func count(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "sh"):
		return fmt.Sprintf("%d %ses", n, thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func writeUnknown(w io.Writer, unknown map[string]int) {
	symbols := slices.SortedFunc(maps.Keys(unknown), func(a, b string) int {
		return cmp.Or(cmp.Compare(unknown[b], unknown[a]), cmp.Compare(a, b))
	})
	for _, symbol := range symbols {
		fmt.Fprintf(w, "dmlint: unknown: %4d  %s\n", unknown[symbol], symbol)
	}
}
