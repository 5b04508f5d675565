package checklist

import (
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/evidence"
)

// A Verdict is what can be said of an item from the code alone.
type Verdict string

// The verdicts.
const (
	Broken  Verdict = "broken"       // a rule found where it is broken
	Held    Verdict = "held"         // the code does what the item is about, or shows that it is kept, and no rule found a flaw
	Seen    Verdict = "seen"         // there is code for it; whether it is enough, people say
	Nothing Verdict = "nothing seen" // nothing for it was seen, or the code does nothing that it is about
	People  Verdict = "for people"   // only advice was found, which is for people to judge
)

// A Judgement is an item with its verdict and what speaks for it.
type Judgement struct {
	Item
	Verdict  Verdict
	Findings []*check.Finding
	// Evidence shows where the item is kept, About what in the code it is about.
	Evidence, About []evidence.Fact
	// Concerned says that the code does what the item is about.
	Concerned bool
}

// Judge gives each item its verdict from what was found and seen.
func Judge(findings []*check.Finding, seen []evidence.Fact) []Judgement {
	var out []Judgement
	for _, item := range Items() {
		j := Judgement{Item: item, Concerned: item.concerns(seen)}
		for _, f := range findings {
			if slices.Contains(item.Rules, f.Rule) || j.Concerned && slices.Contains(item.Within, f.Rule) {
				j.Findings = append(j.Findings, f)
			}
		}
		if j.Concerned || !item.Strict {
			j.Evidence = kinds(seen, item.Honoured)
		}
		if j.Concerned {
			j.About = kinds(seen, item.About)
		}
		j.Verdict = j.verdict()
		out = append(out, j)
	}
	return out
}

func kinds(seen []evidence.Fact, of []evidence.Kind) []evidence.Fact {
	var out []evidence.Fact
	for _, f := range seen {
		if slices.Contains(of, f.Kind) {
			out = append(out, f)
		}
	}
	return out
}

// concerns reports whether the code does what the item is about.
func (i Item) concerns(seen []evidence.Fact) bool {
	return !slices.ContainsFunc(i.About, func(k evidence.Kind) bool {
		return !slices.ContainsFunc(seen, func(f evidence.Fact) bool { return f.Kind == k })
	})
}

func (j *Judgement) verdict() Verdict {
	honoured := len(j.Evidence) > 0
	switch {
	case slices.ContainsFunc(j.Findings, func(f *check.Finding) bool { return f.Tier == check.Error }):
		return Broken
	case len(j.Findings) > 0:
		return People
	case j.Held != "" && honoured, j.Held == Clean && j.Concerned:
		return Held
	case honoured:
		return Seen
	}
	return Nothing
}
