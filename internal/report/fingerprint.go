package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"

	"github.com/dmlint/dmlint/internal/check"
)

// Fingerprints gives each finding a name that outlives edits around it, so that a baseline and a code host recognise it
// again: it is made of the rule, the package, and the functions and effects along the trace, never of lines or files.
// Findings that agree in all of that are told apart by their order.
func Fingerprints(fs []*check.Finding) []string {
	prints := make([]string, len(fs))
	seen := map[string]int{}
	for i, f := range fs {
		print := fingerprint(f)
		seen[print]++
		if n := seen[print]; n > 1 {
			print = fmt.Sprintf("%s-%d", print, n)
		}
		prints[i] = print
	}
	return prints
}

// fingerprintBytes is how much of the hash is kept: enough that no two findings of one repository meet by accident.
const fingerprintBytes = 16

func fingerprint(f *check.Finding) string {
	h := sha256.New()
	part := func(s string) { io.WriteString(h, s+"\x00") }
	part(f.Rule)
	part(f.Package)
	part(unnumbered(f.Function))
	for _, s := range f.Trace {
		part(unnumbered(s.Function))
		part(s.Effect)
	}
	return hex.EncodeToString(h.Sum(nil)[:fingerprintBytes])
}

var closureNumber = regexp.MustCompile(`\$\d+`)

// unnumbered takes the numbers off closures, since these count the closures before them.
func unnumbered(function string) string { return closureNumber.ReplaceAllString(function, "$") }
