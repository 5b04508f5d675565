package effect

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// rootsOf says where the handles and function values in v come from. Values that can hold none have no roots.
func (b *funcBuilder) rootsOf(v ssa.Value) Roots {
	if v == nil {
		return nil
	}
	if rs, ok := b.roots[v]; ok {
		return rs
	}
	if b.rooting[v] {
		return nil // a loop of phis adds nothing to what its entries bring
	}
	if b.role(v.Type()) == ScalarType {
		return nil
	}
	b.rooting[v] = true
	rs := b.computeRoots(v)
	if node, ok := b.scopeOf[v]; ok {
		rs = rs.add(Root{Kind: ScopeRoot, Node: node})
	}
	delete(b.rooting, v)
	if len(b.rooting) == 0 {
		b.roots[v] = rs // inside a cycle the set may still be incomplete
	}
	return rs
}

func (b *funcBuilder) computeRoots(v ssa.Value) Roots {
	switch v := v.(type) {
	case *ssa.Parameter:
		return Roots{{Kind: ParamRoot, Index: b.params[v], Role: b.role(v.Type())}}
	case *ssa.FreeVar:
		return Roots{{Kind: FreeRoot, Index: b.frees[v], Role: b.role(deref(v.Type()))}}
	case *ssa.Global:
		return Roots{{Kind: GlobalRoot, Name: globalName(v), Role: b.role(deref(v.Type()))}}
	case *ssa.Alloc:
		return b.allocRoots(v).add(b.clientRoots(v)...)
	case *ssa.Function, *ssa.MakeClosure:
		return b.closureRoots(v)
	case *ssa.FieldAddr:
		return b.fieldRoots(v.X, v.Field)
	case *ssa.Field:
		return b.fieldRoots(v.X, v.Field)
	case *ssa.Extract:
		return b.extractRoots(v)
	case *ssa.Call:
		return b.callRoots(v, 0)
	case *ssa.Phi:
		return b.unionRoots(v.Edges...)
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return elements(b.rootsOf(v.X))
		}
		return b.rootsOf(v.X)
	}
	return b.passRoots(v)
}

// passRoots handles the instructions that hand their operand on, whole or by element.
func (b *funcBuilder) passRoots(v ssa.Value) Roots {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return b.rootsOf(v.X)
	case *ssa.ChangeInterface:
		return b.rootsOf(v.X)
	case *ssa.MakeInterface:
		return b.rootsOf(v.X)
	case *ssa.Convert:
		return b.rootsOf(v.X)
	case *ssa.TypeAssert:
		return b.rootsOf(v.X)
	case *ssa.Slice:
		return b.rootsOf(v.X)
	case *ssa.IndexAddr:
		return elements(b.rootsOf(v.X))
	case *ssa.Index:
		return elements(b.rootsOf(v.X))
	case *ssa.Lookup:
		return elements(b.rootsOf(v.X))
	case *ssa.Range:
		return b.rootsOf(v.X)
	case *ssa.Next:
		return elements(b.rootsOf(v.Iter))
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return b.containerRoots(v)
	}
	return nil
}

func (b *funcBuilder) unionRoots(vs ...ssa.Value) Roots {
	var rs Roots
	for _, v := range vs {
		rs = rs.add(b.rootsOf(v)...)
	}
	return rs
}

func elements(rs Roots) Roots {
	var out Roots
	for _, r := range rs {
		r.Elem = true
		out = out.add(r)
	}
	return out
}

// containerRoots unites what is put into a map, slice or channel made here.
func (b *funcBuilder) containerRoots(v ssa.Value) Roots {
	var rs Roots
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			rs = rs.add(b.rootsOf(ref.Value)...)
		case *ssa.Send:
			rs = rs.add(b.rootsOf(ref.X)...)
		}
	}
	return rs
}

// allocContent is what is stored into a local variable: by field, and into the whole.
type allocContent struct {
	fields map[int][]ssa.Value
	whole  []ssa.Value
}

func (b *funcBuilder) contentOf(a *ssa.Alloc) *allocContent {
	if c, ok := b.content[a]; ok {
		return c
	}
	c := &allocContent{fields: map[int][]ssa.Value{}}
	b.content[a] = c
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == a {
				c.whole = append(c.whole, ref.Val)
			}
		case *ssa.FieldAddr:
			c.fields[ref.Field] = append(c.fields[ref.Field], storedInto(ref)...)
		case *ssa.IndexAddr:
			c.whole = append(c.whole, storedInto(ref)...)
		}
	}
	return c
}

// storedInto lists the values stored through an address derived from a variable.
func storedInto(addr ssa.Value) []ssa.Value {
	var vals []ssa.Value
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				vals = append(vals, ref.Val)
			}
		case *ssa.FieldAddr:
			vals = append(vals, storedInto(ref)...)
		case *ssa.IndexAddr:
			vals = append(vals, storedInto(ref)...)
		}
	}
	return vals
}

func (b *funcBuilder) allocRoots(a *ssa.Alloc) Roots {
	c := b.contentOf(a)
	rs := b.unionRoots(c.whole...)
	st, _ := deref(a.Type()).Underlying().(*types.Struct)
	for f := 0; st != nil && f < st.NumFields(); f++ {
		rs = rs.add(b.unionRoots(c.fields[f]...)...)
	}
	for _, ref := range *a.Referrers() { // a variable that a closure assigns to
		if mc, ok := ref.(*ssa.MakeClosure); ok {
			rs = rs.add(b.storedByClosure(mc, a)...)
		}
	}
	return rs
}

// fieldRoots reads a field: of a local variable what was stored there, of anything else the same object with the field
// noted, since what the field holds is known for the whole program.
func (b *funcBuilder) fieldRoots(x ssa.Value, field int) Roots {
	name, ft := cellName(x.Type(), field)
	role := PlainType
	if ft != nil {
		role = b.role(ft)
	}
	if role == ScalarType {
		return nil
	}
	var rs Roots
	if a := localObject(x); a != nil {
		if vals := b.contentOf(a).fields[field]; len(vals) > 0 {
			return b.unionRoots(vals...)
		}
		if role == FuncType { // put there by a method of it
			rs = rs.add(Root{Kind: FieldRoot, Name: name, Field: name, Role: role})
		}
	}
	for _, r := range b.rootsOf(x) {
		switch {
		case r.Kind == ScopeRoot || r.Kind == KindRoot:
			if role == BaseOnly {
				continue
			}
		default:
			r.Field, r.Role, r.Elem = name, role, false
		}
		rs = rs.add(r)
	}
	if len(rs) == 0 && name != "" {
		rs = rs.add(Root{Kind: FieldRoot, Name: name, Field: name, Role: role})
	}
	return rs
}

// localObject gives the variable that x is the address or value of.
func localObject(x ssa.Value) *ssa.Alloc {
	switch x := x.(type) {
	case *ssa.Alloc:
		return x
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if a, ok := x.X.(*ssa.Alloc); ok {
				if _, isPtr := deref(a.Type()).Underlying().(*types.Pointer); !isPtr {
					return a
				}
			}
		}
	}
	return nil
}

func (b *funcBuilder) extractRoots(v *ssa.Extract) Roots {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return b.callRoots(t, v.Index)
	case *ssa.TypeAssert:
		return b.rootsOf(t.X)
	case *ssa.UnOp:
		return elements(b.rootsOf(t.X))
	case *ssa.Lookup:
		return elements(b.rootsOf(t.X))
	case *ssa.Next:
		return elements(b.rootsOf(t.Iter))
	case *ssa.Select:
		var rs Roots
		for _, st := range t.States {
			if st.Dir == types.RecvOnly {
				rs = rs.add(elements(b.rootsOf(st.Chan))...)
			}
		}
		return rs
	}
	return nil
}

// callRoots says where result i of a call comes from.
func (b *funcBuilder) callRoots(call *ssa.Call, i int) Roots {
	c := call.Common()
	n := b.nodes[call]
	switch {
	case n != nil && n.Effect != nil:
		return b.effectRoots(n, c, i)
	case n != nil && n.Op == OpCall && (n.Callee != "" || !n.Method.IsZero() || isDynamic(c)):
		return Roots{{Kind: CallRoot, Node: n.ID, Index: i}}
	}
	if rows := b.rowsFor(c); len(rows) > 0 {
		switch row := rows[0]; row.Effect {
		case model.Handle:
			return b.handleRoots(c, row.Handle)
		case model.Construct:
			if row.Kind == model.Consumer {
				return b.confirmedRoot(call, row, b.argumentRoots(c))
			}
			return b.constructed(c, row)
		case model.Receive: // a channel of messages
			return b.confirmedRoot(call, row, b.argumentRoots(c))
		}
	}
	return b.argumentRoots(c)
}

// constructed says what a publisher is by how it was made: its type does not tell.
func (b *funcBuilder) constructed(c *ssa.CallCommon, row *model.Row) Roots {
	switch row.Kind {
	case model.Wrap:
		return b.handleRoots(c, row.Handle)
	case model.Table:
		return b.handleRoots(c, row.Handle).add(Root{Kind: KindRoot, Name: string(model.Table)})
	}
	return Roots{{Kind: KindRoot, Name: string(row.Kind)}}
}

// argumentRoots is what an unknown function can give back: anything that it was given. A method of a database handle
// gives back that handle, whatever context it is given: gorm's WithContext joins no transaction in the context.
func (b *funcBuilder) argumentRoots(c *ssa.CallCommon) Roots {
	if recv := receiverOf(c); recv != nil {
		switch b.role(recv.Type()) {
		case BaseOnly, TxOnly, EitherType:
			return b.rootsOf(recv)
		}
	}
	rs := b.unionRoots(c.Args...)
	if c.IsInvoke() {
		rs = rs.add(b.rootsOf(c.Value)...)
	}
	return rs
}

// effectRoots says where a result of a modelled call comes from.
func (b *funcBuilder) effectRoots(n *Node, c *ssa.CallCommon, i int) Roots {
	e := n.Effect
	for _, s := range e.Scopes {
		if e.Kind == model.Begin && s.Kind == model.Result && s.Index == i {
			return Roots{{Kind: ScopeRoot, Node: n.ID}}
		}
	}
	switch e.Kind {
	case model.Begin:
		return nil
	case model.Prepare:
		return e.Handle.add(b.preparedText(c)...)
	}
	return b.argumentRoots(c)
}

// preparedText is the text of the statement that a call prepares, or of the one that it rebinds.
func (b *funcBuilder) preparedText(c *ssa.CallCommon) Roots {
	v := b.argValue(c, b.rowsFor(c)[0].SQL)
	if v == nil {
		return nil
	}
	if isString(v.Type()) {
		return b.textArgument(v)
	}
	return b.rootsOf(v)
}

// isDynamic reports whether a call is of a function value, closures made on the spot included.
func isDynamic(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return false
	}
	if c.StaticCallee() != nil {
		mc, ok := c.Value.(*ssa.MakeClosure)
		return ok && mc.Fn.(*ssa.Function).Synthetic == ""
	}
	_, builtin := c.Value.(*ssa.Builtin)
	return !builtin
}
