package orderkey

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/sqltext"
)

//go:embed doc.go
var doc string

// Check finds events of entities that are published without a key that keeps them in order.
var Check = &check.Check{
	Name: "orderkey",
	Doc:  check.MustExtractDoc(doc, "orderkey"),
	Rules: []check.Rule{
		{ID: missing, Checklist: []int{13, 14}, Tier: check.Advice, Summary: "an entity's events are published without a key, or with one that keeps nothing in order"},
	},
}

const missing = "orderkey/missing"

// Analyzer is Check for go vet, golangci-lint and Bazel's nogo.
var Analyzer = check.NewAnalyzer(Check)

func init() { Check.Judge = judge }

func judge(p *flow.Program, _ []*flow.Hit) []*check.Finding {
	var findings []*check.Finding
	for _, f := range p.KeyFlaws() {
		at := f.At
		if at.Pkg == nil || at.Pkg.Harness || at.Graph.Generated || at.Graph.Wrapper || !at.Node.Pos.IsValid() || !wantsOrder(f) {
			continue
		}
		x := Check.Report(missing, check.Advice, at)
		x.Window.From = check.StepOf(at, "publish")
		x.Window.To = x.Window.From
		x.Window.Consequence = "a later event of the same entity can be handled before an earlier one"
		x.Trace = check.Chain(at, "publish")
		x.Message, x.Advice = message(f), advice(f)
		findings = append(findings, x)
	}
	return check.OnePerLine(Check, findings)
}

// quiet are words in the names of topics and functions whose messages nobody wants in order, or that pass on what has come.
var quiet = []string{"metric", "metrics", "log", "logs", "audit", "heartbeat", "heartbeats", "beat", "health", "trace", "traces", "telemetry", "notification",
	"notifications", "notify", "email", "emails", "mail", "sms", "dlq", "dlt", "dead", "deadletter", "retry", "retries", "poison", "error", "errors",
	"ping", "stats", "monitoring", "debug", "test", "example"}

// wantsOrder reports whether what is published belongs to an entity whose events follow each other. Whoever sets a key that
// is worthless, wants one.
func wantsOrder(f flow.KeyFlaw) bool {
	for _, name := range slices.Concat(f.Topics, f.Names) {
		if i := strings.LastIndexByte(name, '.'); i >= 0 && slices.Contains(f.Names, name) {
			name = name[i+1:]
		}
		words := strings.FieldsFunc(sqltext.Snake(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == '/' || r == ':' })
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(quiet, w) }) {
			return false
		}
	}
	switch {
	case f.Fifo:
		return f.Kind == effect.MadeKey
	case f.Ignored && f.Kind == effect.Keyed:
		return true
	}
	return f.Entity != ""
}

func message(f flow.KeyFlaw) string {
	about := "an entity"
	if f.Entity != "" {
		about = "one " + strings.ReplaceAll(sqltext.Snake(f.Entity), "_", " ")
	}
	switch {
	case f.Ignored && f.Kind == effect.Keyed:
		return fmt.Sprintf("the event has a key and its writer does not go by keys: events of %s are spread over partitions and can overtake each other", about)
	case f.Ignored:
		return fmt.Sprintf("the event is published through a writer that gives it no key: events of %s are spread over partitions and can overtake each other", about)
	case f.Kind == effect.MadeKey:
		return fmt.Sprintf("the event's key is made anew for every publish: events of %s go different ways and can overtake each other", about)
	case f.Kind == effect.ConstKey:
		return fmt.Sprintf("the event's key is the same for all: nothing is kept in order for %s that is not for the whole topic, and one partition takes everything", about)
	}
	return fmt.Sprintf("the event is published without a key: events of %s are spread over partitions and can overtake each other", about)
}

func advice(f flow.KeyFlaw) string {
	if f.Ignored {
		return "let the writer go by the key (a balancer that hashes, a marshaler that sets the partition key), and take the entity's ID for it"
	}
	return "take the entity's ID for the key"
}
