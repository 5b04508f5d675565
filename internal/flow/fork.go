package flow

import (
	"maps"
	"slices"
	"sync"

	"github.com/dmlint/dmlint/internal/effect"
)

// SideBySide does several works at once, each with a fork of the program. A work must not touch another's fork.
func (p *Program) SideBySide(works []func(fork *Program)) {
	forks := make([]*Program, len(works))
	for i := range works {
		forks[i] = p.fork()
	}
	var running sync.WaitGroup
	for i, work := range works {
		running.Go(func() {
			work(forks[i])
			forks[i].frames = nil
		})
	}
	running.Wait()
}

// fork is the program with its own room for what a rule adds to it on the way: values, frames, classes of handles and
// statements that were read. All else is shared, and not changed once the program is prepared.
func (p *Program) fork() *Program {
	q := *p
	q.values, q.bases = p.values.clone(), p.bases.clone()
	q.frames, q.resolved = map[string]*frame{}, map[resolvedKey]*effect.Effect{}
	q.ran, q.judged = map[*Rule]*runResult{}, map[*Rule]any{}
	q.reachedBy, q.reaches, q.written, q.statements, q.calledAt, q.callsOf = nil, nil, nil, nil, nil, nil
	return &q
}

func (vs *values) clone() *values {
	return &values{sets: slices.Clone(vs.sets), byKey: maps.Clone(vs.byKey), closures: slices.Clone(vs.closures), byClos: maps.Clone(vs.byClos),
		texts: slices.Clone(vs.texts), byText: maps.Clone(vs.byText), kinds: slices.Clone(vs.kinds)}
}

func (b *bases) clone() *bases {
	return &bases{parent: maps.Clone(b.parent), ids: maps.Clone(b.ids), names: slices.Clone(b.names), apart: b.apart, kept: b.kept}
}
