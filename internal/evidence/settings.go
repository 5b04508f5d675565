package evidence

import (
	"strings"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// settings looks at what the program says to libraries.
func (g *gatherer) settings() {
	for _, pkg := range g.p.Packages {
		for _, s := range pkg.Settings {
			g.setting(pkg, s)
		}
	}
}

// ofSettings are the kinds of evidence that settings are, and the words for them.
var ofSettings = map[model.SettingKind]struct {
	kind Kind
	text string
}{
	model.Limits:      {DeliveryLimit, "deliveries are limited: "},
	model.Retries:     {Retry, "tries are limited: "},
	model.DeadLetters: {DeadLetter, "messages that fail are put aside: "},
	model.ExactlyOnce: {ExactlyOnce, "a client is asked for exactly once: "},
	model.Single:      {Single, "there is one of it: "},
	model.Outboxes:    {Outbox, "events are put into a table: "},
	model.Relays:      {Relay, "rows are read to be published, under the library's own lock: "},
}

func (g *gatherer) setting(pkg *effect.Package, s effect.Setting) {
	if s.Off || s.Guessed {
		return
	}
	fact := Fact{File: check.FileIn(pkg, s.Pos), Pos: s.Pos, Package: pkg.Path}
	if in := g.p.Graphs[s.Function]; in != nil {
		fact.Function = in.Name
	}
	if s.Does == model.Metric {
		if fact.Kind = metricKind(s.Text); fact.Kind != "" {
			fact.Text = "measured: " + s.Text
			g.facts = append(g.facts, fact)
		}
		return
	}
	g.relays = g.relays || s.Does == model.Relays
	if of, ok := ofSettings[s.Does]; ok {
		fact.Kind, fact.Text = of.kind, of.text+s.Name
		g.facts = append(g.facts, fact)
	}
}

// The words in the names of metrics.
var (
	lagWords     = []string{"lag", "behind"}
	deadWords    = []string{"dlq", "dead_letter", "dead_letters", "deadletter", "deadletters", "poison", "parked"}
	backlogWords = []string{"backlog", "outbox", "pending", "queue_depth", "queue_size", "queue_length", "unpublished", "unsent", "relay"}
)

// metricKind tells from a metric's name what it measures, "" where that is nothing of interest.
func metricKind(name string) Kind {
	name = "_" + sqltext.Snake(strings.NewReplacer(".", "_", "-", "_", "/", "_").Replace(name)) + "_"
	for _, of := range []struct {
		kind  Kind
		words []string
	}{{DeadMetric, deadWords}, {BacklogMetric, backlogWords}, {LagMetric, lagWords}} {
		for _, word := range of.words {
			if strings.Contains(name, "_"+word+"_") {
				return of.kind
			}
		}
	}
	return ""
}

// keyed reports whether a publish goes to a log or queue that orders by key, as far as its library tells: a KeyUse stands for
// publishers of which nobody knows what they are, too.
func keyed(e *effect.Effect) bool {
	for _, lib := range []string{"kafka", "sarama", "franz-go", "kinesis", "pulsar", "goka"} {
		if strings.Contains(strings.ToLower(e.Symbol), lib) {
			return true
		}
	}
	return false
}
