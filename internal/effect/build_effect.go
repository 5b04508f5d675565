package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// findEffect makes an effect node for a modelled call. Builder steps and what is known not to matter get none.
func (b *funcBuilder) findEffect(instr ssa.CallInstruction, rows []*model.Row) {
	row := rows[0]
	switch row.Effect {
	case model.Handle:
		b.findLibraryCall(instr) // mongo's UseSession runs a closure
		return
	case model.Dispatch:
		b.findDispatch(instr, row)
		return
	case model.Lock:
		b.findLock(instr, row)
		return
	case model.Ignore, model.Builder, model.Construct, model.Commits:
		return
	case model.Wait:
		if _, ok := instr.(*ssa.Call); ok {
			b.mark(instr, model.Wait)
			return
		}
	}
	if row.Effect == model.Publish && row.Scope.Kind == model.Result {
		return // the send on the channel that it returns is the publish
	}
	if row.Effect == model.Receive && givesChannel(instr.Common(), row) {
		b.choose(instr, row)
		return // and here what comes out of the channel is received
	}
	kind := row.Effect
	if kind.OfKey() {
		if kind = b.keyEffect(instr, row); kind == "" {
			return
		}
	}
	n := b.newNode(instr)
	n.Op = OpEffect
	n.Effect = &Effect{Kind: kind, Symbol: row.Symbol, Tier: row.Tier, Async: row.Async, Joins: row.Joins, Typed: row.Typed,
		Once: row.Kind == model.Once, Cumulative: row.Cumulative}
	n.Effect.Queued = row.Queued && !b.hearsBack(instr)
	for _, r := range rows {
		if r.Effect == row.Effect && !r.Scope.IsZero() {
			n.Effect.Scopes = append(n.Effect.Scopes, r.Scope)
		}
	}
	b.findBatch(instr, row)
	if row.Effect == model.Begin && row.Scope.Kind == model.Recv {
		if recv := receiverOf(instr.Common()); recv != nil {
			b.scopeOf[carrier(recv)] = n.ID
		}
	}
}

// nextOffset reports whether an offset is one further than something, or not known.
func nextOffset(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		_, field := v.X.(*ssa.FieldAddr)
		return !field
	case *ssa.Field:
		return false
	}
	return true
}

// carrier is the value that a converted or loaded receiver stands for.
func carrier(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if _, local := x.X.(*ssa.Alloc); !local {
				return v
			}
			v = x.X
		default:
			return v
		}
	}
}

// fillEffect works out the handle, the table and the text of an effect.
func (b *funcBuilder) fillEffect(n *Node, instr ssa.CallInstruction) {
	c := instr.Common()
	row := b.rowsFor(c)[0]
	e := n.Effect
	e.Handle = b.handleRoots(c, row.Handle)
	if e.Kind == model.Begin { // a session that becomes the transaction is not begun on itself
		e.Handle = slices.DeleteFunc(slices.Clone(e.Handle), func(r Root) bool { return r.Kind == ScopeRoot && r.Node == n.ID })
	}
	if batch := b.batches[instr]; batch != nil {
		b.fillBatch(n, instr, batch)
		return
	}
	if v := b.argValue(c, row.Closure); v != nil && !row.Closure.IsZero() {
		e.Closure = b.calledBack(v, row.Closure.Field)
	}
	switch e.Kind {
	case model.Receive, model.Subscribe:
		e.Settles = b.settlingOf(c, row)
	case model.Ack:
		if row.Settles == model.Never { // it only sends what others have confirmed
			e.Settles = row.Settles
		}
		if !row.When.IsZero() && !nextOffset(b.argValue(c, row.When)) {
			e.Settles = model.Never // the offset to go on at is the message's own
		}
	case model.SQL: // to prepare a statement is not yet to run it
		b.fillSQL(n, c, row)
	case model.Write, model.Read:
		b.fillORM(n, c, row)
	case model.Publish, model.Enqueue:
		b.fillMessage(n, c, row)
		b.fillKeyUse(n, c, row)
	case model.External:
		b.fillExternal(n, c, row)
	case model.Lookup, model.Remember, model.Claim, model.Count:
		b.fillKey(n, instr, row)
	case model.Nack:
		b.fillBack(n, c, row)
	}
	if e.Kind == model.Write || e.Kind == model.SQL && len(e.Text) > 0 {
		e.Checked = b.looksAtResult(e, instr)
	}
	if e.Kind == model.Write {
		b.fillAssign(e, c)
	}
	b.count(e)
}

// handleRoots is where the value that an effect goes through comes from.
func (b *funcBuilder) handleRoots(c *ssa.CallCommon, arg model.Arg) Roots {
	if v := b.argValue(c, arg); v != nil {
		return b.handleOf(v)
	}
	return nil
}

// handleOf gives the roots of a handle; where they are lost but its type can only be a transaction, that is kept.
func (b *funcBuilder) handleOf(v ssa.Value) Roots {
	rs := b.rootsOf(v)
	if b.role(v.Type()) == TxOnly {
		rs = rs.add(Root{Kind: TypeRoot})
	}
	return rs
}

// argValue picks the value of a call that an Arg means; the zero Arg is the receiver, or nothing for a function.
func (b *funcBuilder) argValue(c *ssa.CallCommon, arg model.Arg) ssa.Value {
	recv := receiverOf(c)
	switch arg.Kind {
	case model.NoArg, model.Recv:
		return recv
	case model.Param:
		i := arg.Index
		if recv != nil && !c.IsInvoke() {
			i++
		}
		if i < len(c.Args) {
			return c.Args[i]
		}
	}
	return nil
}

// fillMessage notes what is published.
func (b *funcBuilder) fillMessage(n *Node, c *ssa.CallCommon, row *model.Row) {
	e := n.Effect
	if v := b.argValue(c, row.Message); v != nil && row.Message.Kind == model.Param {
		e.Message = b.dataOf(v)
		return
	}
	for i, a := range c.Args {
		if i == 0 && receiverOf(c) == a {
			continue
		}
		e.Message = e.Message.add(b.argumentData(c, a)...)
	}
}

// fillORM finds the table, the verb and a raw statement of an ORM call along its chain of builder steps.
func (b *funcBuilder) fillORM(n *Node, c *ssa.CallCommon, row *model.Row) {
	e := n.Effect
	chain := b.chainOf(c, row)
	e.Table, e.Verb = chain.table, verbOf(chain.verb)
	e.Conflict = chain.conflict
	switch {
	case chain.sql != "":
		ApplySQL(e, chain.sql)
	case chain.verb == "select":
		e.Kind = model.Read
	case e.Verb != sqltext.Unknown:
		e.Kind = model.Write
	case e.Verb == sqltext.Unknown && e.Kind == model.Write:
		e.Verb = sqltext.Update
	}
	b.fillGiven(n, &chain)
	e.Model = len(e.Columns) == 0
	e.Columns = append(e.Columns, chain.columns...)
	if e.Kind == model.Read {
		if len(e.Columns) == 0 { // a generated query: what it gives tells what it reads
			if sig := c.Signature(); sig.Results().Len() > 0 {
				e.Columns = modelColumns(sig.Results().At(0).Type())
			}
		}
		e.Verb = sqltext.Select
		e.Payload = hasPayload(e.Columns)
		e.Polls = e.Polls || chain.polls
		e.Locks = e.Locks || b.locksRows(chain.data)
	}
	if chain.sql == "" {
		applySaid(e, &chain.said)
	}
	switch {
	case mongoPackage(e.Symbol):
		b.fillDocument(e, c)
	case strings.Contains(e.Symbol, "/service/dynamodb"):
		b.fillItem(e, c)
	case strings.Contains(e.Symbol, "/firestore."):
		e.Increment = e.Increment || b.addsOnServer(c)
	}
	for _, a := range chain.data {
		if e.Kind == model.Write {
			e.States = append(e.States, statesGiven(&ssa.CallCommon{Args: []ssa.Value{a}})...)
		}
		e.Message = e.Message.add(b.dataOf(a)...)
	}
}

func verbOf(verb string) sqltext.Verb {
	switch verb {
	case "insert":
		return sqltext.Insert
	case "update":
		return sqltext.Update
	case "delete":
		return sqltext.Delete
	case "upsert":
		return sqltext.Upsert
	}
	return sqltext.Unknown
}

// count adds the effect to the package's figures.
func (b *funcBuilder) count(e *Effect) {
	s := &b.out.Stats
	switch e.Kind {
	case model.Begin, model.Run:
		s.Transactions++
	case model.Write, model.Enqueue:
		s.Writes++
	case model.Read:
		s.Reads++
	case model.Publish:
		s.Publishes++
	case model.Ack:
		s.Acks++
	}
	if e.Opaque {
		s.OpaqueSQL++
	}
}

// channelRow recognises a channel that a publisher gave out: sarama's Input(), confluent's ProduceChannel().
func (b *funcBuilder) channelRow(ch ssa.Value, depth int) *model.Row {
	if depth > 5 {
		return nil
	}
	switch v := ch.(type) {
	case *ssa.Call:
		for _, row := range b.rowsFor(v.Common()) {
			if row.Effect == model.Publish && row.Scope.Kind == model.Result {
				return row
			}
		}
	case *ssa.ChangeType:
		return b.channelRow(v.X, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if row := b.channelRow(e, depth+1); row != nil {
				return row
			}
		}
	}
	return nil
}

// publishesResult reports whether a return hands messages to a router that publishes them: the function takes a message
// and gives messages of the same type and an error, and these were made here (Watermill's HandlerFunc).
func (b *funcBuilder) publishesResult(ret *ssa.Return) bool {
	sig := b.fn.Signature
	if sig.Results().Len() != 2 || len(ret.Results) != 2 || !isError(ret.Results[1]) {
		return false
	}
	slice, ok := sig.Results().At(0).Type().Underlying().(*types.Slice)
	if !ok || b.role(slice.Elem()) != MessageType {
		return false
	}
	for v := range sig.Params().Variables() {
		if types.Identical(v.Type(), slice.Elem()) {
			return madeHere(ret.Results[0], 0)
		}
	}
	return false
}

// madeHere reports whether a slice is a literal or appended to, not what another function gave.
func madeHere(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Slice, *ssa.MakeSlice:
		return true
	case *ssa.ChangeType:
		return madeHere(v.X, depth)
	case *ssa.Call:
		built, ok := v.Common().Value.(*ssa.Builtin)
		return ok && built.Name() == "append"
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth < 4 && madeHere(e, depth+1) {
				return true
			}
		}
	}
	return false
}

func (b *funcBuilder) fillReturn(n *Node, ret *ssa.Return) {
	n.Op = OpEffect
	n.Pos = b.pos(ret.Pos(), 0)
	n.Label = "the router"
	n.Effect = &Effect{Kind: model.Publish, Symbol: "return", Message: b.dataOf(ret.Results[0])}
	n.ArgData = []Origins{n.Effect.Message}
	b.count(n.Effect)
}
