package check

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/dmlint/dmlint/internal/flow"
)

// Outboxes is a fact: the tables that a package, or one below it, publishes rows from. The relay is seldom among what the
// functions of a package lead to, so that the effect graphs of the packages below do not tell.
type Outboxes struct {
	Tables []string // sorted
}

// AFact marks Outboxes as a go/analysis fact.
func (*Outboxes) AFact() {}

// String describes the fact for people.
func (o *Outboxes) String() string { return fmt.Sprint("outboxes ", o.Tables) }

// shareOutboxes tells a program (nil where there is none) of the outboxes that the imports know, and those who import the
// package of all of them.
func shareOutboxes(pass *analysis.Pass, program *flow.Program) {
	tables := map[string]bool{}
	for _, imp := range pass.Pkg.Imports() {
		var known Outboxes
		if pass.ImportPackageFact(imp, &known) {
			for _, t := range known.Tables {
				tables[t] = true
			}
		}
	}
	if program != nil {
		maps.Copy(program.Outboxes, tables)
		tables = program.Outboxes
	}
	if len(tables) > 0 {
		pass.ExportPackageFact(&Outboxes{slices.Sorted(maps.Keys(tables))})
	}
}
