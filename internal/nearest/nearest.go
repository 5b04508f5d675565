// Package nearest finds the names that a misspelt word was probably meant to be.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

// Names gives the names that a word was probably meant to be, the likeliest first.
func Names(word string, names []string) []string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, name := range names {
		bound := min(len(word), len(name)) / 3 // short words are all alike
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d <= bound {
			found = append(found, near{name, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	out := make([]string, len(found))
	for i, n := range found {
		out[i] = n.name
	}
	return out
}

// distance counts the letters that have to be inserted, deleted, replaced or swapped with their neighbour to make b of
// a: the slips that hands make.
func distance(a, b string) int {
	before, prev, row := []int(nil), make([]int, len(b)+1), []int(nil)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(b)]
}
