package ackorder

import (
	_ "embed"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
)

//go:embed doc.go
var doc string

const (
	ackFirst  = "ackorder/ack-first"
	swallowed = "ackorder/swallowed-error"
)

// Check finds messages that are confirmed although their effect has not happened.
var Check = &check.Check{
	Name: "ackorder",
	Doc:  check.MustExtractDoc(doc, "ackorder"),
	Rules: []check.Rule{
		{ID: ackFirst, Checklist: []int{12, 18}, Tier: check.Error, Summary: "a message is confirmed before its effect has happened"},
		{ID: swallowed, Checklist: []int{12, 16}, Tier: check.Error, Summary: "the effect of a message has failed and the message is confirmed all the same"},
	},
	Automata: []*flow.Rule{{Name: "ackorder", Step: step, Starts: starts, Acts: true, Gathers: []flow.Mark{failed, apart}}},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

func starts(p *flow.Program) []effect.FuncID { return p.HandlerIDs() }
