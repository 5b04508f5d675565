package effect

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// dataOf says where the data in v comes from, through computations and library calls down to parameters, fields of the
// receiver, variables of the function and results of calls. Machinery (contexts, handles, clients) is left out.
func (b *funcBuilder) dataOf(v ssa.Value) Origins {
	if o, ok := b.dataMemo[v]; ok {
		return o
	}
	w := b.newDataWalk()
	w.visit(v, 0)
	b.dataMemo[v] = w.found
	return w.found
}

type dataWalk struct {
	*funcBuilder
	number int // see funcBuilder.walked
	found  Origins
	ops    []*ssa.Value // room for the operands of what is being visited
	// asking holds the variables about which holdsReceiver is being asked.
	asking map[*ssa.Alloc]bool
}

func (b *funcBuilder) newDataWalk() *dataWalk {
	b.walks++
	return &dataWalk{funcBuilder: b, number: b.walks}
}

// maxDataDepth bounds the walk: values further away than this many steps are hardly the same thing any more.
const maxDataDepth = 40

func (w *dataWalk) note(o Origin) {
	i, ok := w.origins[o]
	if !ok {
		i = len(w.g.Origins)
		w.origins[o] = i
		w.g.Origins = append(w.g.Origins, o)
	}
	w.found = w.found.add(i)
}

func (w *dataWalk) visit(v ssa.Value, depth int) {
	if v == nil || w.walked[v] == w.number || depth > maxDataDepth {
		return
	}
	w.walked[v] = w.number
	if i, ok := w.sums[v]; ok {
		w.note(Origin{Kind: SumOrigin, Index: i})
	}
	if l, ok := v.(*ssa.Lookup); ok && w.nodes[l] != nil {
		w.note(Origin{Kind: CallOrigin, Node: w.nodes[l].ID})
	}
	if n := w.receivedBy(v); n != nil {
		w.note(Origin{Kind: CallOrigin, Node: n.ID})
		return
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
	case *ssa.Parameter:
		i := w.params[v]
		if !w.service(v.Type()) && !(w.g.Method && i == 0) {
			w.note(Origin{Kind: ParamOrigin, Index: i})
		}
	case *ssa.FreeVar:
		if t := deref(v.Type()); !w.service(t) && !w.isReceiver(v) {
			w.note(Origin{Kind: FreeOrigin, Index: w.frees[v]})
		}
	case *ssa.FieldAddr:
		w.field(v.X, v.Field, depth)
	case *ssa.Field:
		w.field(v.X, v.Field, depth)
	case *ssa.Alloc:
		w.alloc(v, depth)
	case *ssa.Call:
		w.call(v, depth)
	case *ssa.MakeMap:
		for _, ref := range *v.Referrers() {
			if up, ok := ref.(*ssa.MapUpdate); ok {
				w.visit(up.Key, depth+1)
				w.visit(up.Value, depth+1)
			}
		}
	case *ssa.MakeClosure:
		for _, binding := range v.Bindings {
			w.visit(binding, depth+1)
		}
	default:
		w.operands(v, depth)
	}
}

func (w *dataWalk) operands(v ssa.Value, depth int) {
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return
	}
	from := len(w.ops)
	w.ops = instr.Operands(w.ops)
	for i := from; i < len(w.ops); i++ {
		if op := w.ops[i]; op != nil && *op != nil {
			w.visit(*op, depth+1)
		}
	}
	w.ops = w.ops[:from]
}

// field notes fields of the receiver by name; a field of anything else is data of that.
func (w *dataWalk) field(x ssa.Value, field int, depth int) {
	if name, ft := cellName(x.Type(), field); w.fromReceiver(x) {
		if ft != nil && !w.service(ft) {
			w.note(Origin{Kind: FieldOrigin, Name: name})
		}
		return
	}
	w.visit(x, depth+1)
}

// fromReceiver reports whether x is the method's receiver, also where a closure has captured it.
func (w *dataWalk) fromReceiver(x ssa.Value) bool {
	switch x := x.(type) {
	case *ssa.Parameter:
		return w.g.Method && w.params[x] == 0
	case *ssa.FreeVar:
		return w.isReceiver(x)
	case *ssa.UnOp:
		return w.fromReceiver(x.X)
	case *ssa.Alloc:
		return w.holdsReceiver(x)
	}
	return false
}

// holdsReceiver reports whether a variable is only ever given the receiver. Variables can be given each other.
func (w *dataWalk) holdsReceiver(a *ssa.Alloc) bool {
	whole := w.contentOf(a).whole
	if len(whole) != 1 || w.asking[a] {
		return false
	}
	if w.asking == nil {
		w.asking = map[*ssa.Alloc]bool{}
	}
	w.asking[a] = true
	defer delete(w.asking, a)
	return w.fromReceiver(whole[0])
}

// isReceiver reports whether a free variable is the receiver of the method that the closure stands in.
func (b *funcBuilder) isReceiver(v *ssa.FreeVar) bool {
	outer := outermost(b.fn)
	recv := outer.Signature.Recv()
	return recv != nil && v.Name() == recv.Name() && types.Identical(deref(deref(v.Type())), deref(recv.Type()))
}

// alloc notes a local variable and what is put into it, also by a library call that is given its address (Scan, Decode).
func (w *dataWalk) alloc(a *ssa.Alloc, depth int) {
	if w.service(deref(a.Type())) {
		return
	}
	if a.Comment != "varargs" && a.Comment != "slicelit" {
		w.note(Origin{Kind: LocalOrigin, Index: w.localNumber(a)})
	}
	c := w.contentOf(a)
	for _, v := range c.whole {
		w.visit(v, depth+1)
	}
	for _, f := range slices.Sorted(maps.Keys(c.fields)) {
		for _, v := range c.fields[f] {
			w.visit(v, depth+1)
		}
	}
	for _, ref := range *a.Referrers() {
		w.filledBy(ref, depth)
	}
}

// filledBy follows the address of a variable into the call that fills it.
func (w *dataWalk) filledBy(ref ssa.Instruction, depth int) {
	switch ref := ref.(type) {
	case *ssa.MakeInterface:
		for _, use := range *ref.Referrers() {
			if st, ok := use.(*ssa.Store); ok {
				w.filledThroughSlice(st, depth)
			} else if call, ok := use.(*ssa.Call); ok {
				w.fillingCall(call, depth)
			}
		}
	case *ssa.FieldAddr:
		for _, use := range *ref.Referrers() {
			if mi, ok := use.(*ssa.MakeInterface); ok {
				w.filledBy(mi, depth)
			}
		}
	case *ssa.Call:
		w.fillingCall(ref, depth)
	case *ssa.MakeClosure:
		for i, binding := range ref.Bindings {
			if fn := ref.Fn.(*ssa.Function); i < len(fn.FreeVars) && w.walked[binding] == w.number {
				w.assignedInClosure(ref, fn.FreeVars[i])
			}
		}
	}
}

// assignedInClosure notes the call that a closure is handed to when the closure assigns the variable: the result of
// what runs in a transaction comes out this way.
func (w *dataWalk) assignedInClosure(mc *ssa.MakeClosure, v *ssa.FreeVar) {
	assigned := false
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == v {
			assigned = true
		}
	}
	if !assigned {
		return
	}
	for _, ref := range *mc.Referrers() {
		if call, ok := ref.(*ssa.Call); ok {
			if n := w.nodes[call]; n != nil {
				w.note(Origin{Kind: CallOrigin, Node: n.ID})
			}
		}
	}
}

// filledThroughSlice follows &x stored into the variadic slice of a call.
func (w *dataWalk) filledThroughSlice(st *ssa.Store, depth int) {
	ia, ok := st.Addr.(*ssa.IndexAddr)
	if !ok {
		return
	}
	for _, ref := range *ia.X.Referrers() {
		slice, ok := ref.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, use := range *slice.Referrers() {
			if call, ok := use.(*ssa.Call); ok {
				w.fillingCall(call, depth)
			}
		}
	}
}

func (w *dataWalk) fillingCall(call *ssa.Call, depth int) {
	if n := w.nodes[call]; n != nil {
		w.note(Origin{Kind: CallOrigin, Node: n.ID})
		return
	}
	if recv := receiverOf(call.Common()); recv != nil {
		w.visit(recv, depth+1)
	}
	for _, a := range call.Common().Args {
		w.visit(a, depth+1)
	}
}

func (b *funcBuilder) localNumber(v ssa.Value) int {
	n, ok := b.locals[v]
	if !ok {
		n = len(b.locals)
		b.locals[v] = n
	}
	return n
}

func (w *dataWalk) call(v *ssa.Call, depth int) {
	if n := w.nodes[v]; n != nil {
		w.note(Origin{Kind: CallOrigin, Node: n.ID})
	}
	c := v.Common()
	if c.IsInvoke() && !w.service(c.Value.Type()) {
		w.visit(c.Value, depth+1)
	}
	for i, a := range c.Args {
		if i == 0 && receiverOf(c) == a && w.fromReceiver(a) {
			continue
		}
		if mi, ok := a.(*ssa.MakeInterface); ok {
			a = mi.X
		}
		if !w.service(a.Type()) {
			w.visit(a, depth+1)
		}
	}
}
