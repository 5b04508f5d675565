// Package analyzers lists every analyzer of dmlint.
package analyzers

import (
	"github.com/dmlint/dmlint/analyzers/dualwrite"
	"github.com/dmlint/dmlint/internal/check"
)

// All are the checks in the order in which they are documented.
func All() []*check.Check { return []*check.Check{dualwrite.Check} }
