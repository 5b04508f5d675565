package relay

import (
	_ "embed"
	"fmt"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

//go:embed doc.go
var doc string

// Check finds relays that send rows twice or lose them.
var Check = &check.Check{
	Name: "relay",
	Doc:  check.MustExtractDoc(doc, "relay"),
	Rules: []check.Rule{
		{ID: "relay/unlocked", Checklist: []int{3}, Tier: check.Error, Summary: "a relay reads rows that another process can read and publish at the same time"},
		{ID: "relay/mark-first", Checklist: []int{3}, Tier: check.Error, Summary: "a relay marks rows as sent before the broker is known to have them"},
		{ID: "relay/not-pruned", Checklist: []int{11, 20}, Tier: check.Advice, Summary: "rows of an outbox or an inbox are never deleted"},
	},
	Automata: []*flow.Rule{rule},
}

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = findings }

// rows names the rows of a table, for people.
func rows(table string) string {
	if table == "" || sqltext.HasHole(table) {
		return "the rows"
	}
	return "rows of " + table
}

func finding(rule string, tier check.Tier, at, first, last *flow.Witness) *check.Finding {
	f := Check.Report(rule, tier, at)
	f.Window.From, f.Window.To = check.StepOf(first, check.Word(first)), check.StepOf(last, check.Word(last))
	f.Trace = append(check.Chain(first, check.Word(first)), check.Chain(last, check.Word(last))...)
	return f
}

func (j *judge) openFinding(h *flow.Hit, at *flow.Witness) *check.Finding {
	f := finding("relay/unlocked", check.Error, at, h.First, h.Later)
	what, where := rows(h.First.Leaf().Effect.Table), check.Place(h.Later, f.File)
	f.Window.Consequence = "two processes hold the same rows: each event is sent twice, and events overtake one another"
	f.Advice = "read the rows with FOR UPDATE SKIP LOCKED in a transaction that lasts until they are marked, or let one process at a time do this (an advisory lock, a leader)"
	done := "published"
	if e := h.Later.Leaf().Effect; e == nil && h.Kind == openKind || e != nil && e.Kind == model.Write {
		done = "worked on"
		f.Window.Consequence = "two processes hold the same messages: each is applied twice"
	}
	switch {
	case h.Kind == handKind:
		f.Message = fmt.Sprintf("%s are read here without a lock and handed to workers at %s: the next tick, or another replica, reads the same rows before they are marked and publishes them again", what, where)
	case h.Bits&stolenBit != 0:
		f.Message = fmt.Sprintf("%s are read here by a claim that takes rows which another process has claimed already, and %s at %s: both send them", what, done, where)
		f.Advice = "let the claim leave out rows that are claimed (WHERE locked_by IS NULL OR locked_until < now()), or use FOR UPDATE SKIP LOCKED"
	case h.Bits&looseBit != 0:
		f.Message = fmt.Sprintf("%s are locked here outside a transaction: the lock ends with the statement, so that another replica reads the same rows before they are %s at %s", what, done, where)
	case h.Bits&shortBit != 0:
		f.Message = fmt.Sprintf("%s are locked here, but the transaction ends before they are %s at %s and nothing claims them: another replica reads the same rows", what, done, where)
	default:
		f.Message = fmt.Sprintf("%s are read here without a lock and %s at %s: another replica, or the next tick, reads the same rows before they are marked", what, done, where)
	}
	return f
}

func (j *judge) firstFinding(h *flow.Hit, mark *flow.Witness) *check.Finding {
	at := local(mark)
	f := finding("relay/mark-first", check.Error, at, mark, h.Later)
	f.Message = fmt.Sprintf("%s are marked here for good before they are published at %s: a crash or a failed publish in between loses the events", rows(mark.Leaf().Effect.Table), check.Place(h.Later, f.File))
	f.Window.Consequence = "the rows count as sent and nobody has got the events"
	f.Advice = "publish first and mark the rows when the broker has confirmed: a repeated event does less harm than a lost one"
	return f
}

func (j *judge) queuedFinding(h *flow.Hit) *check.Finding {
	f := finding("relay/mark-first", check.Error, local(h.Later), h.First, h.Later)
	f.Message = fmt.Sprintf("%s are marked here although the publish at %s has only queued the message in memory: if the broker refuses it or the process dies, the event is lost", rows(h.Later.Leaf().Effect.Table), check.Place(h.First, f.File))
	f.Window.Consequence = "the row counts as sent and the message was only in memory"
	f.Advice = "wait for the broker's confirmation (a synchronous producer, the delivery report, a flush) before the row is marked"
	return f
}

func (j *judge) shruggedFinding(h *flow.Hit) *check.Finding {
	f := finding("relay/mark-first", check.Error, local(h.Later), h.First, h.Later)
	f.Message = fmt.Sprintf("%s are marked here whether or not the publish at %s went well: its error is passed over, so that an event which the broker did not take is lost", rows(h.Later.Leaf().Effect.Table), check.Place(h.First, f.File))
	f.Window.Consequence = "the row counts as sent and the broker has refused the event"
	f.Advice = "leave the row as it is when the publish fails, so that the next round sends it again"
	return f
}

func (j *judge) launchedFinding(h *flow.Hit) *check.Finding {
	f := finding("relay/mark-first", check.Error, local(h.Later), h.First, h.Later)
	f.Message = fmt.Sprintf("%s are marked here while a goroutine that was started at %s still publishes them: if it fails or the process dies, the events are lost", rows(h.Later.Leaf().Effect.Table), check.Place(h.First, f.File))
	f.Window.Consequence = "the row counts as sent before its event is out"
	f.Advice = "publish before the row is marked, or wait for the goroutine and look at its error"
	return f
}
