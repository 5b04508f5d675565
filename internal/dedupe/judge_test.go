package dedupe

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// A sketch makes handlers by hand. Each is given an open transaction as its parameter 0, and nothing else.
type sketch struct{ pkg *effect.Package }

func newSketch() *sketch {
	return &sketch{pkg: &effect.Package{Path: "p", Name: "p", Files: []string{"p.go"}}}
}

// fn adds a function; its nodes are numbered from 1, and each result of theirs has an origin of the same number.
func (s *sketch) fn(name string, blocks ...effect.Block) *effect.Graph {
	g := &effect.Graph{ID: effect.FuncID("p." + name), Name: "p." + name, Pkg: "p", Blocks: blocks,
		Params: []effect.Param{{Name: "tx", Role: effect.TxOnly}}, Origins: []effect.Origin{{}}}
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			n := &g.Blocks[b].Nodes[i]
			n.ID = len(g.Origins)
			n.Pos = effect.Pos{Line: n.ID, Col: 1}
			g.Origins = append(g.Origins, effect.Origin{Kind: effect.CallOrigin, Node: n.ID})
			for v := effect.Var(1); v <= 9; v++ {
				g.Blocks[b].Live.Set(int(v))
			}
		}
	}
	s.pkg.Graphs = append(s.pkg.Graphs, g)
	return g
}

func (s *sketch) handler(name string, blocks ...effect.Block) { s.fn(name, blocks...).Handler = true }

// verdicts are those of each function, by the function's name: "check-outside error 1-2", the lines of guard and change.
func (s *sketch) verdicts() map[string][]string {
	p := &effect.Program{Packages: []*effect.Package{s.pkg}, Graphs: map[effect.FuncID]*effect.Graph{},
		Targets: map[effect.MethodKey][]effect.FuncID{}, PackageOf: map[*effect.Graph]*effect.Package{}}
	for _, g := range s.pkg.Graphs {
		p.Graphs[g.ID], p.PackageOf[g] = g, s.pkg
	}
	prepared := flow.Prepare(p, flow.DefaultOptions())
	hits, _ := prepared.Run(Rule)
	out := map[string][]string{}
	for _, v := range Judge(prepared, hits) {
		name := v.Doing.Graph.Name[len("p."):]
		out[name] = append(out[name], string(v.Flaw)+" "+string(v.Tier))
	}
	return out
}

func do(e *effect.Effect) effect.Node { return effect.Node{Op: effect.OpEffect, Effect: e} }

// inTx does something through the transaction.
func inTx(e *effect.Effect) effect.Node {
	e.Handle = effect.Roots{{Kind: effect.ParamRoot, Index: 0}}
	return do(e)
}

// last is a block that returns.
func last(ns ...effect.Node) effect.Block { return effect.Block{Nodes: ns, Exit: effect.Return} }

// ask goes on to block 1 or 2 by what the node of the number says.
func ask(node int, word string, ns ...effect.Node) effect.Block {
	return effect.Block{Nodes: ns, Exit: effect.Branch, Succs: []effect.Edge{{To: 1}, {To: 2}},
		Cond: effect.Cond{Data: effect.Origins{node}, Words: []string{word}}}
}

// orFail goes on to block 1 where the first node fails.
func orFail(n effect.Node) effect.Block {
	n.Out = []effect.Var{1}
	return effect.Block{Nodes: []effect.Node{n}, Exit: effect.Branch, Succs: []effect.Edge{{To: 1}, {To: 2}},
		Cond: effect.Cond{Tests: []effect.Test{{Var: 1, True: effect.NonZero, False: effect.Zero}}}}
}

func increment() *effect.Effect {
	return with(update("accounts"), func(e *effect.Effect) { e.Increment, e.Added = true, []string{"balance"} })
}

func record() *effect.Effect  { return insertInto("inbox", "message_id") }
func lookup() *effect.Effect  { return selectFrom("inbox", "message_id") }
func swallow() *effect.Effect { return with(record(), conflict) }

func TestUnguarded(t *testing.T) {
	s := newSketch()
	s.handler("adds", last(do(increment())))
	s.handler("addsInTx", last(inTx(increment())))
	s.handler("assigns", last(do(update("accounts"))))
	s.handler("versions", last(do(with(increment(), func(e *effect.Effect) { e.Added = []string{"version"} }))))
	s.handler("counts", last(do(&effect.Effect{Kind: model.Count, Message: effect.Origins{0}})))
	s.handler("inserts", last(do(insertInto("letters", "text"))))
	s.handler("insertsKeyed", last(do(insertInto("letters", "letter_id"))))
	s.fn("Request", last(do(increment())))
	assert.Equal(t, map[string][]string{
		"adds": {"unguarded error"}, "addsInTx": {"unguarded error"}, "counts": {"unguarded advice"}, "inserts": {"unkeyed advice"},
	}, s.verdicts())
}

func TestGuardsInTheTransaction(t *testing.T) {
	s := newSketch()
	s.handler("fails", orFail(inTx(record())), last(), last(inTx(increment())))
	s.handler("passedOver", last(inTx(record()), inTx(increment())))
	s.handler("goesOn", orFail(inTx(record())), last(inTx(increment())), last(inTx(increment())))
	s.handler("looked", ask(1, "rows_affected", inTx(with(swallow(), checked))), last(), last(inTx(increment())))
	s.handler("thrown", last(inTx(swallow()), inTx(increment())))
	s.handler("asked", ask(1, "exists", inTx(lookup())), last(), last(inTx(increment())))
	nothing := ask(1, "exists", inTx(lookup()))
	nothing.Succs[1].To = 1
	s.handler("askedForNothing", nothing, last(inTx(increment())))
	s.handler("after", last(inTx(increment()), inTx(record())))
	got := s.verdicts()
	for _, good := range []string{"fails", "looked", "asked", "after"} {
		assert.Empty(t, got[good], good)
	}
	assert.Equal(t, []string{"ignored error"}, got["thrown"])
	assert.Equal(t, []string{"unguarded error"}, got["askedForNothing"])
	assert.Equal(t, "ignored error", got["goesOn"][0])
	assert.Empty(t, got["passedOver"], "an error that nobody takes is not seen to be passed over")
}

func TestGuardsElsewhere(t *testing.T) {
	s := newSketch()
	s.handler("checks", ask(1, "exists", do(lookup())), last(), last(inTx(increment())))
	s.handler("checksAndRecords", ask(1, "exists", do(lookup())), last(), last(inTx(record()), inTx(increment())))
	s.handler("claims", ask(1, "fresh", do(&effect.Effect{Kind: model.Claim})), last(), last(inTx(increment())))
	s.handler("recordsBefore", ask(1, "rows_affected", do(with(swallow(), checked))), last(), last(inTx(increment())))
	s.handler("recordsAfter", last(do(increment()), do(record())))
	s.handler("harmless", ask(1, "exists", do(lookup())), last(), last(inTx(update("accounts"))))
	s.handler("validates", ask(1, "exists", do(selectFrom("customers", "id"))), last(), last(inTx(increment())))
	assert.Equal(t, map[string][]string{
		"checks": {"check-outside error"}, "claims": {"check-outside error"}, "recordsBefore": {"outside error"},
		"recordsAfter": {"late error"}, "validates": {"unguarded error"},
	}, s.verdicts())
}

// A record that lies in a caller is said to be flawed where both are in sight, and the change is not blamed as well.
func TestOneWindowOneVerdict(t *testing.T) {
	s := newSketch()
	s.fn("add", last(do(increment())))
	call := effect.Node{Op: effect.OpCall, Callee: "p.add"}
	s.handler("records", ask(1, "rows_affected", do(with(swallow(), checked))), last(), last(call))
	s.handler("alone", last(call))
	got := s.verdicts()
	assert.Equal(t, []string{"outside error"}, got["records"])
}

// What a change is called, and where: words of the messages.
func TestWords(t *testing.T) {
	pkg := &effect.Package{Path: "p", Name: "p", Files: []string{"/src/a.go", "/src/b.go"}}
	at := func(e *effect.Effect, file int) *flow.Witness {
		return &flow.Witness{Pkg: pkg, Graph: &effect.Graph{ID: "p.F"}, Effect: e, Node: &effect.Node{Pos: effect.Pos{File: file, Line: 12}}}
	}
	for want, v := range map[string]*Verdict{
		"the increment of accounts":         {Doing: at(increment(), 0)},
		"the increment":                     {Doing: at(&effect.Effect{Kind: model.Count}, 0)},
		"the change of accounts":            {Doing: at(update("accounts"), 0)},
		"the new row in letters":            {Doing: at(insertInto("letters"), 0), Fresh: true},
		"the event":                         {Doing: at(&effect.Effect{Kind: model.Publish}, 0)},
		"the change of on hand in accounts": {Doing: at(update("accounts"), 0), Sum: &flow.Sum{Field: "on_hand"}},
	} {
		assert.Equal(t, want, Change(v))
	}
	assert.Equal(t, "line 12", check.Place(at(nil, 0), "/src/a.go"))
	assert.Equal(t, "b.go:12", check.Place(at(nil, 1), "/src/a.go"))
	assert.Equal(t, "write accounts", word(at(update("accounts"), 0)))
	assert.Equal(t, "lookup", word(at(&effect.Effect{Kind: model.Lookup}, 0)))
	assert.Equal(t, "receive", word(at(nil, 0)))
}
