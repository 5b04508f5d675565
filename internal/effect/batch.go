package effect

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// maxQueued bounds how many statements of one batch are read.
const maxQueued = 12

// queued finds the statements that a batch has been given before it is sent: each is a step of its own. all is false where
// somebody else can put statements into the batch, too.
type queued struct {
	*funcBuilder
	calls []*ssa.Call
	all   bool
	seen  map[ssa.Value]bool
}

// queuedOn lists the statements in the batch that a call sends.
func (b *funcBuilder) queuedOn(c *ssa.CallCommon, row *model.Row) (calls []*ssa.Call, all bool) {
	batch := b.argValue(c, row.SQL)
	if row.Effect != model.Write || row.SQL.Kind != model.Param || batch == nil || isString(batch.Type()) {
		return nil, false
	}
	q := &queued{funcBuilder: b, all: true, seen: map[ssa.Value]bool{}}
	q.made(batch, b.fn)
	return q.calls, q.all && len(q.calls) > 0 && len(q.calls) <= maxQueued
}

// made goes back to where a batch is made, in this function or one around it.
func (q *queued) made(v ssa.Value, fn *ssa.Function) {
	switch x := v.(type) {
	case *ssa.Alloc:
		q.uses(x)
		return
	case *ssa.Call:
		if rows := q.rowsFor(x.Common()); len(rows) > 0 && rows[0].Effect == model.Builder {
			q.uses(x)
			return
		}
	case *ssa.FreeVar:
		if outer := bound(x, fn); outer != nil {
			q.made(outer, fn.Parent())
			return
		}
	case *ssa.UnOp: // a variable that closures share
		cell, at := x.X, fn
		if free, ok := cell.(*ssa.FreeVar); ok {
			cell, at = bound(free, fn), fn.Parent()
		}
		if a, ok := cell.(*ssa.Alloc); ok && x.Op == token.MUL {
			if vals := storedInto(a); len(vals) == 1 {
				q.made(vals[0], at)
				return
			}
		}
	}
	q.all = false
}

// bound is what a closure that is made in one place captures as a variable.
func bound(v *ssa.FreeVar, fn *ssa.Function) ssa.Value {
	var found ssa.Value
	for _, ref := range *fn.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok || found != nil {
			return nil
		}
		if i := freeIndex(fn, v); i >= 0 {
			found = mc.Bindings[i]
		}
	}
	return found
}

// uses looks at what is done with a batch, or with the variable that holds it.
func (q *queued) uses(v ssa.Value) {
	if q.seen[v] || v.Referrers() == nil {
		return
	}
	q.seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			q.call(ref, v)
		case *ssa.UnOp, *ssa.ChangeType, *ssa.MakeInterface:
			q.uses(ref.(ssa.Value))
		case *ssa.Store:
			if a, local := ref.Addr.(*ssa.Alloc); local {
				q.uses(a)
			} else {
				q.all = false // kept, or a closure begins another batch
			}
		case *ssa.MakeClosure:
			q.captured(ref, v)
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.FieldAddr: // how the batch is sent
		default:
			q.all = false
		}
	}
}

func (q *queued) captured(mc *ssa.MakeClosure, v ssa.Value) {
	for _, free := range capturedAs(mc, v) {
		q.uses(free)
	}
}

// call is a step of the batch itself, or sends it; anybody else who gets it may queue more.
func (q *queued) call(call *ssa.Call, v ssa.Value) {
	c := call.Common()
	rows := q.rowsFor(c)
	switch {
	case len(rows) > 0 && rows[0].Effect == model.Builder && !rows[0].SQL.IsZero() && receiverOf(c) == v:
		q.calls = append(q.calls, call)
		if len(*call.Referrers()) > 0 && call.Type().String() == v.Type().String() {
			q.uses(call) // a fluent one
		}
	case len(rows) > 0, receiverOf(c) == v: // sent, or asked for its length
	default:
		q.all = false
	}
}

// findBatch gives a node to each statement of a batch but the last, which has that of the call that sends it: how the batch
// ends is told once, and after all of them.
func (b *funcBuilder) findBatch(instr ssa.CallInstruction, row *model.Row) {
	calls, all := b.queuedOn(instr.Common(), row)
	if !all {
		return
	}
	batch := &batch{calls: calls}
	for range calls[1:] {
		b.extra++
		batch.more = append(batch.more, &Node{ID: len(b.nodes) + b.extra, Op: OpEffect})
	}
	b.batches[instr] = batch
}

// A batch has the statements that one call sends, and the nodes of all but the last.
type batch struct {
	calls []*ssa.Call
	more  []*Node
}

// fillBatch makes steps of the statements of a batch, all through the handle of the call that sends it.
func (b *funcBuilder) fillBatch(n *Node, instr ssa.CallInstruction, batch *batch) {
	send := *n.Effect
	for i, call := range batch.calls {
		m := n
		if i < len(batch.more) {
			m = batch.more[i]
			m.Pos, m.Label, m.Mode, m.Args, m.ArgData = n.Pos, n.Label, n.Mode, n.Args, n.ArgData
		}
		e := send
		e.Kind = model.SQL
		m.Effect = &e
		b.fillQueued(m, call)
		if e.Kind == model.SQL && len(e.Text) == 0 {
			e.Kind, e.Verb = model.Write, sqltext.Update
		}
		if e.Kind == model.Write || len(e.Text) > 0 {
			e.Checked = b.looksAtResult(&e, instr)
		}
		b.count(&e)
	}
}

// fillQueued reads one statement. What a function around this one gives it is not data of this one.
func (b *funcBuilder) fillQueued(m *Node, call *ssa.Call) {
	c := call.Common()
	row := b.rowsFor(c)[0]
	if call.Parent() == b.fn {
		m.Args, m.ArgData = append([]Roots{}, m.Args...), append([]Origins{}, m.ArgData...)
		for _, a := range c.Args[1:] {
			m.Args, m.ArgData = append(m.Args, nil), append(m.ArgData, b.argumentData(c, a))
		}
		m.Parts = b.partsOfArgs(c.Args)
		b.fillSQL(m, c, row)
		return
	}
	if text, ok := b.textOf(b.argValue(c, row.SQL)); ok && sqltext.Looks(text) {
		ApplySQL(m.Effect, text)
	} else {
		m.Effect.Opaque = true
	}
}
