package dedupe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// A Flaw is what is wrong with how a message that comes again is met.
type Flaw string

// The flaws.
const (
	Unguarded    Flaw = "unguarded"     // nothing holds the second delivery back
	Unkeyed      Flaw = "unkeyed"       // the same for a row that has nothing of the message as its key
	CheckOutside Flaw = "check-outside" // the check is not in the change's transaction
	Outside      Flaw = "outside"       // the record is not in the change's transaction
	Late         Flaw = "late"          // the same, and the record comes after the change
	Ignored      Flaw = "ignored"       // the record's conflict is not looked at
	NoUnique     Flaw = "no-unique"     // the record's table has no unique key on what identifies the message
)

// A Verdict is one flaw.
type Verdict struct {
	Flaw Flaw
	Tier check.Tier
	// Doing is the change that is made twice or lost; Guard the check or record that is flawed, if there is one.
	Doing, Guard *flow.Witness
	// Unit is where the message comes in, if that is known.
	Unit *flow.Witness
	// Sum is where what a write stores was added to.
	Sum *flow.Sum
	// Late says that the guard comes after the change; where there is none to blame, that a record of the message does.
	Late bool
	// Fresh says that the change is an insert under a key that is made on the spot, or made by the database.
	Fresh bool
}

// doing is a change in a handler, over all paths that lead to it.
type doing struct {
	key         string // the steps of chain
	unit, chain *flow.Witness
	where       flow.Where
	outer       sides
	hazard      hazard
}

// sides is a set of sides.
type sides uint8

func (s sides) has(v side) bool { return s&(1<<v) != 0 }

func (s sides) only(v side) bool { return s == 1<<v }

func (s *sides) add(v side) { *s |= 1 << v }

// pair is a check or record with a change after it, over all paths from one to the other.
type pair struct {
	key          string // the steps of chain
	guard, chain *flow.Witness
	kind         string
	graph        *effect.Graph // the function that has both
	where        flow.Where
	sides        sides
	firsts       sides // the same after the first branch on the answer
}

// judgement is the work of judging one program.
type judgement struct {
	p      *flow.Program
	doings []*doing
	pairs  []*pair
	out    []*Verdict
	// blamed are the changes whose guard something was said about, by their steps.
	blamed map[string]bool
	// bares are the changes that are recorded too late and are judged by themselves all the same, by their steps.
	bares []string
	// hazards are what the changes that were asked about do when they are made again, by their steps.
	hazards map[string]hazard
	// ending and doing find pairs and changes by their innermost step.
	ending map[*effect.Node][]*pair
	doing  map[*effect.Node][]*doing
}

// Judge makes verdicts of hits, once for all checks that ask.
func Judge(p *flow.Program, hits []*flow.Hit) []*Verdict {
	return p.Judged(Rule, func() any { return judge(p, hits) }).([]*Verdict)
}

func judge(p *flow.Program, hits []*flow.Hit) []*Verdict {
	j := &judgement{p: p, blamed: map[string]bool{}, hazards: map[string]hazard{},
		ending: map[*effect.Node][]*pair{}, doing: map[*effect.Node][]*doing{}}
	j.gather(hits)
	for _, pr := range j.pairs {
		j.judgePair(pr)
	}
	for _, d := range j.doings {
		j.judgeDoing(d)
	}
	j.judgeKeys()
	return j.out
}

// gather unites the hits of all paths.
func (j *judgement) gather(hits []*flow.Hit) {
	doings, pairs := map[string]*doing{}, map[string]*pair{}
	for _, h := range hits {
		if h.Pkg == nil || h.Pkg.Harness {
			continue
		}
		key := h.Kind + chainKey(h.First) + ">" + chainKey(h.Later)
		if h.Kind == doesKind {
			d := doings[key]
			if d == nil {
				d = &doing{key: chainKey(h.Later), unit: h.First, chain: h.Later, where: h.Where}
				d.hazard = j.hazardOf(d.key, h.Later)
				doings[key] = d
				j.doing[h.Later.Stem().Node] = append(j.doing[h.Later.Stem().Node], d)
				j.doings = append(j.doings, d)
			}
			d.outer.add(get(h.Bits, outerShift))
			continue
		}
		pr := pairs[key]
		if pr == nil {
			pr = &pair{key: chainKey(h.Later), guard: h.First, chain: h.Later, kind: h.Kind, graph: h.Graph, where: h.Where}
			pairs[key] = pr
			j.pairs = append(j.pairs, pr)
			j.ending[h.Later.Stem().Node] = append(j.ending[h.Later.Stem().Node], pr)
		}
		shift := outerShift
		if h.Kind == innerKind {
			shift = innerShift
		}
		pr.sides.add(get(h.Bits, shift))
		pr.firsts.add(first(h.Bits))
	}
}

// hazardOf says what the change that a chain leads to does when it is made again.
func (j *judgement) hazardOf(key string, chain *flow.Witness) hazard {
	h, ok := j.hazards[key]
	if !ok {
		h = classify(j.p, chain)
		j.hazards[key] = h
	}
	return h
}

// chainKey names the steps of a witness.
func chainKey(w *flow.Witness) string {
	var sb strings.Builder
	for ; w != nil; w = w.Sub {
		id := 0
		if w.Node != nil {
			id = w.Node.ID
		}
		fmt.Fprintf(&sb, "/%s#%d", w.Graph.ID, id)
	}
	return sb.String()
}

// honoured reports whether a record holds a second delivery back: its conflict, or the count of rows, decides whether
// the change is made.
func honoured(e *effect.Effect, s sides) bool {
	bad := s.has(failed) || s.has(failedYes) && s.has(failedNo)
	if s.has(sifted) {
		return true
	}
	if e.Kind == model.Remember || e.Kind == model.Write && !claims(e) {
		return !bad && !s.has(failedYes) && !s.has(failedNo)
	}
	tested := s.has(yes) != s.has(no)
	if e.Kind == model.Claim {
		return tested
	}
	return tested && !s.has(untested) || e.Checked && s.has(untested) && !s.has(failed)
}

// decides reports whether a check decides: the change is made for one answer only.
func decides(s sides) bool {
	switch {
	case s.has(sifted):
		return true // the path around the loop has no items
	case s.has(untested):
		return false
	}
	return s.has(yes) != s.has(no) || !s.has(yes) && !s.has(no) && (s.has(failed) || s.has(failedYes) != s.has(failedNo))
}

// leads reports whether one chain of steps is the end of the other: both lead to the same step in the same way, one of
// them from further out.
func leads(a, b string) bool { return strings.HasSuffix(a, b) || strings.HasSuffix(b, a) }

// guards lists the checks and records of a kind before the change that a chain leads to.
func (j *judgement) guards(chain *flow.Witness, key, kind string) []*pair {
	var out []*pair
	for _, pr := range j.ending[chain.Stem().Node] {
		if pr.kind == kind && leads(key, pr.key) {
			out = append(out, pr)
		}
	}
	return out
}

// held reports whether something in the change's own transaction holds a second delivery back. A check of the store named
// does not count: what is recorded there comes too late.
func (j *judgement) held(chain *flow.Witness, where flow.Where, late string) bool {
	key := chainKey(chain)
	for _, pr := range j.guards(chain, key, innerKind) {
		if e := pr.guard.Leaf().Effect; j.good(pr) && (late == "" || e.Kind != model.Read || e.Table != late) {
			return true
		}
	}
	if where != flow.Inside {
		return false
	}
	for _, d := range j.doing[chain.Stem().Node] {
		if leads(d.key, key) && j.undone(d) {
			return true
		}
	}
	return false
}

// undone reports whether a unique key that is hit in the transaction of a change, before it or after it, undoes it for a
// message that comes again.
func (j *judgement) undone(d *doing) bool {
	return slices.ContainsFunc(j.doings, func(o *doing) bool {
		return o.where == flow.Inside && o.unit.Graph == d.unit.Graph && o.unit.Node == d.unit.Node && o.chain.Stem().Node != d.chain.Stem().Node &&
			j.keyed(o.chain) && j.oneTransaction(d.chain, o.chain)
	})
}

// oneTransaction reports whether two steps of a unit are in one transaction: none is begun on the way to either after
// their ways part.
func (j *judgement) oneTransaction(a, b *flow.Witness) bool {
	for a.Sub != nil && b.Sub != nil && a.Graph == b.Graph && a.Node == b.Node {
		a, b = a.Sub, b.Sub
	}
	if a.Graph != b.Graph && (j.p.Begins(a.Graph) || j.p.Begins(b.Graph)) {
		return false // two of the functions that one call can reach
	}
	return !j.begins(a) && !j.begins(b) && !(a.Graph == b.Graph && apart(scopes(a.Node), scopes(b.Node)))
}

// scopes are the transactions, begun in a step's own function, that the step goes through or hands on.
func scopes(n *effect.Node) []int {
	var out []int
	note := func(rs effect.Roots) {
		for _, r := range rs {
			if r.Kind == effect.ScopeRoot {
				out = append(out, r.Node)
			}
		}
	}
	if n == nil {
		return nil
	}
	if n.Effect != nil {
		note(n.Effect.Handle)
	}
	for _, rs := range n.Args {
		note(rs)
	}
	return out
}

// apart reports whether both steps go through transactions that are known, and none of them is the other's.
func apart(a, b []int) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(id int) bool { return slices.Contains(b, id) })
}

// begins reports whether a transaction is begun below a step.
func (j *judgement) begins(w *flow.Witness) bool {
	if w.Node != nil && w.Node.Effect != nil && w.Node.Effect.Kind == model.Run {
		return true
	}
	for w = w.Sub; w != nil; w = w.Sub {
		if j.p.Begins(w.Graph) {
			return true
		}
	}
	return false
}

// document reports whether a write stores a document, whose key is one of its fields.
func document(e *effect.Effect) bool {
	return strings.Contains(e.Symbol, "mongo-driver") || strings.Contains(e.Symbol, "/mgo")
}

// sameUnit reports whether a change belongs to a unit in which the chain's innermost step happens, too.
func sameUnit(d *doing, chain *flow.Witness) bool {
	return d.unit.Graph == chain.Graph || slices.ContainsFunc(graphsOf(d.chain), func(g *effect.Graph) bool { return slices.Contains(graphsOf(chain), g) })
}

func graphsOf(w *flow.Witness) []*effect.Graph {
	var out []*effect.Graph
	for ; w != nil; w = w.Sub {
		out = append(out, w.Graph)
	}
	return out
}

// keyed reports whether a write fails, or does nothing, for a message that comes again.
func (j *judgement) keyed(chain *flow.Witness) bool {
	e := chain.Leaf().Effect
	if e != nil && e.Kind == model.Ack {
		return true // a job that is completed in the transaction is not run again
	}
	if e == nil || e.Kind != model.Write {
		return false
	}
	if e.Guarded && e.Checked || e.Conflict && e.Checked {
		return true
	}
	return isInsert(e) && !e.Conflict && (naturalKey(j.p, chain) || document(e) && insertHazard(j.p, chain, e) == unknownRow)
}

// good reports whether a check or record in the change's transaction is worth something.
func (j *judgement) good(pr *pair) bool {
	e := pr.guard.Leaf().Effect
	if e == nil {
		return false
	}
	if isLook(e) {
		decided := decides(pr.sides) || decides(pr.firsts)
		return decided && (strength(e) > weak || j.writesTable(pr.chain, e.Table)) || takes(e)
	}
	return honoured(e, pr.sides) && !j.madeKey(pr.guard)
}

// madeKey reports whether a record's key is made on the spot: it recognises nothing.
func (j *judgement) madeKey(w *flow.Witness) bool {
	e := w.Leaf().Effect
	if e == nil || !isInsert(e) {
		return false
	}
	keys := j.p.Keys(w)
	message := slices.ContainsFunc(keys, func(k flow.Key) bool { return isMessageKey(k.Column) && !k.Made })
	made := slices.ContainsFunc(keys, func(k flow.Key) bool { return k.Made && (isMessageKey(k.Column) || flow.Identifies(k.Column, e.Table)) })
	return made && !message
}

// writesTable reports whether a table is written in a unit to which a step belongs: a check of one that is not is no
// answer to whether the work was done.
func (j *judgement) writesTable(chain *flow.Witness, table string) bool {
	return slices.ContainsFunc(j.doings, func(d *doing) bool {
		e := d.chain.Leaf().Effect
		return e != nil && e.Kind == model.Write && e.Table == table && sameUnit(d, chain)
	})
}
