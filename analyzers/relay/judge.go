package relay

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/schema"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// A judge turns what the automaton has found into findings.
type judge struct {
	p    *flow.Program
	hits []*flow.Hit
}

func findings(p *flow.Program, hits []*flow.Hit) []*check.Finding {
	hits = append(slices.Clone(hits), p.HandedOver(handKind, func(e *effect.Effect) bool { return polls(e) && flow.OutboxName(e.Table) && !e.Locks })...)
	j := &judge{p: p, hits: hits}
	var out []*check.Finding
	for _, h := range hits {
		if h.Graph.Generated && h.Kind != openKind || h.Pkg == nil || h.Pkg.Harness {
			continue
		}
		if h.First.Depth() > maxDepth || h.Later.Depth() > maxDepth {
			continue
		}
		var f *check.Finding
		switch h.Kind {
		case openKind:
			f = j.open(h)
		case handKind:
			if p.Publishing(h.Graph) && !p.Does(h.Graph, func(e *effect.Effect) bool { return flow.Marks(e) && e.Guarded && e.Checked }) {
				f = j.open(h)
			}
		case firstKind:
			f = j.first(h)
		case afterKind:
			f = j.after(h)
		}
		if f != nil {
			out = append(out, f)
		}
	}
	return check.OnePerLine(Check, append(out, j.unpruned()...))
}

// maxDepth is how many calls away an end may be for the two to be one unit of work.
const maxDepth = 6

// open judges rows that were published while others could take them as well.
func (j *judge) open(h *flow.Hit) *check.Finding {
	poll := h.First.Leaf().Effect
	if poll == nil || !j.relays(h, poll.Table) || unsure(poll) || h.Bits&stolenBit == 0 && partitioned(poll) || j.claimedAfterwards(h) || j.alone(h) {
		return nil
	}
	if at := place(h.First); at != nil {
		return j.openFinding(h, at)
	}
	return nil
}

// place is where a query stands, or is called if it is in generated code; nil if that is nowhere.
func place(w *flow.Witness) (at *flow.Witness) {
	for ; w != nil; w = w.Sub {
		if w.Pkg != nil && !w.Graph.Generated && !w.Graph.Wrapper && w.Node != nil && w.Node.Pos.IsValid() {
			at = w
		}
	}
	return at
}

// claimedAfterwards reports whether the rows were marked before the publish on another path: the transaction that held
// them ended without a mark only where there were none.
func (j *judge) claimedAfterwards(h *flow.Hit) bool {
	return h.Bits&shortBit != 0 && slices.ContainsFunc(j.hits, func(o *flow.Hit) bool {
		return o.Kind == firstKind && samePublish(o, o.Later, h)
	})
}

// relays reports whether a hit is about a relay: what is published are the rows of the table, and they are marked.
func (j *judge) relays(h *flow.Hit, table string) bool {
	poll := h.First.Leaf().Effect
	read := poll.Payload && flow.OutboxName(table) // whatever way its rows take
	return (read || inboxName(table) || j.p.Carries(h.Later, h.First, table)) && j.p.MarksNear(h.Graph, table, 2)
}

// unsure reports whether a query has pieces that are not known: one may be a lock.
func unsure(e *effect.Effect) bool { return slices.ContainsFunc(e.Where, sqltext.HasHole) }

// partitioned reports whether a query takes the rows of one worker.
func partitioned(e *effect.Effect) bool {
	return slices.ContainsFunc(e.Where, func(col string) bool {
		return slices.ContainsFunc([]string{"shard", "partition", "bucket", "owner", "worker", "instance", "claim", "lease", "lock_token", "locked_by"},
			func(w string) bool { return strings.Contains(col, w) })
	})
}

// alone reports whether something around the relay, or on the way to the query, keeps other processes out; or whether a
// message sets it off, of which one process is told.
func (j *judge) alone(h *flow.Hit) bool {
	if j.p.Elected(h.Graph) {
		return true
	}
	for w := h.First; w != nil; w = w.Sub {
		if w.Pkg != nil && j.p.Alone(w.Graph, 0) {
			return true
		}
	}
	return slices.ContainsFunc(j.p.Above(h.Graph), func(g *effect.Graph) bool {
		down := 2
		if startsUp(g) {
			down = 0
		}
		return j.p.HandlesMessages(g) || j.p.Alone(g, down)
	})
}

// startsUp reports whether a function starts a program: what it locks may be for something else.
func startsUp(g *effect.Graph) bool {
	switch strings.ToLower(g.Name[strings.LastIndexByte(g.Name, '.')+1:]) {
	case "main", "init":
		return true
	}
	return false
}

// first judges marks that were durable before the publish.
func (j *judge) first(h *flow.Hit) *check.Finding {
	mark := j.markOf(h)
	if mark == nil || j.markedLater(h, mark.Leaf().Effect.Table) {
		return nil
	}
	return j.firstFinding(h, mark)
}

// markOf is the step that marks the rows which are published.
func (j *judge) markOf(h *flow.Hit) *flow.Witness {
	for _, w := range append(slices.Clone(h.First.Writes), h.First) {
		e := w.Leaf().Effect
		if e == nil || !flow.Marks(e) || e.Verb == sqltext.Upsert || meaningOf(w) == isTaken || meaningOf(w) == unclear && !j.onlyMark(w) {
			continue
		}
		polled := h.Bits&rowsBit != 0 && flow.OutboxName(e.Table)
		if polled || j.p.Carries(h.Later, w, e.Table) || j.p.Carries(h.Later, h.First, e.Table) {
			return w
		}
	}
	return nil
}

// A meaning is what a write says of the rows of an outbox.
type meaning uint8

const (
	unclear meaning = iota
	isSent          // their events are out
	isTaken         // somebody works on them, or will again
)

var (
	sentWords  = []string{"sent", "publish", "deliver", "dispatched", "processed", "done", "complete", "posted", "handled", "relayed", "emitted", "forwarded", "success", "finish"}
	takenWords = []string{"processing", "progress", "flight", "sending", "publishing", "claim", "lock", "lease", "pick", "running", "reserve", "pending", "queued", "dispatching",
		"fail", "error", "retry", "dead", "new", "started", "working", "taken"}
	leaseWords = []string{"lock", "claim", "lease", "attempt", "retr", "next", "pick", "owner", "worker", "visible", "updated", "started", "processing", "tries", "version",
		"available", "scheduled", "error", "reserv"}
)

func hasAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// meaningOf says what a write means: a deletion and a time of sending tell by themselves, a status by its value, which may
// be given by a caller.
func meaningOf(w *flow.Witness) meaning {
	e := w.Leaf().Effect
	if e.Verb == sqltext.Delete {
		return isSent
	}
	states := slices.Clone(e.States)
	for x := w; x != nil && x.Node != nil; x = x.Sub {
		states = append(states, x.Node.Texts...)
	}
	for _, st := range states {
		switch {
		case hasAny(st, takenWords):
			return isTaken
		case hasAny(st, sentWords):
			return isSent
		}
	}
	if len(e.Columns) > 0 && !slices.ContainsFunc(e.Columns, func(col string) bool { return !hasAny(col, leaseWords) }) {
		return isTaken
	}
	if slices.ContainsFunc(e.Columns, func(col string) bool { return hasAny(col, sentWords) }) {
		return isSent
	}
	return unclear
}

// onlyMark reports whether a write is the one place where rows of its table are marked: what it means need not be known.
func (j *judge) onlyMark(mark *flow.Witness) bool {
	e := mark.Leaf().Effect
	others := j.p.Steps(func(o *effect.Effect) bool {
		return o != e && flow.Marks(o) && o.Verb != sqltext.Upsert && schema.SameTable(o.Table, e.Table)
	})
	return len(others) == 0
}

// markedLater reports whether the rows are marked again once the publish went well: the first mark was a claim.
func (j *judge) markedLater(h *flow.Hit, table string) bool {
	return slices.ContainsFunc(j.hits, func(o *flow.Hit) bool {
		e := o.Later.Leaf().Effect
		return o.Kind == afterKind && e != nil && schema.SameTable(e.Table, table) && samePublish(o, o.First, h)
	})
}

// samePublish reports whether a publish of another hit is the one that a hit ends in, in one run: the function of one of
// them lies on the other's way to it.
func samePublish(o *flow.Hit, publish *flow.Witness, h *flow.Hit) bool {
	if publish.Stem().Node != h.Later.Stem().Node {
		return false
	}
	passes := func(w *flow.Witness, g *effect.Graph) bool {
		for ; w != nil; w = w.Sub {
			if w.Graph == g {
				return true
			}
		}
		return false
	}
	return passes(publish, h.Graph) || passes(h.Later, o.Graph)
}

// after judges marks that follow a publish of which it is not known whether it went well.
func (j *judge) after(h *flow.Hit) *check.Finding {
	e := h.Later.Leaf().Effect
	if !j.p.IsOutbox(e.Table) || meaningOf(h.Later) == isTaken || !j.ofRows(h, e.Table) {
		return nil
	}
	pub := h.First.Leaf().Effect
	switch {
	case h.Bits&launchedBit != 0 && !j.waits(h) && !j.p.Waits(h.Graph):
		return j.launchedFinding(h)
	case pub == nil || pub.Kind != model.Publish:
		return nil
	case pub.Queued && !j.waits(h):
		return j.queuedFinding(h)
	case shrugged(h.First):
		return j.shruggedFinding(h)
	}
	return nil
}

// ofRows reports whether what is published before a mark are rows of the table: they were polled before it, or came to
// this function as rows do.
func (j *judge) ofRows(h *flow.Hit, table string) bool {
	if h.Bits&rowsBit != 0 {
		return flow.OutboxName(table) || j.p.Carries(h.First, h.Later, table)
	}
	if !j.p.Shares(h.First, h.Later) || h.Later.Depth() > 2 {
		return false
	}
	return j.p.Carries(h.First, h.Later, table) || slices.ContainsFunc(j.hits, func(o *flow.Hit) bool {
		e := o.First.Leaf().Effect
		return o.Kind == handKind && e != nil && schema.SameTable(e.Table, table)
	})
}

// waits reports whether somebody between the publish and the mark hears what has become of the message.
func (j *judge) waits(h *flow.Hit) bool {
	for w := h.First; w != nil; w = w.Sub {
		if w.Pkg != nil && j.p.Waits(w.Graph) {
			return true
		}
	}
	return false
}

// maxShrug is how many calls down an error may be passed over: further down it is a side line's.
const maxShrug = 3

// shrugged reports whether on the way to a step its error is passed over.
func shrugged(w *flow.Witness) bool {
	for range maxShrug {
		if w == nil {
			return false
		}
		if w.Pkg != nil && w.Node != nil && w.Node.Shrugged {
			return true
		}
		w = w.Sub
	}
	return false
}

// local is the step in the innermost closure of the function.
func local(w *flow.Witness) *flow.Witness {
	at := w
	for sub := w; sub.Sub != nil && sub.Sub.Node != nil; sub = sub.Sub {
		if sub.Sub.Graph.Parent == at.Graph.ID {
			at = sub.Sub
		}
	}
	return at
}
