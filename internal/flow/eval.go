package flow

import (
	"encoding/binary"
	"strconv"

	"github.com/dmlint/dmlint/internal/effect"
)

// A frame is a function with the values of its parameters and free variables.
type frame struct {
	g      *graph
	params []value
	free   []value
	key    string
	// results are the values of the calls in the function; busy ones are being worked out.
	results map[resultKey]value
	// handsOn caches whether the function can leave a transaction open for its caller.
	handsOn *bool
	// plans, by the nodes' numbers, touches and uses are kept by side: see engine.side.
	plans   [3][]*plan
	touches [3]touched
	uses    [3]*bool
}

type resultKey struct{ node, result int }

// frame gives the frame of a function for the given values: always the same one, so that what is worked out in it is
// kept.
func (p *Program) frame(g *graph, params, free []value) *frame {
	key := make([]byte, 0, 4+4*len(params)+4*len(free))
	key = binary.LittleEndian.AppendUint32(key, uint32(g.index))
	for _, v := range params {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	for _, v := range free {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	if f := p.frames[string(key)]; f != nil {
		return f
	}
	f := &frame{g: g, params: params, free: free, key: string(key), results: map[resultKey]value{}}
	p.frames[f.key] = f
	return f
}

func paramCell(id effect.FuncID, i int) string { return "param " + string(id) + "#" + strconv.Itoa(i) }
func freeCell(id effect.FuncID, i int) string  { return "free " + string(id) + "#" + strconv.Itoa(i) }

// paramCell and freeCell keep the names, which are long and often asked for.
func (g *graph) paramCell(i int) string {
	for len(g.paramCells) < len(g.Params) {
		g.paramCells = append(g.paramCells, paramCell(g.ID, len(g.paramCells)))
	}
	return g.paramCells[i]
}

func (g *graph) freeCell(i int) string {
	for len(g.freeCells) < len(g.FreeVars) {
		g.freeCells = append(g.freeCells, freeCell(g.ID, len(g.freeCells)))
	}
	return g.freeCells[i]
}

// ambient is the frame of a function about whose caller nothing is known: parameters hold what any caller passes,
// except transactions.
func (p *Program) ambient(g *graph) *frame {
	params := make([]value, len(g.Params))
	for i := range params {
		params[i] = p.cells[g.paramCell(i)]
		switch g.Params[i].Role {
		case effect.TxOnly:
			params[i] = p.values.union(params[i], p.values.one(txAtom, foreignTx))
		case effect.BaseOnly:
			params[i] = p.pool(g.paramCell(i))
		case effect.EitherType:
			params[i] = p.values.union(params[i], p.values.one(baseAtom, p.bases.class(g.paramCell(i))))
		}
	}
	free := make([]value, len(g.FreeVars))
	for i := range free {
		free[i] = p.cells[g.freeCell(i)]
	}
	return p.frame(g, params, free)
}

// eval says what roots are in a frame.
func (p *Program) eval(f *frame, roots effect.Roots) value { return p.evalDepth(f, roots, 0) }

// maxEvalDepth bounds how many calls a handle is followed through.
const maxEvalDepth = 8

func (p *Program) evalDepth(f *frame, roots effect.Roots, depth int) value {
	v, typed := empty, false
	for _, r := range roots {
		if r.Kind == effect.TypeRoot {
			typed = true
			continue
		}
		v = p.values.union(v, p.evalRoot(f, r, depth))
	}
	if typed {
		if _, ok := p.values.has(v, txAtom); !ok {
			v = p.values.union(v, p.values.one(txAtom, foreignTx))
		}
	}
	return v
}

func (p *Program) evalRoot(f *frame, r effect.Root, depth int) value {
	switch r.Kind {
	case effect.ParamRoot:
		if r.Index < len(f.params) {
			return p.field(f.params[r.Index], r)
		}
	case effect.FreeRoot:
		if r.Index < len(f.free) {
			return p.field(f.free[r.Index], r)
		}
	case effect.GlobalRoot:
		return p.global(r)
	case effect.ScopeRoot:
		return p.scopeValue(f, r.Node, depth)
	case effect.CallRoot:
		return p.field(p.callResult(f, r.Node, r.Index, depth), r)
	case effect.FuncRoot:
		return p.closureValue(f, r.Index, depth)
	case effect.FieldRoot:
		return p.field(empty, r)
	case effect.KindRoot:
		return p.values.kind(r.Name)
	case effect.TextRoot:
		return p.values.text(r.Name)
	}
	return empty
}

// field reads a field of what v is. A transaction in an object is in each of its fields that can hold one; what else a
// field holds is known for the whole program.
func (p *Program) field(v value, r effect.Root) value {
	if r.Field == "" {
		return v
	}
	if r.Role == effect.BaseOnly {
		return p.pool(r.Field)
	}
	held := p.cells[r.Field]
	if r.Role != effect.FuncType { // what functions its fields hold is asked of those fields
		held = p.values.only(held, kindAtom, textAtom)
	}
	if tx := p.values.only(v, txAtom); tx != empty {
		return p.values.union(tx, p.values.only(held, funcAtom, kindAtom, textAtom))
	}
	if r.Role == effect.EitherType {
		held = p.values.union(held, p.values.one(baseAtom, p.bases.class(r.Field)))
	}
	return held
}

// pool is a database handle that can be no transaction, found in a place.
func (p *Program) pool(place string) value {
	return p.values.intern([]atom{{baseAtom, p.bases.class(place)}, {poolAtom, 0}})
}

func (p *Program) global(r effect.Root) value {
	v := p.cells[r.Name]
	if r.Role == effect.BaseOnly && r.Field == "" {
		return p.pool(r.Name)
	}
	if r.Role == effect.BaseOnly || r.Role == effect.EitherType {
		name := r.Name
		if r.Field != "" {
			name = r.Field
		}
		v = p.values.union(v, p.values.one(baseAtom, p.bases.class(name)))
	}
	if r.Field != "" {
		return p.field(v, r)
	}
	return v
}

// scopeValue is the transaction that a node begins.
func (p *Program) scopeValue(f *frame, node int, depth int) value {
	n := f.g.node(node)
	if n == nil || n.Effect == nil || depth > maxEvalDepth {
		return p.values.one(txAtom, unknownClass)
	}
	return p.values.one(txAtom, p.scopeClass(f, n, depth))
}

// scopeClass is the class of the base that a node begins its transaction on, or nestedTx.
func (p *Program) scopeClass(f *frame, n *effect.Node, depth int) int32 {
	h := p.evalDepth(f, n.Effect.Handle, depth+1)
	if _, inTx := p.values.has(h, txAtom); inTx {
		return nestedTx
	}
	class, _ := p.values.has(h, baseAtom)
	return class
}

// closureValue is the function value made at a site, with what it captures.
func (p *Program) closureValue(f *frame, site int, depth int) value {
	if depth > maxEvalDepth {
		return empty
	}
	s := &f.g.Closures[site]
	c := closure{fn: s.Fn, method: s.Method, bound: s.IsBound, owner: f.g, site: site}
	if s.IsBound {
		c.recv = p.evalDepth(f, s.Bound, depth+1)
	}
	for _, roots := range s.Env {
		c.env = append(c.env, p.evalDepth(f, roots, depth+1))
	}
	return p.values.closure(c)
}

// callResult is what result i of the call in a node is: what the callees return, with the arguments put in. While it is
// being worked out it is empty, so that recursion adds nothing to what the other paths bring.
func (p *Program) callResult(f *frame, node, i, depth int) value {
	key := resultKey{node, i}
	if v, ok := f.results[key]; ok {
		return v
	}
	n := f.g.node(node)
	if n == nil || depth > maxEvalDepth {
		return empty
	}
	f.results[key] = empty
	v, known := empty, false
	for _, callee := range p.callees(f, n, depth+1) {
		if p.learning != nil {
			p.learning.evaluated(f.g, callee.g)
		}
		if i >= len(callee.g.Returns) {
			continue
		}
		known = true
		v = p.values.union(v, p.evalDepth(callee, callee.g.Returns[i], depth+1))
	}
	if !known { // an unknown function can give back what it was given
		for _, roots := range n.Args {
			v = p.values.union(v, p.values.only(p.evalDepth(f, roots, depth+1), txAtom, kindAtom))
		}
	}
	f.results[key] = v
	return v
}

// callees gives a frame for each function that a node can call.
func (p *Program) callees(f *frame, n *effect.Node, depth int) []*frame {
	var frames []*frame
	for _, id := range p.staticTargets(n) {
		if t := p.byID[id]; t != nil && !p.isSelfCall(f, n, t) {
			frames = append(frames, p.bind(f, n, t, nil, depth))
		}
	}
	if len(n.Fun) > 0 {
		fun := p.evalDepth(f, n.Fun, depth)
		for _, a := range p.values.atoms(fun) {
			if a.kind == funcAtom {
				frames = append(frames, p.closureFrames(f, n, &p.values.closures[a.id], depth)...)
			}
		}
	}
	return frames
}

// isSelfCall recognises a decorator: a method that calls the method of the same name on the interface that it
// implements means the next one, not itself.
func (p *Program) isSelfCall(f *frame, n *effect.Node, t *graph) bool {
	if n.Method.IsZero() {
		return false
	}
	return t == f.g || effect.FuncID(f.g.Parent) == t.ID
}

// closureFrames gives a frame for each function that a function value stands for.
func (p *Program) closureFrames(f *frame, n *effect.Node, c *closure, depth int) []*frame {
	var frames []*frame
	for _, t := range p.closureTargets(c) {
		frames = append(frames, p.bind(f, n, t, c, depth))
	}
	return frames
}

// bind puts the arguments of a call into a frame of the callee.
func (p *Program) bind(f *frame, n *effect.Node, t *graph, c *closure, depth int) *frame {
	params := make([]value, len(t.Params))
	at := 0
	if c != nil && c.bound {
		if len(params) > 0 {
			params[0] = p.passable(t, 0, c.recv)
		}
		at = 1
	}
	for _, roots := range n.Args {
		if at >= len(params) {
			break
		}
		if t.relevant.Has(at) {
			params[at] = p.passable(t, at, p.evalDepth(f, roots, depth))
		}
		at++
	}
	return p.frame(t, params, p.captured(t, c))
}

func (p *Program) captured(t *graph, c *closure) []value {
	free := make([]value, len(t.FreeVars))
	for i := range free {
		if c != nil && !c.bound && i < len(c.env) {
			free[i] = c.env[i]
		} else {
			free[i] = p.cells[t.freeCell(i)]
		}
	}
	return free
}

// passable is what a parameter takes over from its argument. Where the argument says nothing, what any caller passes
// is taken instead, transactions left out.
func (p *Program) passable(t *graph, i int, v value) value {
	if t.Params[i].Role != effect.FuncType {
		v = p.values.only(v, txAtom, baseAtom, poolAtom, kindAtom, textAtom)
	}
	if v != empty || !t.relevant.Has(i) {
		return v
	}
	switch t.Params[i].Role {
	case effect.TxOnly:
		return p.values.one(txAtom, foreignTx)
	case effect.FuncType, effect.BaseOnly, effect.EitherType:
		return p.cells[t.paramCell(i)]
	}
	return v
}
