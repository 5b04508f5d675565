package dedupe

import (
	"slices"
	"strconv"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// judgePair says what is wrong with a check or record that is not in the transaction of the change.
func (j *judgement) judgePair(pr *pair) {
	switch {
	case pr.guard.Graph.Generated || retried(pr):
		return
	case pr.kind == lateKind: // the first step is the change, which may be anybody's work under any key
		j.judgeLate(pr)
		return
	case pr.kind == tailKind:
		j.judgeTail(pr)
		return
	}
	g := pr.guard.Leaf().Effect
	if g == nil || j.madeKey(pr.guard) || isKey(g.Kind) && throttles(pr.guard) {
		return
	}
	switch pr.kind {
	case againKind:
		j.judgeAgain(pr)
	case innerKind:
		if isRecord(g) && strength(g) > weak && !honoured(g, pr.sides) && j.harms(pr) {
			j.blame(Ignored, pr)
		}
	case outerKind:
		j.judgeOuter(pr)
	}
}

// retried reports whether the second step is made by the same function as the first, which was handed in and is called
// once more: what it has done is tried again.
func retried(pr *pair) bool {
	n, ran := pr.guard.Node, pr.guard.Sub
	return n != nil && ran != nil && ran.Graph == pr.chain.Graph && len(n.Fun) > 0 && flow.HandedIn(n.Fun)
}

func (j *judgement) judgeOuter(pr *pair) {
	g := pr.guard.Leaf().Effect
	if !j.harms(pr) && !(isRecord(g) && strength(g) > weak && j.works(pr)) || j.held(pr.chain, pr.where, "") {
		return
	}
	switch {
	case g.Kind == model.Claim:
		if honoured(g, pr.sides) && j.handled(pr.chain) {
			j.blame(CheckOutside, pr)
		}
	case g.Kind == model.Remember:
		return // a cache that is filled, or a check that is already blamed
	case isRecord(g):
		switch {
		case strength(g) == weak, strength(g) < strong && !j.handled(pr.chain) && honoured(g, pr.sides):
		case honoured(g, pr.sides):
			j.blame(Outside, pr)
		case j.harms(pr):
			j.blame(Ignored, pr)
		}
	case decides(pr.sides) && j.actsOn(pr):
		j.blame(CheckOutside, pr)
	}
}

// actsOn reports whether a check is about what is then changed, or about the message: a check of something else is a
// validation.
func (j *judgement) actsOn(pr *pair) bool {
	g := pr.guard.Leaf().Effect
	if g.Kind == model.Lookup {
		return j.handled(pr.chain) && j.remembered(pr.guard) && (!pr.sides.has(sifted) && !sorts(pr.guard) || j.putAfter(pr))
	}
	if strength(g) > weak {
		return true
	}
	if !j.handled(pr.chain) || g.Table == "" {
		return false
	}
	return j.writesTable(pr.guard, g.Table)
}

// remembered reports whether a key is put into the store that a lookup has asked, after it: what is only asked holds
// something else than messages, such as what is switched on for whom.
func (j *judgement) remembered(guard *flow.Witness) bool {
	look, stem := guard.Leaf().Effect, guard.Stem().Node
	return slices.ContainsFunc(j.pairs, func(pr *pair) bool {
		e := pr.chain.Leaf().Effect
		return pr.kind == outerKind && e != nil && (e.Kind == model.Remember || e.Kind == model.Claim) && pr.guard.Stem().Node == stem && sameStore(look, e)
	})
}

// sorts reports whether a loop puts things into one place or another by the answer of a check.
func sorts(w *flow.Witness) bool {
	for ; w != nil; w = w.Sub {
		if w.Node != nil && sortsBy(w.Graph, w.Node) {
			return true
		}
	}
	return false
}

func sortsBy(g *effect.Graph, n *effect.Node) bool {
	byIt := func(origin int) bool { return g.Origins[origin].Node == n.ID }
	return slices.ContainsFunc(g.Blocks, func(b effect.Block) bool {
		return slices.ContainsFunc(b.Succs, func(e effect.Edge) bool { return slices.ContainsFunc(e.Sorts, byIt) })
	})
}

// putAfter reports whether a key is put into a key-value store after the change: what is put there before it, for the items
// that were not found, fills a cache.
func (j *judgement) putAfter(pr *pair) bool {
	return slices.ContainsFunc(j.pairs, func(o *pair) bool {
		e := o.chain.Leaf().Effect
		return o.kind == lateKind && e != nil && isKey(e.Kind) && leads(chainKey(o.guard), pr.key)
	})
}

// handled reports whether a change is made while a message is being handled.
func (j *judgement) handled(chain *flow.Witness) bool {
	key := chainKey(chain)
	return slices.ContainsFunc(j.doing[chain.Stem().Node], func(d *doing) bool { return leads(d.key, key) })
}

// isBlamed reports whether something was said about a guard of the change.
func (j *judgement) isBlamed(d *doing) bool {
	return slices.ContainsFunc(j.ending[d.chain.Stem().Node], func(pr *pair) bool { return j.blamed[pr.key] && leads(d.key, pr.key) })
}

// harms reports whether the change after a guard doubles.
func (j *judgement) harms(pr *pair) bool {
	switch j.hazardOf(pr.key, pr.chain).kind {
	case hands:
		g := pr.guard.Leaf().Effect
		return g != nil && strength(g) == strong && g.Kind != model.Lookup
	case harmless, counts, unknownRow:
		return false
	}
	return true
}

// works reports whether the change after a record is work that is lost when the process dies between the two.
func (j *judgement) works(pr *pair) bool {
	e := pr.chain.Leaf().Effect
	if e == nil || isRecord(e) && strength(e) > weak {
		return false
	}
	if g := pr.guard.Leaf().Effect; e.Kind == model.Publish && g != nil && isKey(g.Kind) {
		return false // more often a limit on notices than a record of messages
	}
	return e.Kind == model.Publish || e.Kind == model.Write && !isTrail(e)
}

// judgeAgain is a check and then a record elsewhere than in a transaction: two deliveries pass the check at once.
func (j *judgement) judgeAgain(pr *pair) {
	look, record := pr.guard.Leaf().Effect, pr.chain.Leaf().Effect
	if look == nil || record == nil || look.Kind != model.Read || strength(look) < keyed || look.Table != record.Table || !decides(pr.sides) {
		return
	}
	follows := false
	for _, after := range j.pairs {
		if after.kind != outerKind || after.guard.Stem().Node != pr.chain.Stem().Node {
			continue
		}
		if honoured(record, after.sides) {
			return // the record itself holds back whoever passed the check
		}
		follows = true
	}
	if follows {
		j.blame(CheckOutside, pr)
	}
}

// ownWork reports whether a record is one of the program's own work, such as the steps of a process that it runs: nothing
// has come in that could come twice.
func (j *judgement) ownWork(pr *pair) bool {
	return !j.handled(pr.chain) && !j.handled(pr.guard) && j.p.Own(pr.guard)
}

// blame adds a verdict about a guard.
func (j *judgement) blame(f Flaw, pr *pair) {
	if distance(pr.guard) > far || distance(pr.chain) > far || j.ownWork(pr) {
		return
	}
	if f == Late && j.bare(pr) {
		j.bares = append(j.bares, pr.key)
	} else {
		j.blamed[pr.key] = true
	}
	j.ending[pr.chain.Stem().Node] = append(j.ending[pr.chain.Stem().Node], pr)
	j.out = append(j.out, &Verdict{Flaw: f, Tier: check.Error, Doing: pr.chain, Guard: pr.guard, Sum: j.hazardOf(pr.key, pr.chain).sum,
		Late: pr.kind == lateKind || pr.kind == tailKind})
}

// judgeDoing is a change in a handler that nothing guards, not even badly.
func (j *judgement) judgeDoing(d *doing) {
	if j.minor(d) || j.isBlamed(d) || j.held(d.chain, d.where, "") || j.tried(d) {
		return
	}
	away := distance(d.chain)
	if away > 2*far {
		return
	}
	v := &Verdict{Flaw: Unguarded, Tier: check.Error, Doing: d.chain, Unit: d.unit, Sum: d.hazard.sum}
	v.Late = slices.ContainsFunc(j.bares, func(key string) bool { return leads(d.key, key) })
	switch d.hazard.kind {
	case inserts:
		v.Fresh = true
	case mayInsert:
		v.Flaw, v.Tier, v.Fresh = Unkeyed, check.Advice, true
	case counts:
		v.Tier = check.Advice
	}
	if away > far {
		v.Tier = check.Advice
	}
	j.out = append(j.out, v)
}

// minor reports whether nobody is told of a change that nothing guards. Rows that a store appends are most often merged by
// it, or told apart when they are read; only who guards them shows that it matters.
func (j *judgement) minor(d *doing) bool {
	switch d.hazard.kind {
	case harmless, unknownRow, hands, appends:
		return true
	case counts:
		return trivial(d)
	}
	return false
}

// tried reports whether there is a guard elsewhere that decides: what is wrong with it, if anything, is said there.
func (j *judgement) tried(d *doing) bool {
	if d.outer.only(absent) {
		return false
	}
	return slices.ContainsFunc(j.guards(d.chain, d.key, outerKind), func(pr *pair) bool {
		g := pr.guard.Leaf().Effect
		switch {
		case g == nil:
			return false
		case isLook(g):
			return decides(pr.sides) && j.actsOn(pr)
		}
		return honoured(g, pr.sides) && !j.madeKey(pr.guard)
	})
}

// trivial reports whether a counter in a key-value store is one that nobody minds: no key of its own is known.
func trivial(d *doing) bool {
	e := d.chain.Leaf().Effect
	return e == nil || len(e.Message) == 0
}

// guardAt is the step at which a flawed guard is reported: in the function that has the change, too. A result that is
// thrown away is reported where that happens.
func guardAt(v *Verdict) *flow.Witness {
	if e := v.Guard.Leaf().Effect; v.Flaw == NoUnique || v.Flaw == Ignored && e != nil && e.Conflict && !e.Checked {
		if leaf := lastOwn(v.Guard); leaf != nil {
			return leaf
		}
	}
	return closureStep(v.Guard)
}

// closureStep is the step in the innermost closure of a step's own function.
func closureStep(w *flow.Witness) *flow.Witness {
	at := w
	for sub := w; sub.Sub != nil && sub.Sub.Node != nil && sub.Sub.Pkg != nil; sub = sub.Sub {
		if sub.Sub.Graph.Parent == at.Graph.ID {
			at = sub.Sub
		}
	}
	return at
}

// lastOwn is the innermost step that stands in code of the program.
func lastOwn(w *flow.Witness) *flow.Witness {
	var last *flow.Witness
	for ; w != nil; w = w.Sub {
		if w.Pkg != nil && w.Node != nil && !w.Graph.Generated && !w.Graph.Wrapper {
			last = w
		}
	}
	return last
}

// far is how many calls away a step may be to be part of the same work: no hand-labelled window in public services has an
// end more than six calls away.
const far = 6

// distance is how many calls away a step is. What is started in the background further down is nobody's answer to a
// message.
func distance(w *flow.Witness) int {
	n := w.Depth()
	for w = w.Sub; w != nil && w.Pkg != nil; w = w.Sub {
		if w.Node != nil && w.Node.Mode == effect.Started {
			n += far
		}
	}
	return n
}

// reported is the step at which an unguarded change is reported: the library's call, or what calls the function of another
// package that does nothing else. Where others than handlers do the same work, it is right for them, and the handler's call
// of it is what is wrong.
func reported(p *flow.Program, v *Verdict) *flow.Witness {
	var chain []*flow.Witness
	for w := v.Doing; w != nil; w = w.Sub {
		chain = append(chain, w)
	}
	i := len(chain) - 1
	for i > 0 && (chain[i].Pkg == nil || chain[i].Graph.Generated || chain[i].Graph.Wrapper || chain[i].Node == nil) {
		i--
	}
	for i > 0 && chain[i-1].Graph.Pkg != chain[i].Graph.Pkg && chain[i].Graph.Parent == "" && p.Thin(chain[i].Graph) && !madeIn(chain[i]) && !dispatched(chain[i-1]) {
		i--
	}
	return handlersCall(p, chain[:i+1], v.Unit.Graph.Pkg)
}

// dispatched reports whether a step hands on what it is given to whoever handles that type: no wrapper, but somebody's work.
func dispatched(w *flow.Witness) bool { return w.Node != nil && w.Node.Dispatched }

// handlersCall is the last step of a chain, or the handler's call of what leads there, if others do the same. Machinery that
// calls whatever function it is given is no handler's.
func handlersCall(p *flow.Program, chain []*flow.Witness, pkg string) *flow.Witness {
	last := len(chain) - 1
	i := last
	for i > 0 && chain[i].Graph.Pkg != pkg && !p.Handles(chain[i].Graph) && p.Shared(chain[i].Graph) && chain[i-1].Pkg != nil && chain[i-1].Node != nil && !chain[i-1].Graph.Generated {
		i--
	}
	if n := chain[i].Node; n != nil && n.Op == effect.OpCall && n.Callee == "" && n.Method.IsZero() {
		return chain[last]
	}
	return chain[i]
}

// madeIn reports whether a step is given something that its own function makes.
func madeIn(w *flow.Witness) bool {
	e := w.Leaf().Effect
	return w.Node != nil && slices.ContainsFunc(w.Node.Parts, func(part effect.Part) bool {
		field := part.Field
		if i, err := strconv.Atoi(field); err == nil && e != nil && i < len(e.Columns) {
			field = e.Columns[i]
		}
		return part.From.Kind == effect.MadeSource && effect.KeyName(field)
	})
}
