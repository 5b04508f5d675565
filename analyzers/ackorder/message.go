package ackorder

import (
	"fmt"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// finding writes a candidate out for people.
func (c *candidate) finding() *check.Finding {
	f := Check.Report(c.rule, c.tier, c.at)
	f.Message, f.Window.Consequence, f.Advice = c.words(f.File)
	f.Window.From, f.Window.To = check.StepOf(c.first, check.Word(c.first)), check.StepOf(c.last, check.Word(c.last))
	f.Trace = append(check.Chain(c.first, check.Word(c.first)), check.Chain(c.last, check.Word(c.last))...)
	return f
}

// what names an effect for people.
func what(w *flow.Witness) string {
	e := w.Leaf().Effect
	switch {
	case e == nil:
		return "the work"
	case e.Kind == model.Publish || e.Kind == model.Enqueue:
		return "the event"
	case e.Kind == model.External:
		if label := w.Leaf().Node.Label; label != "" { // what is known of other packages has none under go vet
			return "the call of " + label
		}
		return "the call of another service"
	case e.Table != "" && !sqltext.HasHole(e.Table):
		return "the change of " + e.Table
	}
	return "the change"
}

// words say what happens to whom.
func (c *candidate) words(file string) (message, consequence, advice string) {
	at := func(w *flow.Witness) string { return check.Place(w, file) }
	const lost = "the message is confirmed and its effect is missing"
	const after = "confirm the message after its effect has happened"
	switch c.kind {
	case string(model.OnReceipt):
		return fmt.Sprintf("the message is confirmed when it is handed out, before %s at %s has happened: a crash or an error in between loses it", what(c.last), at(c.last)),
			lost, "turn the automatic confirmation off and confirm the message after its effect has happened"
	case string(model.Never):
		return fmt.Sprintf("the broker does not keep these messages, and %s at %s rests on them: a crash, an error or a moment offline loses one", what(c.last), at(c.last)),
			lost, "use a stream that keeps messages until they are confirmed"
	case tailKind:
		return fmt.Sprintf("%s happens after the message is confirmed at %s: a crash or an error in between loses it", what(c.last), at(c.first)),
			lost, after
	case ackApart:
		return fmt.Sprintf("the message is confirmed here while the work that was started at %s still runs: a crash or an error there loses it", at(c.first)),
			lost, "wait for the work, or confirm the message where it ends"
	case returnApart:
		return "the handler returns, which confirms the message, while the work that is started here still runs: a crash or an error there loses it",
			lost, "do the work in the handler, or wait for it and return its error"
	case ackFailed:
		return fmt.Sprintf("the message is confirmed here also when %s at %s has failed: it is not delivered again and its effect is lost", what(c.first), at(c.first)),
			lost, "give the message back on an error, or store it as a dead letter before it is confirmed"
	case returnFailed:
		return fmt.Sprintf("an error of %s is dropped here and the handler returns as if all were well, which confirms the message: its effect is lost", what(c.first)),
			lost, "return the error, or store the message as a dead letter first"
	case outKind:
		return fmt.Sprintf("the message taken at %s is confirmed here, before the caller has got it: whatever he does with it, a crash or an error loses it", at(c.first)),
			lost, "give the caller a way to confirm the message, and let him do so in the end"
	case skipKind:
		return fmt.Sprintf("a message whose effect has failed at %s is passed over, and this confirms it together with the next one: it is not delivered again", at(c.first)),
			lost, "stop at the failed message or try it again, or store it as a dead letter before going on"
	}
	return fmt.Sprintf("the message is confirmed here, before %s at %s has happened: a crash or an error in between loses it", what(c.last), at(c.last)), lost, after
}
