// Package graphview writes effect graphs for people, as text and for Graphviz.
//
// A graph as the engine keeps it is made of blocks, moves of outcomes and calls of everything in the program. A [View]
// shows what matters to a reader: the steps with an effect or with effects behind them, numbered in the order of the
// source, and for each where control goes next when it ends well and when it fails.
package graphview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
)

// A View is the graph of one function with those of its closures.
type View struct {
	program *effect.Program
	graph   *effect.Graph
	pkg     *effect.Package
	rows    []*row
	rowOf   map[*effect.Node]*row
	byID    map[int]*effect.Node
	scopes  map[int]string // by the ID of the node that begins the transaction
	entry   []target
	hidden  int
	inner   []*View
}

// A row is one visible step.
type row struct {
	number       int
	block, index int
	node         *effect.Node
	pos          effect.Pos // of the node, or of the step before one that has none
	what         string     // "write orders (insert)", "call outbox.Append(recv.out, s1, …)"
	via          string     // the handle that an effect goes through
	gives        string     // the transaction that it begins, the closure that it runs
	notes        []string   // what a call reaches
	outs         []out
}

// New arranges the graph of a function.
func New(p *effect.Program, g *effect.Graph) *View {
	v := &View{program: p, graph: g, pkg: p.PackageOf[g], rowOf: map[*effect.Node]*row{}, byID: map[int]*effect.Node{}, scopes: map[int]string{}}
	v.findRows()
	v.nameScopes()
	for _, r := range v.rows {
		v.describe(r)
	}
	v.followAll()
	for _, c := range v.closures() {
		if inner := New(p, c); len(inner.rows) > 0 || len(inner.inner) > 0 {
			v.inner = append(v.inner, inner)
		}
	}
	return v
}

// findRows picks the steps that are shown and numbers them as they stand in the source.
func (v *View) findRows() {
	for b := range v.graph.Blocks {
		pos := v.graph.Pos
		for i := range v.graph.Blocks[b].Nodes {
			n := &v.graph.Blocks[b].Nodes[i]
			if n.ID > 0 {
				v.byID[n.ID] = n
			}
			if n.Pos.IsValid() {
				pos = n.Pos
			}
			switch {
			case v.visible(n):
				v.rows = append(v.rows, &row{block: b, index: i, node: n, pos: pos})
			case n.Op == effect.OpCall:
				v.hidden++
			}
		}
	}
	slices.SortStableFunc(v.rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.pos.Line, b.pos.Line), cmp.Compare(a.pos.Col, b.pos.Col))
	})
	for i, r := range v.rows {
		r.number = i + 1
		v.rowOf[r.node] = r
	}
}

// visible reports whether a step has an effect, or may have one as far as is known.
func (v *View) visible(n *effect.Node) bool {
	switch n.Op {
	case effect.OpEffect:
		return n.Effect != nil
	case effect.OpPresence:
		return true
	case effect.OpCall:
	default:
		return false
	}
	switch {
	case len(n.Fun) > 0:
		return true
	case n.Callee != "" && v.program.Graphs[n.Callee] == nil, !n.Method.IsZero() && len(v.program.Targets[n.Method]) == 0:
		return true // nobody knows what is behind it
	}
	return len(v.reaches(n)) > 0
}

// nameScopes calls the transactions s1, s2 … in the order in which they are begun.
func (v *View) nameScopes() {
	for _, r := range v.rows {
		if r.node.Effect != nil && r.node.Effect.Kind == model.Begin {
			v.scopes[r.node.ID] = "s" + strconv.Itoa(len(v.scopes)+1)
		}
	}
}

// closures lists the closures that stand in the function itself, in the order of the source.
func (v *View) closures() []*effect.Graph {
	var found []*effect.Graph
	for _, g := range v.program.Graphs {
		if g.Parent == v.graph.ID {
			found = append(found, g)
		}
	}
	slices.SortFunc(found, func(a, b *effect.Graph) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.ID, b.ID))
	})
	return found
}

// title is the function's name with its parameters; a closure is called by its number only.
func (v *View) title() string {
	names := make([]string, len(v.graph.Params))
	for i := range names {
		names[i] = v.param(i)
	}
	name := v.graph.Name
	if v.graph.Parent != "" {
		name = closureName(name)
	}
	return name + "(" + strings.Join(names, ", ") + ")"
}

// closureName is the number of a closure within its function: "$1$2".
func closureName(name string) string {
	if _, number, ok := strings.Cut(name, "$"); ok {
		return "$" + number
	}
	return name
}

func (v *View) param(i int) string {
	name := v.graph.Params[i].Name
	switch {
	case v.graph.Method && i == 0:
		return "recv"
	case name == "" || name == "_":
		return "arg" + strconv.Itoa(i)
	}
	return name
}

// captured lists the variables that a closure takes from around it.
func (v *View) captured() []string {
	names := make([]string, len(v.graph.FreeVars))
	for i, f := range v.graph.FreeVars {
		names[i] = f.Name
	}
	return names
}

// deferred lists the numbers of the deferred steps in the order in which they run.
func (v *View) deferred() []string {
	var numbers []string
	for _, r := range slices.Backward(v.rows) {
		if r.node.Mode == effect.Deferred {
			numbers = append(numbers, strconv.Itoa(r.number))
		}
	}
	return numbers
}
