package inboxorder

import (
	_ "embed"
	"fmt"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/dedupe"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

//go:embed doc.go
var doc string

// Check finds attempts to notice a message that comes again which do not hold.
var Check = &check.Check{
	Name: "inboxorder",
	Doc:  check.MustExtractDoc(doc, "inboxorder"),
	Rules: []check.Rule{
		{ID: "inboxorder/check-outside", Checklist: []int{7}, Tier: check.Error, Summary: "a message is looked up before and outside the transaction of its effect"},
		{ID: "inboxorder/record-outside", Checklist: []int{6}, Tier: check.Error, Summary: "a message is recorded in another transaction or store than its effect"},
		{ID: "inboxorder/ignored-conflict", Checklist: []int{5}, Tier: check.Error, Summary: "a message is recorded and nobody looks whether it was there already"},
		{ID: "inboxorder/no-unique", Checklist: []int{5}, Tier: check.Error, Summary: "the table of recorded messages has no unique key on the message's ID"},
	},
	Automata: []*flow.Rule{dedupe.Rule},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

// rules names the rule of each flaw of a guard.
var rules = map[dedupe.Flaw]string{
	dedupe.CheckOutside: "inboxorder/check-outside",
	dedupe.Outside:      "inboxorder/record-outside",
	dedupe.Late:         "inboxorder/record-outside",
	dedupe.Ignored:      "inboxorder/ignored-conflict",
	dedupe.NoUnique:     "inboxorder/no-unique",
}

func judge(p *flow.Program, hits []*flow.Hit) []*check.Finding {
	return dedupe.Findings(Check, p, hits, rules, words)
}

func words(v *dedupe.Verdict, file string) dedupe.Words {
	change, at := dedupe.Change(v), check.Place(v.Doing, file)
	inbox := "insert the message's ID into an inbox table with a unique key, in the transaction of the effect, and skip the effect when the row is there"
	switch v.Flaw {
	case dedupe.CheckOutside:
		if e := v.Guard.Leaf().Effect; e != nil && e.Kind == model.Claim {
			return dedupe.Words{
				Message:     fmt.Sprintf("the message is marked as seen here, in another store than %s (%s): a crash between the two loses the message, and a mark that expires lets it through twice", change, at),
				Consequence: "the message counts as handled and its effect is missing", Advice: inbox}
		}
		return dedupe.Words{
			Message:     fmt.Sprintf("whether the message was seen before is asked here, outside the transaction of %s (%s): two deliveries at once both get past it", change, at),
			Consequence: "both deliveries apply the effect", Advice: inbox}
	case dedupe.Outside:
		return dedupe.Words{
			Message:     fmt.Sprintf("the message is recorded here as handled before %s (%s), and not in its transaction: a crash between the two loses the effect, since the next delivery is skipped", change, at),
			Consequence: "the message counts as handled and its effect is missing", Advice: inbox}
	case dedupe.Late:
		return dedupe.Words{
			Message:     fmt.Sprintf("the message is recorded here, after %s (%s) and not in its transaction: a crash between the two applies the effect again when the message is redelivered", change, at),
			Consequence: "the effect is there, the record is missing, and the next delivery applies it again", Advice: inbox}
	case dedupe.NoUnique:
		return dedupe.Words{
			Message:     "the message is recorded here in a table that has no unique key on its ID: two deliveries at once both insert it",
			Consequence: "both deliveries apply the effect", Advice: "add a unique key on the message's ID"}
	}
	return dedupe.Words{
		Message:     fmt.Sprintf("the message is recorded here and nothing looks whether it was there already: a message that comes again applies %s (%s) again", change, at),
		Consequence: "the effect is applied twice", Advice: "look at the conflict or at the number of rows, and skip the effect when the row was there"}
}
