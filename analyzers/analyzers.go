// Package analyzers lists every analyzer of dmlint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/dmlint/dmlint/analyzers/ackorder"
	"github.com/dmlint/dmlint/analyzers/dualwrite"
	"github.com/dmlint/dmlint/analyzers/inboxorder"
	"github.com/dmlint/dmlint/analyzers/increment"
	"github.com/dmlint/dmlint/analyzers/orderkey"
	"github.com/dmlint/dmlint/analyzers/poison"
	"github.com/dmlint/dmlint/analyzers/relay"
	"github.com/dmlint/dmlint/analyzers/sideeffect"
	"github.com/dmlint/dmlint/analyzers/transition"
	"github.com/dmlint/dmlint/internal/check"
)

// All are the checks in the order in which they are documented.
func All() []*check.Check {
	return []*check.Check{dualwrite.Check, inboxorder.Check, increment.Check, ackorder.Check, sideeffect.Check, relay.Check, orderkey.Check, transition.Check, poison.Check}
}

// Analyzers are the same checks for drivers that see one package at a time: go vet, golangci-lint, Bazel's nogo.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{dualwrite.Analyzer, inboxorder.Analyzer, increment.Analyzer, ackorder.Analyzer, sideeffect.Analyzer, relay.Analyzer, orderkey.Analyzer, transition.Analyzer, poison.Analyzer}
}
