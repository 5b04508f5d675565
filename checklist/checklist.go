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
	// Clean says that the item is kept where the code has what it is about and no rule found anything.
	Clean bool `yaml:"clean"`
	// Ask is the question that only people can answer, "" for none.
	Ask string `yaml:"ask"`
}

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
