package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/checklist"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/evidence"
)

// A Checklist is the review checklist with verdicts, and what looks like part of the pattern and is used by nobody.
type Checklist struct {
	Report
	Items  []checklist.Judgement
	Unused []evidence.Fact
}

// maxPlaces bounds how many places are listed under an item; the rest is counted.
const maxPlaces = 5

// ChecklistText writes the checklist for a terminal.
func ChecklistText(w io.Writer, c Checklist) error {
	return c.write(w, layout{
		item:  func(j checklist.Judgement) string { return fmt.Sprintf("%2d  %-12s  %s", j.Number, j.Verdict, j.Text) },
		place: func(place, text string) string { return "      " + place + ": " + text },
		note:  func(text string) string { return "      " + text },
		title: func(text string) string { return "\n" + text },
	})
}

// ChecklistMarkdown writes it as a task list: an item is ticked where nothing is left to do about it.
func ChecklistMarkdown(w io.Writer, c Checklist) error {
	return c.write(w, layout{
		item: func(j checklist.Judgement) string {
			tick := " "
			if j.Verdict == checklist.Held || j.Verdict == checklist.Nothing && !j.Concerned {
				tick = "x"
			}
			return fmt.Sprintf("- [%s] **%d. %s**: %s", tick, j.Number, j.Text, j.Verdict)
		},
		place: func(place, text string) string { return "  - `" + place + "` " + text },
		note:  func(text string) string { return "  - " + text },
		title: func(text string) string { return "\n### " + text + "\n" },
	})
}

// layout is how one format writes the parts of the list.
type layout struct {
	item  func(j checklist.Judgement) string
	place func(place, text string) string
	note  func(text string) string
	title func(text string) string
}

func (c Checklist) write(w io.Writer, l layout) error {
	var lines []string
	for _, j := range c.Items {
		lines = append(lines, l.item(j))
		lines = append(lines, c.below(j, l)...)
	}
	if len(c.Unused) > 0 {
		lines = append(lines, l.title("Built and not used"))
		lines = append(lines, c.places(c.Unused, l)...)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// below lists what speaks for an item's verdict.
func (c Checklist) below(j checklist.Judgement, l layout) []string {
	var lines []string
	for i, f := range j.Findings {
		if i == maxPlaces {
			lines = append(lines, l.note(fmt.Sprintf("and %d more findings", len(j.Findings)-i)))
			break
		}
		lines = append(lines, l.place(c.place(f.File, f.Pos.Line), findingText(f)))
	}
	if len(j.Findings) == 0 {
		lines = append(lines, c.places(j.Evidence, l)...)
	}
	switch {
	case len(j.Findings)+len(j.Evidence) > 0:
	case !j.Concerned:
		lines = append(lines, l.note("the code has nothing that it is about"))
	case j.Verdict == checklist.Nothing:
		lines = append(lines, l.note("nothing for it was seen, and there is what it is about: "+c.counted(j.About)))
	default:
		lines = append(lines, l.note("no rule found a flaw; there is what it is about: "+c.counted(j.About)))
	}
	if j.Ask != "" && j.Concerned {
		lines = append(lines, l.note("ask: "+j.Ask))
	}
	return lines
}

func findingText(f *check.Finding) string {
	text := strings.ReplaceAll(f.Message, "\n", " ") + " (" + f.Rule
	if f.Tier != check.Error {
		text += ", " + string(f.Tier)
	}
	return text + ")"
}

func (c Checklist) places(facts []evidence.Fact, l layout) []string {
	var lines []string
	for i, f := range facts {
		if i == maxPlaces {
			return append(lines, l.note(fmt.Sprintf("and %d more places", len(facts)-i)))
		}
		if f.File == "" {
			lines = append(lines, l.note(f.Text))
			continue
		}
		lines = append(lines, l.place(c.place(f.File, f.Pos.Line), f.Text))
	}
	return lines
}

// counted says of each kind of evidence how often it was seen, and where first.
func (c Checklist) counted(facts []evidence.Fact) string {
	var parts []string
	for len(facts) > 0 {
		first, n := facts[0], 1
		for n < len(facts) && facts[n].Kind == first.Kind {
			n++
		}
		facts = facts[n:]
		times := "once"
		if n > 1 {
			times = fmt.Sprintf("%d times, first", n)
		}
		parts = append(parts, fmt.Sprintf("%s (%s at %s)", first.Text, times, c.place(first.File, first.Pos.Line)))
	}
	return strings.Join(parts, "; ")
}

func (c Checklist) place(file string, line int) string {
	return fmt.Sprintf("%s:%d", c.Relative(file), line)
}

type jsonChecklist struct {
	Version string      `json:"version"`
	Items   []jsonItem  `json:"items"`
	Unused  []jsonFact  `json:"unused"`
	Errors  []jsonError `json:"errors"`
}

type jsonItem struct {
	Number   int           `json:"number"`
	Text     string        `json:"text"`
	Verdict  string        `json:"verdict"`
	Findings []jsonFinding `json:"findings"`
	Evidence []jsonFact    `json:"evidence"`
	About    []jsonFact    `json:"about"`
	Ask      string        `json:"ask,omitempty"`
}

type jsonFact struct {
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Function string `json:"function,omitempty"`
}

// ChecklistJSON writes one object: the items with all that speaks for their verdicts, and what could not be analysed.
func ChecklistJSON(w io.Writer, c Checklist) error {
	out := jsonChecklist{Version: c.Version, Items: []jsonItem{}, Unused: c.factsJSON(c.Unused), Errors: c.errorsJSON()}
	prints := Fingerprints(c.Result.Findings)
	for _, j := range c.Items {
		item := jsonItem{Number: j.Number, Text: j.Text, Verdict: string(j.Verdict), Ask: j.Ask, Findings: []jsonFinding{}, Evidence: c.factsJSON(j.Evidence), About: c.factsJSON(j.About)}
		for _, f := range j.Findings {
			item.Findings = append(item.Findings, c.findingJSON(f, prints[slices.Index(c.Result.Findings, f)]))
		}
		out.Items = append(out.Items, item)
	}
	return encode(w, out)
}

func (c Checklist) factsJSON(facts []evidence.Fact) []jsonFact {
	out := []jsonFact{}
	for _, f := range facts {
		j := jsonFact{Kind: string(f.Kind), Text: f.Text, Line: f.Pos.Line, Column: f.Pos.Col, Function: f.Function}
		if f.File != "" {
			j.File = c.Relative(f.File)
		}
		out = append(out, j)
	}
	return out
}
