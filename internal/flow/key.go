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
	for ; w != nil; w = w.Sub {
		k.chain = append(k.chain, w)
	}
	last := len(k.chain) - 1
	if e := k.chain[last].Effect; e != nil {
		k.columns = e.Columns
	}
	for last > 0 && (k.chain[last].Node == nil || len(k.chain[last].Node.Parts) == 0 && k.chain[last].Pkg == nil) {
		last-- // a library's method behind an interface of the program's own
	}
	if k.chain[last].Node != nil {
		k.take(last, k.chain[last].Node.Parts, 0)
	}
	return k.found
}

// keys follows the pieces of a write's arguments up its chain of calls.
type keys struct {
	p       *Program
	chain   []*Witness
	columns []string
	found   []Key
}

// maxKeyDepth bounds how many calls a piece is followed through.
const maxKeyDepth = 8

func (k *keys) take(level int, parts []effect.Part, depth int) {
	for _, part := range parts {
		if part.Field == "" {
			k.whole(level, part.From, depth)
			continue
		}
		k.note(k.column(part.Field), k.made(level, part.From, depth))
	}
}

func (k *keys) note(column string, made bool) {
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
func (k *keys) whole(level int, from effect.Source, depth int) {
	if depth > maxKeyDepth {
		return
	}
	switch from.Kind {
	case effect.ParamSource:
		if level > 0 {
			k.take(level-1, partsOf(k.chain[level-1].Node, from.Index), depth+1)
		}
	case effect.ResultSource:
		for _, g := range k.callees(level, from.Node) {
			for _, part := range g.ResultParts {
				if part.Arg == from.Index && part.Field != "" {
					k.note(k.column(part.Field), part.From.Kind == effect.MadeSource || k.madeByCallee(level, from.Node, part.From, depth+1))
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
	var out []effect.Part
	for _, part := range n.Parts {
		if part.Arg == arg {
			out = append(out, part)
		}
	}
	return out
}

func (k *keys) callees(level, node int) []*graph {
	g := k.p.byID[k.chain[level].Graph.ID]
	if g == nil {
		return nil
	}
	n := g.node(node)
	if n == nil {
		return nil
	}
	var out []*graph
	for _, id := range k.p.staticTargets(n) {
		if t := k.p.byID[id]; t != nil {
			out = append(out, t)
		}
	}
	return out
}

// made reports whether an exact value is made on the spot.
func (k *keys) made(level int, from effect.Source, depth int) bool {
	if depth > maxKeyDepth {
		return false
	}
	switch from.Kind {
	case effect.MadeSource:
		return true
	case effect.ParamSource:
		return level > 0 && k.madeArgument(level-1, k.chain[level-1].Node, from, depth)
	case effect.ResultSource:
		return slices.ContainsFunc(k.callees(level, from.Node), func(g *graph) bool {
			return slices.ContainsFunc(g.ResultParts, func(part effect.Part) bool {
				return part.Arg == from.Index && part.Field == from.Field &&
					(part.From.Kind == effect.MadeSource || k.madeByCallee(level, from.Node, part.From, depth+1))
			})
		})
	}
	return false
}

// madeArgument asks the call at a level about the argument, or the field of it, that became a parameter.
func (k *keys) madeArgument(level int, n *effect.Node, from effect.Source, depth int) bool {
	for _, part := range partsOf(n, from.Index) {
		switch {
		case part.Field == from.Field:
			if k.made(level, part.From, depth+1) {
				return true
			}
		case part.Field == "" && part.From.Field == "":
			up := part.From
			up.Field = from.Field
			if k.made(level, up, depth+1) {
				return true
			}
		}
	}
	return false
}

// madeByCallee asks about what a callee got from the call of it.
func (k *keys) madeByCallee(level, node int, from effect.Source, depth int) bool {
	if from.Kind != effect.ParamSource || depth > maxKeyDepth {
		return false
	}
	g := k.p.byID[k.chain[level].Graph.ID]
	return g != nil && k.madeArgument(level, g.node(node), from, depth)
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
