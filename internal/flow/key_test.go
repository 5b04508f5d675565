package flow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

func TestIdentifies(t *testing.T) {
	for column, table := range map[string]string{"id": "orders", "_id": "", "uuid": "x", "order_id": "orders", "orderid": "orders",
		"box_uid": "boxes", "category_uuid": "categories", "address_id": "addresses"} {
		assert.True(t, Identifies(column, table), "%s of %s", column, table)
	}
	for column, table := range map[string]string{"order_id": "payments", "_id2": "", "_uuid": "", "total": "orders", "orders_id": "orders"} {
		assert.False(t, Identifies(column, table), "%s of %s", column, table)
	}
}

// insert is a write of two columns that is given pieces.
func insert(parts ...effect.Part) effect.Node {
	return effect.Node{Op: effect.OpEffect, Parts: parts,
		Effect: &effect.Effect{Kind: model.Write, Table: "orders", Columns: []string{"id", "total"}}}
}

func given(arg int, field string, from effect.Source) effect.Part {
	return effect.Part{Arg: arg, Field: field, From: from}
}

func withParts(n effect.Node, parts ...effect.Part) effect.Node {
	n.Parts = parts
	return n
}

var (
	made  = effect.Source{Kind: effect.MadeSource}
	other = effect.Source{}
)

func param(i int, field string) effect.Source {
	return effect.Source{Kind: effect.ParamSource, Index: i, Field: field}
}

// keysOf gives what is known of the write that a function publishes after.
func (s *sketch) keysOf(t *testing.T, function string) []Key {
	t.Helper()
	p := s.program(DefaultOptions())
	hits, _ := p.Run(written)
	for _, h := range hits {
		if h.Graph.Name == "p."+function {
			return p.Keys(h.First)
		}
	}
	return nil
}

func TestKeysOfOneStep(t *testing.T) {
	s := newSketch()
	s.fn("numbered", nodes(insert(given(1, "0", made), given(1, "1", other)), publish()))
	s.fn("named", nodes(insert(given(1, "OrderID", other), given(1, "at", made)), publish()))
	s.fn("beyond", nodes(insert(given(1, "7", made)), publish()))
	s.fn("twice", nodes(insert(given(1, "id", other), given(1, "id", made)), publish()))
	assert.Equal(t, []Key{{"id", true}, {"total", false}}, s.keysOf(t, "numbered"), "numbers are the statement's columns")
	assert.Equal(t, []Key{{"order_id", false}, {"at", true}}, s.keysOf(t, "named"))
	assert.Equal(t, []Key{{"7", true}}, s.keysOf(t, "beyond"))
	assert.Equal(t, []Key{{"id", true}}, s.keysOf(t, "twice"), "what may be made here counts as made")
}

func TestKeysOfCallers(t *testing.T) {
	s := newSketch()
	s.fn("one", nodes(insert(given(1, "0", param(0, "")))))
	s.fn("field", nodes(insert(given(1, "0", param(0, "ID")))))
	s.fn("whole", nodes(insert(given(1, "", param(0, "")))))
	s.fn("fresh", nodes(withParts(call("one"), given(0, "", made)), publish()))
	s.fn("taken", nodes(withParts(call("one"), given(0, "", other)), publish()))
	s.fn("freshField", nodes(withParts(call("field"), given(0, "ID", made), given(0, "Name", other)), publish()))
	s.fn("takenField", nodes(withParts(call("field"), given(0, "ID", other), given(0, "Name", made)), publish()))
	s.fn("freshWhole", nodes(withParts(call("whole"), given(0, "ID", made), given(0, "Total", other)), publish()))
	s.fn("between", nodes(withParts(call("field"), given(0, "", param(2, "")))))
	s.fn("far", nodes(withParts(call("between"), given(2, "ID", made)), publish()))
	for function, want := range map[string][]Key{
		"fresh": {{"id", true}}, "taken": {{"id", false}}, "freshField": {{"id", true}}, "takenField": {{"id", false}},
		"freshWhole": {{"id", true}, {"total", false}}, "far": {{"id", true}},
	} {
		assert.Equal(t, want, s.keysOf(t, function), function)
	}
}

// What a constructor makes is known by its results: newOrder() with an ID of its own, or with one that it was given.
func TestKeysOfResults(t *testing.T) {
	s := newSketch()
	result := func(field string) effect.Source {
		return effect.Source{Kind: effect.ResultSource, Node: 1, Field: field}
	}
	s.fn("fresh", nodes()).ResultParts = []effect.Part{given(0, "ID", made)}
	s.fn("taken", nodes()).ResultParts = []effect.Part{given(0, "ID", param(0, ""))}
	s.fn("makes", nodes(call("fresh"), insert(given(1, "0", result("ID"))), publish()))
	s.fn("takes", nodes(withParts(call("taken"), given(0, "", other)), insert(given(1, "0", result("ID"))), publish()))
	s.fn("hands", nodes(withParts(call("taken"), given(0, "", made)), insert(given(1, "0", result("ID"))), publish()))
	s.fn("stores", nodes(call("fresh"), insert(given(1, "", result(""))), publish()))
	for function, want := range map[string][]Key{
		"makes": {{"id", true}}, "takes": {{"id", false}}, "hands": {{"id", true}}, "stores": {{"id", true}},
	} {
		assert.Equal(t, want, s.keysOf(t, function), function)
	}
}
