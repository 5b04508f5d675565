// Package checklist is the review checklist as data: what each item demands, which rules break it, and which evidence in
// the code shows where it is kept.
package checklist

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/dmlint/dmlint/internal/evidence"
)

// An Item is one demand of the checklist.
type Item struct {
	// Number is stable: findings and reports cite it.
	Number int    `yaml:"number"`
	Text   string `yaml:"text"`
	// Rules are those whose findings break the item.
	Rules []string `yaml:"rules"`
	// Within are rules whose findings break it only where the code has what the item is about.
	Within []string `yaml:"within"`
	// About are the kinds of evidence that have to be there, all of them, for the item to be about the code at all.
	About []evidence.Kind `yaml:"about"`
	// Honoured are kinds of evidence that show where the item is kept.
	Honoured []evidence.Kind `yaml:"honoured"`
	// Held is what it takes to say that the item is kept where no rule found anything; "" for items of which only people
	// can say that.
	Held Proof `yaml:"held"`
	// Strict says that evidence counts only where the code has what the item is about.
	Strict bool `yaml:"strict"`
	// Ask is the question that only people can answer, "" for none.
	Ask string `yaml:"ask"`
}

// Proof is what it takes to say that an item is kept.
type Proof string

// The proofs.
const (
	Clean Proof = "clean" // the code has what the item is about
	Shown Proof = "shown" // evidence shows where it is kept: the rules stay silent where they are in doubt
)

//go:embed items.yaml
var text []byte

var items = sync.OnceValue(func() []Item {
	var list []Item
	if err := yaml.UnmarshalWithOptions(text, &list, yaml.Strict()); err != nil {
		panic(fmt.Sprintf("checklist: items.yaml: %v", err))
	}
	return list
})

// Items lists the checklist in the order of its numbers.
func Items() []Item { return slices.Clone(items()) }
