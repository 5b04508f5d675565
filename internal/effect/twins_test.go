package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/model"
)

func TestWithoutTwins(t *testing.T) {
	method := func(id FuncID, params int, e Effect) *Graph {
		g := &Graph{ID: id, Params: make([]Param, params), Results: []ResultKind{ErrorResult}}
		e.Symbol = string(id)
		g.Blocks = []Block{{Nodes: []Node{{ID: 1, Op: OpEffect, Effect: &e}}}}
		return g
	}
	sql := Effect{Kind: model.SQL, Handle: Roots{{Kind: ParamRoot}}}
	graphs := []*Graph{
		method("(lib.Conn).Exec", 2, sql),
		method("(lib.Pool).Exec", 2, sql),
		method("(lib.Tx).Exec", 3, sql),
		method("(other.Bus).Exec", 2, Effect{Kind: model.Publish}),
		method("(own.Store).Exec", 2, sql),
	}
	l := &Linker{program: &Program{Graphs: map[FuncID]*Graph{}, PackageOf: map[*Graph]*Package{graphs[4]: {Path: "own"}}}}
	var ids []FuncID
	for _, g := range graphs {
		l.program.Graphs[g.ID] = g
		ids = append(ids, g.ID)
	}
	assert.Equal(t, []FuncID{"(lib.Conn).Exec", "(lib.Tx).Exec", "(other.Bus).Exec", "(own.Store).Exec"}, l.withoutTwins(ids),
		"the program's own method may do more than its one effect")
}
