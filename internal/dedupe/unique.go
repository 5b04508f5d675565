package dedupe

import (
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// judgeKeys looks at the tables that messages are recorded in: without a unique key two deliveries both get in.
func (j *judgement) judgeKeys() {
	seen := map[string]bool{}
	judge := func(record *flow.Witness) {
		e := record.Leaf().Effect
		if e == nil || seen[e.Table] || !j.lacksKey(e) || j.madeKey(record) {
			return
		}
		seen[e.Table] = true
		j.out = append(j.out, &Verdict{Flaw: NoUnique, Tier: check.Error, Doing: record, Guard: record})
	}
	for _, pr := range j.pairs {
		judge(pr.guard)
		if pr.kind == lateKind || pr.kind == tailKind {
			judge(pr.chain)
		}
	}
	for _, d := range j.doings {
		judge(d.chain)
	}
}

// lacksKey reports whether a message is recorded in a table whose definition has no unique key among what is inserted.
func (j *judgement) lacksKey(e *effect.Effect) bool {
	if e.Kind != model.Write || e.Verb != sqltext.Insert || !IsStore(e) || len(e.Columns) == 0 || slices.ContainsFunc(e.Columns, sqltext.HasHole) {
		return false
	}
	keys, known := uniqueKeys(j.p, e.Table)
	made := j.p.Schema().Generated(e.Table)
	return known && !slices.ContainsFunc(keys, func(key []string) bool {
		return len(key) > 0 && !slices.ContainsFunc(key, func(c string) bool { return !slices.Contains(e.Columns, c) || slices.Contains(made, c) })
	})
}
