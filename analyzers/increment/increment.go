package increment

import (
	_ "embed"
	"fmt"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/dedupe"
	"github.com/dmlint/dmlint/internal/flow"
)

//go:embed doc.go
var doc string

// Check finds changes in message handlers that a redelivered message makes again.
var Check = &check.Check{
	Name: "increment",
	Doc:  check.MustExtractDoc(doc, "increment"),
	Rules: []check.Rule{
		{ID: "increment/unguarded", Checklist: []int{5, 15}, Tier: check.Error, Summary: "a message handler adds to what is stored and does not notice a message that comes again"},
		{ID: "increment/unkeyed-insert", Checklist: []int{5}, Tier: check.Advice, Summary: "a message handler inserts a row under a key that has nothing of the message"},
	},
	Automata: []*flow.Rule{dedupe.Rule},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

// rules names the rule of each flaw of a change that nothing guards.
var rules = map[dedupe.Flaw]string{
	dedupe.Unguarded: "increment/unguarded",
	dedupe.Unkeyed:   "increment/unkeyed-insert",
}

func judge(p *flow.Program, hits []*flow.Hit) []*check.Finding {
	return dedupe.Findings(Check, p, hits, rules, words)
}

func words(v *dedupe.Verdict, file string) dedupe.Words {
	w := dedupe.Words{Consequence: "the message is delivered again and its effect is applied twice"}
	from := check.Place(v.Unit, file)
	if v.Fresh {
		w.Message = fmt.Sprintf("%s gets a key of its own for every delivery of the message handled at %s: a redelivered message inserts it again", dedupe.Change(v), from)
		w.Advice = "take the row's key from the message and let a unique constraint refuse the second insert, or record the message's ID in the same transaction"
		return w
	}
	w.Message = fmt.Sprintf("%s is repeated when the message handled at %s is delivered again: nothing here notices a message that was seen before", dedupe.Change(v), from)
	if v.Late {
		w.Message += ", and it is recorded only afterwards, elsewhere"
	}
	w.Advice = "insert the message's ID into an inbox table with a unique key, in the same transaction, and skip the change when the row is there"
	return w
}
