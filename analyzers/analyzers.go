// Package analyzers lists every analyzer of dmlint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/dmlint/dmlint/analyzers/ackorder"
	"github.com/dmlint/dmlint/analyzers/dualwrite"
	"github.com/dmlint/dmlint/analyzers/inboxorder"
	"github.com/dmlint/dmlint/analyzers/increment"
	"github.com/dmlint/dmlint/internal/check"
)

// All are the checks in the order in which they are documented.
func All() []*check.Check {
	return []*check.Check{dualwrite.Check, inboxorder.Check, increment.Check, ackorder.Check}
}

// Analyzers are the same checks for drivers that see one package at a time: go vet, golangci-lint, Bazel's nogo.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{dualwrite.Analyzer, inboxorder.Analyzer, increment.Analyzer, ackorder.Analyzer}
}
