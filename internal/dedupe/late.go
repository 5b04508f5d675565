package dedupe

import (
	"slices"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// turned makes a pair whose record comes second one whose guard it is.
func (pr *pair) turned() *pair {
	return &pair{key: chainKey(pr.guard), guard: pr.chain, chain: pr.guard, kind: pr.kind}
}

// judgeLate is a record that comes after the change and does not share its transaction.
func (j *judgement) judgeLate(pr *pair) {
	record := pr.chain.Leaf().Effect
	if record == nil || strength(record) < keyed || record.Kind == model.Remember && !j.handled(pr.chain) {
		return
	}
	if e := pr.guard.Leaf().Effect; e != nil && e.Kind == model.Publish || j.madeKey(pr.chain) {
		return
	}
	if (isKey(record.Kind) || pr.guard.Leaf().Effect == nil) && !j.lookedUpBefore(pr) || isKey(record.Kind) && throttles(pr.chain) {
		return
	}
	late := pr.turned()
	if !j.harms(late) || j.held(pr.guard, flow.Inside, record.Table) {
		return
	}
	j.blame(Late, late)
}

// judgeTail is a record after the change whose conflict nobody looks at: even in the change's own transaction it tells a
// second delivery nothing.
func (j *judgement) judgeTail(pr *pair) {
	record := pr.chain.Leaf().Effect
	tail := pr.turned()
	if record == nil || strength(record) < keyed || !j.harms(tail) || j.madeKey(pr.chain) || j.held(pr.guard, flow.Inside, record.Table) {
		return
	}
	j.blame(Ignored, tail)
}

// lookedUpBefore reports whether the change that a key is put after was made because that key was not there. Whoever looks
// for a key, calls what was handed in and puts its result there has a cache: for such work the key has to be claimed.
func (j *judgement) lookedUpBefore(pr *pair) bool {
	change, work := pr.guard.Stem().Node, pr.guard.Leaf().Effect == nil
	return slices.ContainsFunc(j.pairs, func(o *pair) bool {
		e := o.guard.Leaf().Effect
		return o.kind == outerKind && o.graph == pr.graph && o.chain.Stem().Node == change && asksKey(e) && !(work && e.Kind == model.Lookup) && (decides(o.sides) || honoured(e, o.sides))
	})
}

// bare reports whether a change that is recorded too late is to be judged by itself, too: an addition in another file than
// the record, whose reader sees nothing that ever asks. What asks before it is still weighed.
func (j *judgement) bare(pr *pair) bool {
	h := j.hazardOf(pr.key, pr.chain)
	at := lastOwn(pr.chain)
	if h.kind != adds && h.kind != rereads || at == nil {
		return false
	}
	file := check.FileOf(at)
	if h.sum != nil {
		file = check.FileIn(h.sum.Pkg, h.sum.Pos)
	}
	return file != check.FileOf(closureStep(pr.guard))
}
