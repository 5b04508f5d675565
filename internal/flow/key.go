package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// A Key is a field or column that a write is given, and whether its value is made on the spot: then it identifies nothing.
type Key struct {
	Column string
	Made   bool
}

// Keys lists the fields and columns that the innermost step of a witness is given, as far as they are known, followed
// through the calls that lead there.
func (p *Program) Keys(w *Witness) []Key {
	k := &keys{p: p}
	at := k.within(nil, w)
	for ; w.Sub != nil; w = w.Sub {
		// a library's method behind an interface of the program's own has no pieces: those of the call stand for them
		if inner := w.Sub; inner.Node != nil && (len(inner.Node.Parts) > 0 || inner.Pkg != nil) {
			at = k.within(at, inner)
		}
	}
	if w.Effect != nil {
		k.columns = w.Effect.Columns
	}
	if at.node != nil {
		k.take(at, at.node.Parts, 0)
	}
	return k.found
}

// keys follows the pieces of a write's arguments up its chain of calls, and into what the calls on the way return.
type keys struct {
	p       *Program
	columns []string
	found   []Key
}

// A spot is a node of a function and the call through which the function was reached: what is a parameter there is an
// argument of that.
type spot struct {
	g    *graph
	node *effect.Node
	up   *spot
}

func (k *keys) within(up *spot, w *Witness) *spot {
	return &spot{g: k.p.byID[w.Graph.ID], node: w.Node, up: up}
}

// maxKeyDepth bounds how many calls a piece is followed through.
const maxKeyDepth = 8

func (k *keys) take(at *spot, parts []effect.Part, depth int) {
	for _, part := range parts {
		if part.Field == "" {
			k.whole(at, part.From, depth)
			continue
		}
		k.note(part.Field, at, parts, depth)
	}
}

// note takes in a field or column by all pieces that go into it.
func (k *keys) note(field string, at *spot, parts []effect.Part, depth int) {
	column := k.column(field)
	made := k.anyMade(at, parts, depth, func(part effect.Part) (effect.Source, bool) { return part.From, part.Field == field })
	for i := range k.found {
		if k.found[i].Column == column {
			k.found[i].Made = k.found[i].Made || made
			return
		}
	}
	k.found = append(k.found, Key{column, made})
}

// column names a piece: the numbers of a list of arguments are those of the statement's columns.
func (k *keys) column(field string) string {
	if i, err := strconv.Atoi(field); err == nil {
		if i < len(k.columns) {
			return k.columns[i]
		}
		return field
	}
	return sqltext.Snake(field)
}

// whole takes the pieces of something that is handed on as it is.
func (k *keys) whole(at *spot, from effect.Source, depth int) {
	if depth > maxKeyDepth {
		return
	}
	switch from.Kind {
	case effect.ParamSource:
		if at.up != nil {
			k.take(at.up, partsOf(at.up.node, from.Index), depth+1)
		}
	case effect.ResultSource:
		for _, callee := range k.callees(at, from.Node) {
			parts := piecesOf(callee.g.ResultParts, from.Index)
			for _, part := range parts {
				switch {
				case part.Field != "":
					k.note(part.Field, callee, parts, depth+1)
				case part.From.Kind == effect.ResultSource:
					k.whole(callee, part.From, depth+1)
				}
			}
		}
	}
}

// partsOf lists the pieces of one argument.
func partsOf(n *effect.Node, arg int) []effect.Part {
	if n == nil {
		return nil
	}
	return piecesOf(n.Parts, arg)
}

// piecesOf are those of one argument or result.
func piecesOf(parts []effect.Part, index int) []effect.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(part effect.Part) bool { return part.Arg != index })
}

// callees are the functions that a call in the function of a spot reaches, as reached by it.
func (k *keys) callees(at *spot, node int) []*spot {
	if at.g == nil {
		return nil
	}
	n := at.g.node(node)
	if n == nil {
		return nil
	}
	call := &spot{g: at.g, node: n, up: at.up}
	var out []*spot
	for _, id := range k.p.staticTargets(n) {
		if t := k.p.byID[id]; t != nil {
			out = append(out, &spot{g: t, up: call})
		}
	}
	return out
}

// made reports whether an exact value is made on the spot.
func (k *keys) made(at *spot, from effect.Source, depth int) bool {
	if depth > maxKeyDepth {
		return false
	}
	switch from.Kind {
	case effect.MadeSource:
		return true
	case effect.ParamSource:
		return at.up != nil && k.madePiece(at.up, partsOf(at.up.node, from.Index), from.Field, depth)
	case effect.ResultSource:
		return slices.ContainsFunc(k.callees(at, from.Node), func(callee *spot) bool {
			return k.madePiece(callee, piecesOf(callee.g.ResultParts, from.Index), from.Field, depth)
		})
	}
	return false
}

// madePiece asks the pieces of an argument or result about one field of it, or about all of it.
func (k *keys) madePiece(at *spot, parts []effect.Part, field string, depth int) bool {
	return k.anyMade(at, parts, depth+1, func(part effect.Part) (effect.Source, bool) {
		from := part.From
		switch {
		case part.Field == field:
			return from, true
		case part.Field == "" && from.Field == "":
			from.Field = field
			return from, true
		}
		return from, false
	})
}

// anyMade reports whether one of the pieces that of picks, at the spot that they belong to, is made on the spot. Of
// pieces of which the value is one or another all have to be.
func (k *keys) anyMade(at *spot, parts []effect.Part, depth int, of func(effect.Part) (effect.Source, bool)) bool {
	either, all := false, true
	for _, part := range parts {
		from, ok := of(part)
		if !ok {
			continue
		}
		made := k.made(at, from, depth)
		if made && !from.Either {
			return true
		}
		either, all = either || from.Either, all && (made || !from.Either)
	}
	return either && all
}

// singular makes one name of a table's spellings: orders, order.
func singular(table string) string {
	switch {
	case strings.HasSuffix(table, "ies"):
		return strings.TrimSuffix(table, "ies") + "y"
	case strings.HasSuffix(table, "ses"), strings.HasSuffix(table, "xes"):
		return strings.TrimSuffix(table, "es")
	}
	return strings.TrimSuffix(table, "s")
}

// Identifies reports whether a column is what identifies a row of a table, by its name.
func Identifies(column, table string) bool {
	switch column {
	case "id", "_id", "uuid", "uid", "guid", "pk":
		return true
	}
	one := singular(table)
	return table != "" && (column == one+"_id" || column == one+"_uuid" || column == one+"id" || column == one+"_uid")
}
