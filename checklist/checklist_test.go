package checklist_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/analyzers"
	"github.com/dmlint/dmlint/checklist"
	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/evidence"
)

// verdicts are those of each item for the package that keeps it and for the one that does not.
var verdicts = map[int][2]checklist.Verdict{
	1: {checklist.Held, checklist.Broken}, 2: {checklist.Held, checklist.Broken}, 3: {checklist.Held, checklist.Broken},
	4: {checklist.Seen, checklist.Nothing}, 5: {checklist.Held, checklist.Broken}, 6: {checklist.Held, checklist.Broken},
	7: {checklist.Held, checklist.Broken}, 8: {checklist.Held, checklist.People}, 9: {checklist.Held, checklist.People},
	10: {checklist.Seen, checklist.Broken}, 11: {checklist.Seen, checklist.People}, 12: {checklist.Held, checklist.Broken},
	13: {checklist.Seen, checklist.Nothing}, 14: {checklist.Held, checklist.People}, 15: {checklist.Held, checklist.People},
	16: {checklist.Seen, checklist.Broken}, 17: {checklist.Seen, checklist.Nothing}, 18: {checklist.Held, checklist.Broken},
	19: {checklist.Held, checklist.Broken}, 20: {checklist.Seen, checklist.People},
}

// TestVerdictsFollowTheCode judges two packages for each item, which differ in what the item demands.
func TestVerdictsFollowTheCode(t *testing.T) {
	res, err := driver.Run(context.Background(), driver.Config{Dir: "../testdata/checklist"}, analyzers.All())
	require.NoError(t, err)
	require.Empty(t, res.Errors)
	seen := evidence.Gather(res.Program)
	for _, item := range checklist.Items() {
		for i, name := range []string{"kept", "broken"} {
			path := fmt.Sprintf("dmlint.test/checklist/item%02d/%s", item.Number, name)
			j := judgeOne(item.Number, path, res.Findings, seen)
			assert.Equal(t, verdicts[item.Number][i], j.Verdict, "item %d, %s: %s", item.Number, name, why(j))
		}
	}
}

// judgeOne judges one package by one item.
func judgeOne(number int, path string, findings []*check.Finding, seen []evidence.Fact) checklist.Judgement {
	findings = slices.DeleteFunc(slices.Clone(findings), func(f *check.Finding) bool { return f.Package != path })
	seen = slices.DeleteFunc(slices.Clone(seen), func(f evidence.Fact) bool { return f.Package != path })
	all := checklist.Judge(findings, seen)
	return all[slices.IndexFunc(all, func(j checklist.Judgement) bool { return j.Number == number })]
}

func why(j checklist.Judgement) string {
	var parts []string
	for _, f := range j.Findings {
		parts = append(parts, f.Rule+" "+f.Message)
	}
	for _, f := range slices.Concat(j.Evidence, j.About) {
		parts = append(parts, string(f.Kind))
	}
	return strings.Join(parts, "; ")
}

// TestRulesAndItemsAgree compares the items that a rule's findings name with the items that name the rule.
func TestRulesAndItemsAgree(t *testing.T) {
	items := map[string][]int{}
	for i, item := range checklist.Items() {
		assert.Equal(t, i+1, item.Number)
		for _, rule := range slices.Concat(item.Rules, item.Within) {
			items[rule] = append(items[rule], item.Number)
		}
	}
	for _, c := range analyzers.All() {
		for _, r := range c.Rules {
			for _, n := range r.Checklist {
				assert.Contains(t, items[r.ID], n, "%s names an item that does not name it", r.ID)
			}
			delete(items, r.ID)
		}
	}
	assert.Empty(t, items, "no check has these rules")
}
