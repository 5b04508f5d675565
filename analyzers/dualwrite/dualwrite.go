package dualwrite

import (
	_ "embed"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
)

//go:embed doc.go
var doc string

// Check finds dual writes.
var Check = &check.Check{
	Name: "dualwrite",
	Doc:  check.MustExtractDoc(doc, "dualwrite"),
	Rules: []check.Rule{
		{ID: "dualwrite/after-commit", Checklist: []int{1}, Tier: check.Error, Summary: "a committed change is followed by a direct publish"},
		{ID: "dualwrite/inside-tx", Checklist: []int{2}, Tier: check.Error, Summary: "an event is published while a transaction is open"},
		{ID: "dualwrite/no-tx", Checklist: []int{1}, Tier: check.Error, Summary: "an autocommit write is followed by a publish"},
		{ID: "dualwrite/before-write", Checklist: []int{1, 2}, Tier: check.Error, Summary: "an event is published before the write that it announces"},
		{ID: "dualwrite/escaped-write", Checklist: []int{1, 6}, Tier: check.Error, Summary: "a write goes past the open transaction"},
	},
	Automata: []*flow.Rule{
		{Name: "after", Step: after, Claims: claims},
		{Name: "before", Step: before, Claims: claims},
		{Name: "escaped", Step: escaped},
	},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }
