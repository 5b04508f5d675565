package dualwrite

import (
	"fmt"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// finding writes a candidate out for people.
func (c *candidate) finding() *check.Finding {
	f := Check.Report(c.rule, c.tier, c.at)
	f.Message, f.Window.Consequence, f.Advice = c.words(f.File)
	f.Window.From = check.StepOf(c.first, effectWord(c.first))
	f.Window.To = check.StepOf(c.last, effectWord(c.last))
	f.Trace = append(check.Chain(c.first, effectWord(c.first)), check.Chain(c.last, effectWord(c.last))...)
	for _, o := range c.others {
		f.Related = append(f.Related, check.StepOf(o.at, effectWord(o.at)))
	}
	return f
}

func effectWord(w *flow.Witness) string {
	e := w.Leaf().Effect
	if e == nil {
		return "call"
	}
	word := string(e.Kind)
	if e.Kind == model.Run {
		word = "commit"
	}
	if e.Table != "" && !strings.Contains(e.Table, "hole") {
		word += " " + e.Table
	}
	return word
}

// what names the thing that a step writes.
func what(w *flow.Witness) string {
	e := w.Leaf().Effect
	for _, x := range writesOf(w) {
		if y := x.Leaf().Effect; y != nil && y.Table != "" {
			e = y
			break
		}
	}
	if e == nil || e.Table == "" || strings.Contains(e.Table, "hole") {
		return "the change"
	}
	return "the change of " + e.Table
}

func (c *candidate) words(file string) (message, consequence, advice string) {
	at := func(w *flow.Witness) string { return check.Place(w, file) }
	switch c.rule {
	case "dualwrite/after-commit":
		return fmt.Sprintf("%s is committed at %s and its event is published here: a crash between the two loses the event", what(c.first), at(c.first)),
			"the change exists and nobody is told", "insert the event into an outbox table in the same transaction and let a relay publish it"
	case "dualwrite/no-tx":
		return fmt.Sprintf("%s is written at %s without a transaction and its event is published here: a crash between the two loses the event", what(c.first), at(c.first)),
			"the change exists and nobody is told", "write the change and an outbox row in one transaction and let a relay publish the row"
	case "dualwrite/inside-tx":
		write := c.first
		if isPublish(write) {
			write = c.last
		}
		return fmt.Sprintf("the event is published here while the transaction that holds %s (%s) may still roll back: a rollback leaves an event for something that never happened", what(write), at(write)),
			"the event is out and the change is rolled back", "insert the event into an outbox table through the transaction instead of publishing it"
	case "dualwrite/before-write":
		return fmt.Sprintf("the event is published here before %s is written at %s: a crash or a failed write leaves an event for something that never happened", what(c.last), at(c.last)),
			"the event is out and the change is missing", "write the change and an outbox row in one transaction and let a relay publish the row"
	}
	likely := ""
	if c.tier == check.Advice {
		likely = "what is likely "
	}
	return fmt.Sprintf("%s goes through %sthe same database's own handle and not through the transaction opened at %s: it stays when the transaction rolls back", what(c.last), likely, at(c.first)),
		"the write is durable although the transaction is not", "use the transaction's handle here"
}
