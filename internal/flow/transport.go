package flow

import (
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
)

// findTransports looks for interfaces with a broker behind one implementation and nothing but a table behind another: a
// queue that can also be kept in the database. A call of such an interface is a publish wherever it ends up, so only
// the implementations that reach a broker are kept.
func (p *Program) findTransports() {
	byIface := map[string][]effect.MethodKey{}
	for key := range p.Targets {
		byIface[key.Iface] = append(byIface[key.Iface], key)
	}
	for _, keys := range byIface {
		slices.SortFunc(keys, func(a, b effect.MethodKey) int { return strings.Compare(a.Name, b.Name) })
		p.pruneTransport(keys)
	}
}

// pruneTransport decides for one interface, given its methods that are called: an implementation is left out if, for a
// method by which another one publishes and does nothing else, it only writes.
func (p *Program) pruneTransport(keys []effect.MethodKey) {
	tables := map[string]bool{}
	for _, key := range keys {
		if !p.someBroker(key) {
			continue
		}
		for _, id := range p.Targets[key] {
			if t := p.byID[id]; t != nil && t.does&writes != 0 && t.does&publishes == 0 {
				tables[receiverOf(id)] = true
			}
		}
	}
	if len(tables) == 0 {
		return
	}
	for _, key := range keys {
		p.Targets[key] = slices.DeleteFunc(p.Targets[key], func(id effect.FuncID) bool { return tables[receiverOf(id)] })
	}
}

// someBroker reports whether an implementation of a method publishes and writes nothing. One that hands on to another
// implementation does not count.
func (p *Program) someBroker(key effect.MethodKey) bool {
	return slices.ContainsFunc(p.Targets[key], func(id effect.FuncID) bool {
		t := p.byID[id]
		return t != nil && t.does&(publishes|writes) == publishes && !p.decorates(t, key.Iface)
	})
}

// receiverOf gives the receiver in a method's ID.
func receiverOf(id effect.FuncID) string {
	recv, _, _ := strings.Cut(string(id), ").")
	return recv
}

// decorates reports whether a method calls the interface that it implements: it hands on to another implementation.
func (p *Program) decorates(g *graph, iface string) bool {
	found := false
	g.each(func(n *effect.Node) { found = found || n.Method.Iface == iface })
	return found
}
