package flow

import (
	"maps"
	"slices"
	"sync"

	"github.com/dmlint/dmlint/internal/effect"
)

// RunAll runs groups of rules side by side and keeps what they find for [Program.Run]. The rules of a group run one after
// the other, since they share what is worked out about functions on the way.
func (p *Program) RunAll(groups [][]*Rule) {
	forks := make([]*Program, len(groups))
	for i := range groups {
		forks[i] = p.fork()
	}
	var running sync.WaitGroup
	for i, group := range groups {
		running.Go(func() {
			for _, rule := range group {
				forks[i].Run(rule)
			}
			forks[i].frames = nil
		})
	}
	running.Wait()
	for _, f := range forks {
		maps.Copy(p.ran, f.ran)
	}
}

// fork is the program with its own room for what a rule adds to it on the way: values, frames, classes of handles and
// statements that were read. All else is shared, and not changed once the program is prepared.
func (p *Program) fork() *Program {
	q := *p
	q.values, q.bases = p.values.clone(), p.bases.clone()
	q.frames, q.resolved = map[string]*frame{}, map[resolvedKey]*effect.Effect{}
	q.ran, q.judged = map[*Rule]*runResult{}, map[*Rule]any{}
	q.reachedBy, q.reaches, q.written, q.statements = nil, nil, nil, nil
	return &q
}

func (vs *values) clone() *values {
	return &values{sets: slices.Clone(vs.sets), byKey: maps.Clone(vs.byKey), closures: slices.Clone(vs.closures), byClos: maps.Clone(vs.byClos),
		texts: slices.Clone(vs.texts), byText: maps.Clone(vs.byText), kinds: slices.Clone(vs.kinds)}
}

func (b *bases) clone() *bases {
	return &bases{parent: maps.Clone(b.parent), ids: maps.Clone(b.ids), names: slices.Clone(b.names), apart: b.apart, kept: b.kept}
}
