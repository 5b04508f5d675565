package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// funcBuilder makes the graph of one function.
type funcBuilder struct {
	*packageBuilder
	fn *ssa.Function
	g  *Graph

	params map[*ssa.Parameter]int
	frees  map[*ssa.FreeVar]int
	nodes  map[ssa.Instruction]*Node // calls and sends that became nodes
	// batches are the calls that send several statements, with a node more for each but the last; extra counts these.
	batches map[ssa.Instruction]*batch
	extra   int
	// marks are steps without a number: what failed is kept, work is waited for.
	marks map[ssa.Instruction]*Node
	loops loopInfo

	roots    map[ssa.Value]Roots
	rooting  map[ssa.Value]bool
	content  map[*ssa.Alloc]*allocContent
	scopeOf  map[ssa.Value]int // receivers that a begin turns into a transaction, by the begin's node
	origins  map[Origin]int
	locals   map[ssa.Value]int
	dataMemo map[ssa.Value]Origins
	// walked says of values in which dataWalk they were last seen: there is one after the other, too many for a set each.
	walked map[ssa.Value]int
	walks  int
	sums   map[ssa.Value]int // sums with a field in them, by their place in Graph.Adds
	added  []ssa.Value       // what has the field, by place in Graph.Adds

	merging map[*ssa.Phi]bool // variables whose traits are being asked for

	sourceSteps int // what was looked at for the value whose source is being asked for

	vars      map[ssa.Value]Var
	cells     map[ssa.Value]Var
	loadMoves map[ssa.Instruction]*Node // stores, loads and presence tests of followed variables
	edgeMoves map[*ssa.Phi]bool
}

func newFuncBuilder(pb *packageBuilder, fn *ssa.Function) *funcBuilder {
	return &funcBuilder{
		packageBuilder: pb, fn: fn,
		params: map[*ssa.Parameter]int{}, frees: map[*ssa.FreeVar]int{}, nodes: map[ssa.Instruction]*Node{},
		batches: map[ssa.Instruction]*batch{}, marks: map[ssa.Instruction]*Node{},
		roots: map[ssa.Value]Roots{}, rooting: map[ssa.Value]bool{}, content: map[*ssa.Alloc]*allocContent{},
		scopeOf: map[ssa.Value]int{}, origins: map[Origin]int{}, locals: map[ssa.Value]int{}, dataMemo: map[ssa.Value]Origins{}, walked: map[ssa.Value]int{},
		sums: map[ssa.Value]int{}, merging: map[*ssa.Phi]bool{},
		vars: map[ssa.Value]Var{}, cells: map[ssa.Value]Var{}, loadMoves: map[ssa.Instruction]*Node{},
		edgeMoves: map[*ssa.Phi]bool{},
	}
}

func (b *funcBuilder) build() *Graph {
	b.header()
	b.loops = findLoops(b.fn)
	b.findNodes()
	b.findAdds()
	b.fillNodes()
	b.controlFlow()
	b.sifting()
	b.returns()
	b.g.ResultParts = b.resultParts()
	b.g.KeyNotes, b.g.ResultFrom, b.g.ResultRequest = b.keyNotes(), b.resultSources(), b.resultRequest()
	b.g.ResultTraits, b.g.CellTraits = b.resultTraits(), b.cellTraits()
	b.fillAdds()
	b.stores()
	b.liveness()
	b.limits()
	b.findStates()
	b.g.Waits = b.waits()
	b.g.Mentions = b.mentions()
	return b.g
}

// header fills in what is known from the signature.
func (b *funcBuilder) header() {
	fn := b.fn
	b.g = &Graph{ID: idOf(fn), Name: displayName(fn), Pkg: b.out.Path, Pos: b.pos(fn.Pos(), 0)}
	if fn.Parent() != nil {
		b.g.Parent = idOf(fn.Parent())
	}
	if obj := fn.Object(); obj != nil {
		b.g.Exported = obj.Exported()
	}
	b.g.Method = fn.Signature.Recv() != nil
	b.g.Handler = markedHandler(fn)
	b.g.Wrapper = fn.Synthetic != "" && fn.Syntax() == nil
	b.g.File = b.g.Pos.File
	b.g.Generated = b.generated[b.in.Fset.Position(fn.Pos()).Filename]
	for i, p := range fn.Params {
		b.params[p] = i
		b.g.Params = append(b.g.Params, Param{Name: p.Name(), Role: b.role(p.Type()), Message: b.messageText(p.Type())})
	}
	for i, v := range fn.FreeVars {
		b.frees[v] = i
		b.g.FreeVars = append(b.g.FreeVars, Param{Name: v.Name(), Role: b.role(deref(v.Type()))})
	}
	for v := range fn.Signature.Results().Variables() {
		b.g.Results = append(b.g.Results, resultKind(b.packageBuilder, v.Type()))
	}
}

// findNodes gives a node to each instruction that may matter, in order, so that roots can name nodes.
func (b *funcBuilder) findNodes() {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			b.findKept(instr, block)
			b.findWait(instr)
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				b.findCall(instr)
			case *ssa.Send:
				b.newNode(instr)
			case *ssa.Lookup:
				if asksMap(instr) {
					b.findMap(instr, instr.X, model.Lookup)
				}
			case *ssa.MapUpdate:
				b.findMap(instr, instr.Map, model.Remember)
			case *ssa.UnOp, *ssa.Extract:
				b.findReceive(instr.(ssa.Value))
			case *ssa.RunDefers:
				b.newNode(instr).Op = OpRunDefers
			case *ssa.Return:
				if b.publishesResult(instr) {
					b.newNode(instr)
				}
			case *ssa.Select:
				for _, st := range instr.States {
					if st.Dir == types.SendOnly {
						b.newNode(instr)
						break
					}
				}
			}
		}
	}
}

func (b *funcBuilder) newNode(instr ssa.Instruction) *Node {
	n := &Node{ID: len(b.nodes) + b.extra + 1}
	b.nodes[instr] = n
	return n
}

// addVar makes a new variable.
func (b *funcBuilder) addVar() Var {
	b.g.Vars++
	return Var(b.g.Vars)
}

// controlFlow makes the blocks. The outcomes that branches and returns look at are found on the way, so the moves that
// feed them are collected first and then put in their places.
func (b *funcBuilder) controlFlow() {
	b.g.Blocks = make([]Block, len(b.fn.Blocks))
	for i, block := range b.fn.Blocks {
		b.terminate(&b.g.Blocks[i], block)
	}
	b.nameKeys()
	for b.placePhis() {
	}
	for i, block := range b.fn.Blocks {
		b.placeNodes(&b.g.Blocks[i], block)
	}
}

func (b *funcBuilder) terminate(out *Block, block *ssa.BasicBlock) {
	for _, s := range block.Succs {
		out.Succs = append(out.Succs, b.loops.edge(block, s))
	}
	switch last := block.Instrs[len(block.Instrs)-1].(type) {
	case *ssa.If:
		out.Cond = b.cond(last.Cond)
	case *ssa.Return:
		out.Exit = Return
		for i, v := range last.Results {
			out.Return = append(out.Return, b.returnOperand(i, v, block))
		}
	case *ssa.Panic:
		out.Exit = Panic
	}
}

// returnOperand is the outcome of a returned value. What is returned where an error has just been found is an error, too,
// however it was wrapped, unless it says otherwise.
func (b *funcBuilder) returnOperand(i int, v ssa.Value, block *ssa.BasicBlock) Operand {
	return failing(b.resultOperand(i, v), v, block)
}

func (b *funcBuilder) resultOperand(i int, v ssa.Value) Operand {
	if i >= len(b.g.Results) || b.g.Results[i] == OpaqueResult {
		return Operand{}
	}
	return b.operand(v)
}

// placePhis puts the moves of phis that turned out to matter on the edges; it reports whether that brought new ones.
func (b *funcBuilder) placePhis() bool {
	changed := false
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			v, followed := b.vars[phi]
			if !followed || b.edgeMoves[phi] {
				continue
			}
			b.edgeMoves[phi] = true
			changed = true
			for i, edge := range phi.Edges {
				b.moveOnEdge(block.Preds[i], block, i, Move{To: v, From: failing(b.operand(edge), edge, block.Preds[i])})
			}
		}
	}
	return changed
}

func (b *funcBuilder) moveOnEdge(from, to *ssa.BasicBlock, predIndex int, m Move) {
	nth := 0 // a block can branch to the same successor twice
	for _, p := range to.Preds[:predIndex] {
		if p == from {
			nth++
		}
	}
	succs := b.g.Blocks[from.Index].Succs
	for i := range succs {
		if succs[i].To == to.Index {
			if nth == 0 {
				succs[i].Moves = append(succs[i].Moves, m)
				return
			}
			nth--
		}
	}
}

// placeNodes puts a block's nodes in order.
func (b *funcBuilder) placeNodes(out *Block, block *ssa.BasicBlock) {
	for _, instr := range block.Instrs {
		if batch := b.batches[instr]; batch != nil {
			for _, n := range batch.more {
				out.Nodes = append(out.Nodes, *n)
			}
		}
		if n := b.nodes[instr]; n != nil {
			out.Nodes = append(out.Nodes, *n)
		}
		if n := b.marks[instr]; n != nil {
			out.Nodes = append(out.Nodes, *n)
		}
		if n := b.loadMoves[instr]; n != nil {
			out.Nodes = append(out.Nodes, *n)
		}
	}
}

// returns notes where each result comes from.
func (b *funcBuilder) returns() {
	n := b.fn.Signature.Results().Len()
	b.g.Returns = make([]Roots, n)
	b.g.ReturnData = make([]Origins, n)
	for _, block := range b.fn.Blocks {
		ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, v := range ret.Results {
			b.g.Returns[i] = b.g.Returns[i].add(b.rootsOf(v)...)
			b.g.ReturnData[i] = b.g.ReturnData[i].add(b.dataOf(v)...)
			if _, isConst := v.(*ssa.Const); isConst && b.g.Results[i] == OpaqueResult {
				b.g.Blocks[block.Index].Empty.Set(i)
			}
		}
	}
}

// stores notes what is put where other functions can find it.
func (b *funcBuilder) stores() {
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				b.store(instr.Addr, instr.Val)
			case *ssa.MapUpdate:
				b.store(instr.Map, instr.Value)
			case *ssa.Send:
				b.store(instr.Chan, instr.X)
			}
		}
	}
}

func (b *funcBuilder) store(addr, val ssa.Value) {
	roots := b.rootsOf(val)
	if len(roots) == 0 {
		return
	}
	for _, cell := range b.cellsOf(addr, 0) {
		b.g.Stores = append(b.g.Stores, Store{Cell: cell, Value: roots})
	}
}

// cellsOf names the program-wide places that an address stands for.
func (b *funcBuilder) cellsOf(addr ssa.Value, depth int) []string {
	if depth > 4 {
		return nil
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		if name, _ := cellName(a.X.Type(), a.Field); name != "" {
			return []string{name}
		}
	case *ssa.Global:
		return []string{globalName(a)}
	case *ssa.IndexAddr:
		return b.cellsOf(a.X, depth+1)
	case *ssa.UnOp:
		return b.cellsOf(a.X, depth+1)
	case *ssa.Slice:
		return b.cellsOf(a.X, depth+1)
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		var cells []string
		for _, ref := range *addr.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Val == addr {
				cells = append(cells, b.cellsOf(st.Addr, depth+1)...)
			}
		}
		return cells
	}
	return nil
}

func globalName(g *ssa.Global) string {
	if g.Pkg == nil {
		return g.Name()
	}
	return g.Pkg.Pkg.Path() + "." + g.Name()
}
