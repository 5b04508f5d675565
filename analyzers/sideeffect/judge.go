package sideeffect

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/dedupe"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// verdict is what is said of one call.
type verdict struct {
	deed flow.Deed
	at   *flow.Witness
	leaf *effect.Effect
	tier check.Tier
	pays bool
	// fresh is the name of a key that is made on the spot, "" where there is none.
	fresh string
}

// judgeCall gives nil for a call that is right, or of which too little is known.
func judgeCall(p *flow.Program, senders *flow.Senders, d flow.Deed) *verdict {
	levels := d.Chain.Levels()
	from := place(senders, d.Chain)
	v := &verdict{deed: d, at: levels[from], leaf: d.Chain.Leaf().Effect, tier: check.Advice}
	if v.at.Pkg == nil || v.at.Pkg.Harness || v.at.Graph.Generated || !v.at.Node.Pos.IsValid() || v.leaf.Once {
		return nil
	}
	if v.leaf.Kind == model.Publish {
		return v.published(p.SentKeys(d.Chain, from))
	}
	if v.pays = v.leaf.Pays; !v.pays && reads(levels) {
		return nil
	}
	if v.leaf.Request != nil {
		method, url := p.Requested(d.Chain)
		if method != http.MethodPost && !pays(url) || safe(method) || asks(url) {
			return nil
		}
		v.pays = pays(url)
	}
	if v.pays {
		v.tier = check.Error
	}
	if keyed := v.weigh(p.SentKeys(d.Chain, from)); keyed {
		return nil
	}
	if guarded(p, d.Chain) {
		if !v.pays {
			return nil
		}
		v.tier = check.Advice
	}
	return v
}

// weigh reports whether one of the keys comes from the message, and notes one that is made anew.
func (v *verdict) weigh(keys []flow.SentKey) bool {
	for _, k := range keys {
		switch {
		case !k.Made:
			if !(k.Natural && v.pays) {
				return true
			}
		case !k.Natural && !traces(k.Name):
			v.fresh = k.Name
		}
	}
	return false
}

// place is the level of a chain at which a call is reported: where its key would be put in. A request is sent by helpers that
// serve for all kinds of them; what the others do is known where they are called.
func place(senders *flow.Senders, chain *flow.Witness) int {
	switch e := chain.Leaf().Effect; {
	case e.Request != nil || e.Kind == model.Publish:
		return senders.Level(chain)
	case e.Pays:
		return flow.Picked(chain)
	}
	return flow.Innermost(chain)
}

// published judges a message that the handler sends on. A key by which the broker drops what it has seen, or the one that a
// command carries for whoever carries it out, has somebody who looks at it; an event may have an ID of its own.
func (v *verdict) published(keys []flow.SentKey) *verdict {
	for _, k := range keys {
		switch {
		case !effect.CallsKey(k.Name) || !strings.Contains(v.leaf.Symbol, "Command") && !strings.Contains(strings.ToLower(k.Name), "dedup"):
		case !k.Made:
			return nil
		default:
			v.fresh = k.Name
		}
	}
	if v.fresh == "" {
		return nil
	}
	return v
}

// traces reports whether a key is one by which people follow a request: most are made anew, and nobody minds.
func traces(name string) bool {
	plain := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	return strings.Contains(plain, "requestid") || strings.Contains(plain, "trace") || strings.Contains(plain, "correlation")
}

// maxAsked is how many calls away a row may be read whose reader asks whether the work was done.
const maxAsked = 2

// guarded reports whether the handler looks, before the call, whether the message was handled already. That does not hold
// where the process dies between the call and the record, but is what can be had where the other side takes no key.
func guarded(p *flow.Program, chain *flow.Witness) bool {
	return slices.ContainsFunc(p.Before(chain), guards)
}

func guards(b flow.Before) bool {
	switch {
	case b.Effect.Kind == model.Lookup:
		return b.Skips || b.Asked && b.Depth < maxAsked
	case dedupe.Guards(b.Effect, b.Asked):
		return true
	case b.Effect.Kind == model.Read && b.Depth <= maxAsked:
		return b.Skips || b.Asked && dedupe.AsksDone(b.Effect, b.Words)
	}
	return false
}

// safe reports whether a request may be made again as it is.
func safe(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete, http.MethodTrace:
		return true
	}
	return false
}

// readWords are those that begin, or are, the name of a function that only asks.
var readWords = []string{"get", "fetch", "find", "list", "search", "query", "lookup", "read", "load", "login", "authenticate", "auth", "token",
	"refresh", "validate", "verify", "check", "is", "has", "ping", "health", "count", "resolve", "describe", "download", "poll", "graphql",
	"log", "trace", "metric", "report", "track", "collect", "render", "embed", "embedding", "embeddings", "classify", "predict", "translate", "estimate", "calculate", "quote", "scan"}

// logPackages are words in the names of packages that tell people or machines what goes on.
var logPackages = []string{"log", "logs", "logger", "logging", "telemetry", "metrics", "tracing"}

// reads reports whether one of the functions below the handler says by its name, or its package's, that it only asks, or
// tells what goes on.
func reads(levels []*flow.Witness) bool {
	return slices.ContainsFunc(levels[1:], func(w *flow.Witness) bool {
		pkg, _, _ := strings.Cut(w.Graph.Name, ".")
		if slices.ContainsFunc(strings.Split(sqltext.Snake(pkg), "_"), func(word string) bool { return slices.Contains(logPackages, word) }) {
			return true
		}
		name, _, _ := strings.Cut(string(w.Graph.ID), "$")
		name = name[strings.LastIndexByte(name, '.')+1:]
		first, _, _ := strings.Cut(sqltext.Snake(name), "_")
		return slices.Contains(readWords, first)
	})
}

// askingParts are words in an address to which a POST only asks, or tells what goes on.
var askingParts = []string{"search", "query", "queries", "graphql", "token", "tokens", "oauth", "oauth2", "login", "auth", "lookup", "find",
	"list", "validate", "verify", "check", "health", "metrics", "metric", "traces", "logs", "log", "telemetry", "push", "write", "ingest",
	"estimate", "calculate", "quote", "quotes", "preview", "embeddings", "completions", "translate", "predict", "bulk_get", "mget", "introspect", "userinfo", "batchget", "cancel", "confirm", "refresh"}

// asks reports whether an address says that what is sent there only asks, or may be repeated.
func asks(url string) bool {
	path := url
	if i := strings.Index(path, "://"); i >= 0 {
		if _, path, _ = strings.Cut(path[i+3:], "/"); path == "" {
			return false
		}
	}
	words := strings.FieldsFunc(strings.ToLower(path), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(askingParts, w) })
}

// payHosts are parts of the addresses of services that move money.
var payHosts = []string{"api.stripe.com", "api.paypal.com", "api-m.paypal.com", "adyen.com", "braintree", "api.razorpay.com", "connect.squareup.com",
	"api.mollie.com", "gocardless.com", "api.paystack.co", "api.flutterwave.com", "api.checkout.com", "yookassa.ru", "api.mercadopago.com"}

// pays reports whether an address is that of a service that moves money.
func pays(url string) bool {
	lower := strings.ToLower(url)
	return slices.ContainsFunc(payHosts, func(h string) bool { return strings.Contains(lower, h) })
}
