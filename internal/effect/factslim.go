package effect

import (
	"slices"
	"strings"
)

// slim copies one of the package's own graphs without what only its own package can need: the ends of places, which are
// for findings, labels and names for traces, SQL that has been read, and stores that nobody looks at.
func (k *keeper) slim(g *Graph) *Graph {
	out := *g
	out.Pos = start(g.Pos)
	out.Params, out.FreeVars = unnamed(g.Params), unnamed(g.FreeVars)
	out.Blocks = slices.Clone(g.Blocks)
	for b := range out.Blocks {
		nodes := slices.Clone(out.Blocks[b].Nodes)
		for i := range nodes {
			nodes[i].Pos, nodes[i].Label = start(nodes[i].Pos), ""
			if nodes[i].Effect != nil {
				nodes[i].Args = withoutTexts(nodes[i].Args)
			}
		}
		out.Blocks[b].Nodes = nodes
	}
	out.Stores = nil
	for i := range g.Stores {
		if st := &g.Stores[i]; exportedCell(st.Cell) || k.storeMatters(g, st) {
			out.Stores = append(out.Stores, *st)
		}
	}
	return &out
}

func withoutTexts(args []Roots) []Roots {
	out := slices.Clone(args)
	for i, rs := range out {
		if slices.ContainsFunc(rs, isText) {
			out[i] = slices.DeleteFunc(slices.Clone(rs), isText)
		}
	}
	return out
}

func isText(r Root) bool { return r.Kind == TextRoot }

func start(p Pos) Pos { return Pos{File: p.File, Line: p.Line, Col: p.Col} }

func unnamed(params []Param) []Param {
	out := slices.Clone(params)
	for i := range out {
		out[i].Name = ""
	}
	return out
}

// exportedCell reports whether other packages can look at a field or global by its name.
func exportedCell(cell string) bool {
	name := cell[strings.LastIndexByte(cell, '.')+1:]
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}
