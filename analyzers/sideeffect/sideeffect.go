package sideeffect

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
)

//go:embed doc.go
var doc string

// Check finds calls to the outside in message handlers that a redelivered message makes again.
var Check = &check.Check{
	Name: "sideeffect",
	Doc:  check.MustExtractDoc(doc, "sideeffect"),
	Rules: []check.Rule{
		{ID: noKey, Checklist: []int{8, 19}, Tier: check.Error, Summary: "a message handler charges, mails or calls somebody without a key by which a second call can be told"},
	},
}

const noKey = "sideeffect/no-key"

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

func judge(p *flow.Program, _ []*flow.Hit) []*check.Finding {
	var findings []*check.Finding
	senders := p.Senders()
	for _, d := range p.Deeds(func(e *effect.Effect) bool { return e.Kind == model.External || e.Kind == model.Publish }) {
		if v := judgeCall(p, senders, d); v != nil {
			findings = append(findings, v.finding())
		}
	}
	return check.OnePerLine(Check, findings)
}

func (v *verdict) finding() *check.Finding {
	f := Check.Report(noKey, v.tier, v.at)
	f.Window.From = v.unitStep()
	f.Window.To = check.StepOf(v.at, "external")
	f.Window.Consequence = "the message is delivered again and " + v.again()
	f.Trace = append([]check.Step{f.Window.From}, check.Chain(v.deed.Chain, "external")...)
	f.Message = v.message(f.File)
	f.Advice = v.advice()
	return f
}

// unitStep is where the message comes in.
func (v *verdict) unitStep() check.Step {
	d := v.deed
	pos := d.Unit.Pos
	s := check.Step{Function: d.Unit.Name, Effect: "receive"}
	if d.Received != nil {
		pos, s.Note = d.Received.Pos, d.Received.Label
	}
	s.File, s.Line, s.Column = check.FileIn(d.Pkg, pos), pos.Line, pos.Col
	return s
}

func (v *verdict) message(file string) string {
	from := v.unitStep()
	place := fmt.Sprintf("line %d", from.Line)
	if from.File != file {
		place = fmt.Sprintf("%s:%d", filepath.Base(from.File), from.Line)
	}
	if v.fresh != "" {
		return fmt.Sprintf("%s carries a key (%s) that is made anew for every delivery of the message handled at %s: when the message comes again, %s",
			v.what(), v.fresh, place, v.again())
	}
	return fmt.Sprintf("%s carries no idempotency key from the message handled at %s: when the message comes again, %s", v.what(), place, v.again())
}

// what names the call for people.
func (v *verdict) what() string {
	switch {
	case v.leaf.Kind == model.Publish:
		return "the message"
	case v.pays:
		return "the payment call"
	case v.leaf.Request != nil:
		return "the request"
	case v.mails():
		return "the mail"
	}
	return "the call"
}

func (v *verdict) again() string {
	switch {
	case v.leaf.Kind == model.Publish:
		return "its receiver cannot tell the second one"
	case v.pays:
		return "money may move a second time"
	case v.leaf.Request != nil:
		return "the other side does it a second time"
	case v.mails():
		return "it is sent a second time"
	}
	return "it is made a second time"
}

func (v *verdict) advice() string {
	switch {
	case v.leaf.Kind == model.Publish:
		return "take the key from the message that is handled, so that every delivery of it sends the same one"
	case v.pays || v.leaf.Request != nil:
		return "send an idempotency key that is taken from the message, so that the other side knows the second call"
	case v.mails():
		return "record the message's ID before it is sent and skip what was sent before, or use a sender that takes an idempotency key"
	}
	return "take a key from the message if the service knows one, or record the message's ID and skip what was done before"
}

// mails reports whether the call sends something to a person.
func (v *verdict) mails() bool {
	name := strings.ToLower(v.leaf.Symbol)
	for _, w := range []string{"mail", "smtp", "/ses", "sendgrid", "resend", "slack", "twilio", "messaging", "subscribe"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
