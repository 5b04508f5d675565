package flow

import "slices"

// spread gives what can be come to from some functions by steps, these included.
func spread(from []*graph, steps func(g *graph) []*graph) map[*graph]bool {
	found := map[*graph]bool{}
	work := slices.Clone(from)
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if g != nil && !found[g] {
			found[g] = true
			work = append(work, steps(g)...)
		}
	}
	return found
}
