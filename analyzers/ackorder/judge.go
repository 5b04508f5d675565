package ackorder

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

// candidate is a finding before it is written out: what was done or failed, and where the message was confirmed.
type candidate struct {
	rule        string
	tier        check.Tier
	kind        string
	at          *flow.Witness
	first, last *flow.Witness
}

// judgement is the work of judging one program.
type judgement struct {
	p *flow.Program
	// away are the go statements from which an effect can be reached, with that effect.
	away map[*effect.Node]*flow.Witness
	// acting are the functions that can reach an effect that matters.
	acting map[effect.FuncID]bool
	// acking are, by what is received, those that can reach an ack of it that is cumulative.
	acking map[string]map[effect.FuncID]bool
	// tails are the confirmations, with an effect after each, before which a part of the work was done on some path.
	tails map[[2]*effect.Node]bool
	out   []*candidate
}

func judge(p *flow.Program, hits []*flow.Hit) []*check.Finding {
	j := &judgement{p: p, away: map[*effect.Node]*flow.Witness{}, acking: map[string]map[effect.FuncID]bool{}, tails: map[[2]*effect.Node]bool{}}
	for _, h := range hits {
		switch {
		case h.Kind == awayKind:
			j.away[h.First.Leaf().Node] = h.Later
		case h.Bits&tailBit != 0:
			j.tails[[2]*effect.Node{h.First.Leaf().Node, h.Later.Leaf().Node}] = true
		}
	}
	for _, h := range hits {
		if h.Pkg != nil && !h.Pkg.Harness {
			j.judge(h)
		}
	}
	j.handOuts()
	var findings []*check.Finding
	for _, c := range j.out {
		if c.at != nil && c.at.Node != nil && c.at.Pkg != nil && c.at.Node.Pos.IsValid() && !c.at.Graph.Generated && !c.at.Graph.Wrapper && !c.at.Pkg.Harness {
			findings = append(findings, c.finding())
		}
	}
	return check.OnePerLine(Check, findings)
}

func (j *judgement) add(rule string, tier check.Tier, kind string, at, first, last *flow.Witness) {
	j.out = append(j.out, &candidate{rule: rule, tier: tier, kind: kind, at: at, first: first, last: last})
}

func (j *judgement) judge(h *flow.Hit) {
	switch h.Kind {
	case effectKind:
		j.judgeEffect(h)
	case handKind:
		if j.detached(h.Later) != nil {
			j.judgeEffect(h)
		}
	case ackApart:
		if at := j.detached(h.First); at != nil {
			j.add(ackFirst, check.Error, h.Kind, settling(h.Later), at, h.Later)
		}
	case returnApart:
		at := j.detached(h.First)
		how, registered := j.p.Settling(h.Graph)
		if at != nil && (how == model.OnNil || how == model.OnReturn) {
			j.add(ackFirst, check.Error, h.Kind, at, at, registered)
		}
	case ackFailed:
		if !mends(h.First) && !collected(h.Later) && !aside(h.First) {
			j.add(swallowed, tierOf(h), h.Kind, settling(h.Later), h.First, h.Later)
		}
	case returnFailed:
		how, registered := j.p.Settling(h.Graph)
		if (how == model.OnNil || how == model.OnReturn) && !mends(h.First) && !aside(h.First) {
			tier, at := tierOf(h), dropped(h.First)
			if j.sweeps(at) {
				tier = check.Advice
			}
			j.add(swallowed, tier, h.Kind, at, h.First, registered)
		}
	case skipKind:
		if !mends(h.First) && !aside(h.First) {
			j.judgeSkip(h)
		}
	}
}

// tierOf is the tier of an error that is dropped: where a part of the work is done, what fails after it is often meant to
// be no more than a notice; so is an event about whose failure a helper keeps quiet.
func tierOf(h *flow.Hit) check.Tier {
	e := h.First.Leaf().Effect
	if h.Bits&besideBit != 0 || e != nil && e.Kind == model.Publish && dropped(h.First) != h.First {
		return check.Advice
	}
	return check.Error
}

// sweeps reports whether a step is one of many in a loop and none of its data has come with the message: a job that goes
// through what is due comes to what has failed the next time.
func (j *judgement) sweeps(w *flow.Witness) bool {
	if !slices.ContainsFunc(flow.RoundsOf(w.Graph), func(r flow.Round) bool { return r.Holds(w.Graph, w.Node) }) {
		return false
	}
	return !slices.ContainsFunc(j.p.DataOf(w), func(o int) bool {
		kind := w.Graph.Origins[o].Kind
		return kind == effect.ParamOrigin || kind == effect.FreeOrigin
	})
}

// mends reports whether what has failed was to make up for an error, of a message that could not be read say.
func mends(w *flow.Witness) bool {
	return slices.ContainsFunc(chain(w), func(w *flow.Witness) bool { return w.Node.Mends })
}

// aside reports whether a call to somebody else failed that a helper makes and keeps quiet about: a line in a log that is
// sent over the network.
func aside(w *flow.Witness) bool {
	e := w.Leaf().Effect
	return e != nil && e.Kind == model.External && dropped(w) != w
}

// collected reports whether a message is confirmed out of a list that was put together: those that went well.
func collected(w *flow.Witness) bool {
	return slices.ContainsFunc(chain(w), func(w *flow.Witness) bool { return w.Node.Collected })
}

// judgeEffect is an effect after the message was confirmed, by an ack or by being handed out.
func (j *judgement) judgeEffect(h *flow.Hit) {
	tier := check.Error
	leaf := h.First.Leaf()
	tail := j.tails[[2]*effect.Node{leaf.Node, h.Later.Leaf().Node}]
	if tail { // what comes after the work that was confirmed is often no more than a notice
		tier = check.Advice
	}
	switch {
	case leaf.Effect == nil: // the handler's registration
		how, registered := j.p.Settling(h.Graph)
		if how == model.Never {
			tier = check.Advice
		}
		j.add(ackFirst, tier, string(how), registered, registered, h.Later)
	case leaf.Effect.Kind == model.Receive:
		at := j.p.Chosen(h.First)
		if at == nil {
			at = h.First.Stem()
		}
		j.add(ackFirst, tier, string(model.OnReceipt), at, at, h.Later)
	case h.Related && (tail || h.Later.Node.Mode == effect.Started): // the confirmation is right for what came before it, or is not what is to be moved
		j.add(ackFirst, tier, tailKind, h.Later, h.First, h.Later)
	case h.Related:
		j.add(ackFirst, tier, effectKind, settling(h.First), h.First, h.Later)
	}
}

// settling is the step by which a message is confirmed, as a reviewer would name it: in the function that has both ends,
// or where a helper takes the message and confirms it at once.
func settling(w *flow.Witness) *flow.Witness {
	for x := w; x != nil && x.Pkg != nil; x = x.Sub {
		if receives(x.Graph) && x.Node != nil && x.Sub == nil {
			return x
		}
	}
	return w
}

func receives(g *effect.Graph) bool {
	for b := range g.Blocks {
		for i := range g.Blocks[b].Nodes {
			if e := g.Blocks[b].Nodes[i].Effect; e != nil && e.Kind == model.Receive {
				return true
			}
		}
	}
	return false
}

// detached is the step by which work is started or handed on, if it leads to an effect that matters: the go statement, or
// the handler's call that sends it away.
func (j *judgement) detached(w *flow.Witness) *flow.Witness {
	leaf := w.Leaf()
	if leaf.Effect != nil && leaf.Effect.Kind == model.Hand {
		if j.acting == nil {
			j.acting = j.p.Reaching(func(e *effect.Effect) bool { return matters(e) || e.Kind == model.SQL })
		}
		if !j.p.TakersReach(leaf.Effect.Symbol, j.acting) {
			return nil
		}
		return w
	}
	for x := w; x != nil; x = x.Sub {
		if later := j.away[x.Node]; later != nil && (x == w || later.Leaf().Effect.Kind != model.External) {
			return x
		}
	}
	return nil
}

// dropped is the step that has failed in the function that drops the error.
func dropped(w *flow.Witness) *flow.Witness {
	at := w
	for ; w != nil && w.Pkg != nil; w = w.Sub {
		if w.Dropped {
			at = w
		}
	}
	return at
}

// judgeSkip is a failed effect before the next message of a loop: a later confirmation passes both.
func (j *judgement) judgeSkip(h *flow.Hit) {
	from := h.Later.Leaf().Effect
	if from == nil {
		return
	}
	confirms := func(e *effect.Effect) bool {
		return e.Kind == model.Ack && e.Cumulative && strings.Contains(from.Symbol, library(e.Symbol)+".")
	}
	if j.acking[from.Symbol] == nil {
		j.acking[from.Symbol] = j.p.Reaching(confirms)
	}
	ws := chain(h.First)
	last := slices.IndexFunc(ws, func(w *flow.Witness) bool { return w.Dropped })
	for i := max(last, 0); i >= 0; i-- {
		if at := j.confirming(ws[i], j.acking[from.Symbol], confirms); at != nil {
			j.add(swallowed, tierOf(h), h.Kind, at, dropped(h.First), at)
			return
		}
	}
}

func chain(w *flow.Witness) []*flow.Witness {
	var ws []*flow.Witness
	for ; w != nil && w.Pkg != nil; w = w.Sub {
		ws = append(ws, w)
	}
	return ws
}

// library is the last part of the import path in a symbol, by which the types of a library are written.
func library(symbol string) string {
	path := symbol[strings.LastIndexByte(symbol, '/')+1:]
	name, _, _ := strings.Cut(path, ".")
	return name
}

// confirming is the last step of a function that confirms a message and all before it.
func (j *judgement) confirming(w *flow.Witness, acking map[effect.FuncID]bool, confirms func(e *effect.Effect) bool) *flow.Witness {
	var at *effect.Node
	for b := range w.Graph.Blocks {
		for i := range w.Graph.Blocks[b].Nodes {
			n := &w.Graph.Blocks[b].Nodes[i]
			if n != w.Node && j.p.Leads(n, acking, confirms) && (at == nil || n.Pos.Line > at.Pos.Line) {
				at = n
			}
		}
	}
	if at == nil {
		return nil
	}
	return &flow.Witness{Graph: w.Graph, Pkg: w.Pkg, Node: at, Effect: at.Effect}
}
