package effect

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// findReceive gives a node to a receive from a channel of messages. Where the code asks whether the channel is open, or
// selects among several, that is where it takes the message: a closed channel and the other cases have received nothing.
func (b *funcBuilder) findReceive(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.ARROW && !v.CommaOk {
			b.receiveNode(v, v.X)
		}
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op == token.ARROW && v.Index == 0 {
				b.receiveNode(v, t.X)
			}
		case *ssa.Select:
			if ch := selected(t, v.Index); ch != nil {
				b.receiveNode(v, ch)
			}
		}
	}
}

// selected gives the channel that result i of a select was received from.
func selected(sel *ssa.Select, i int) ssa.Value {
	i -= 2 // the first results are the case and whether the channel is open
	for _, st := range sel.States {
		if st.Dir != types.RecvOnly {
			continue
		}
		if i == 0 {
			return st.Chan
		}
		i--
	}
	return nil
}

func (b *funcBuilder) receiveNode(v ssa.Value, ch ssa.Value) {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok || !b.carriesMessage(t.Elem()) && b.receiveRow(ch, 0) == nil {
		return
	}
	n := b.newNode(v.(ssa.Instruction))
	n.Op = OpEffect
	n.Effect = &Effect{Kind: model.Receive, Symbol: "<-chan " + typeText(t.Elem())}
}

// fillReceive describes a receive from a channel.
func (b *funcBuilder) fillReceive(n *Node, v ssa.Value) {
	pos := v.Pos()
	if x, ok := v.(*ssa.Extract); ok {
		pos = x.Tuple.Pos()
		if sel, ok := x.Tuple.(*ssa.Select); ok {
			for _, st := range sel.States {
				if st.Chan == selected(sel, x.Index) {
					pos = st.Pos
				}
			}
		}
	}
	n.Pos = b.pos(pos, 0)
	n.Label = n.Effect.Symbol
	n.Effect.Handle, n.Effect.Settles = b.rootsOf(channelOf(v)), model.AsMade
}

// channelOf is the channel that a value is received from.
func channelOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.X
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.UnOp:
			return t.X
		case *ssa.Select:
			return selected(t, v.Index)
		}
	}
	return nil
}

// receivedBy gives the node that receives v from a channel of messages, or nil.
func (b *funcBuilder) receivedBy(v ssa.Value) *Node {
	switch v.(type) {
	case *ssa.UnOp, *ssa.Extract:
		return b.nodes[v.(ssa.Instruction)]
	}
	return nil
}

// carriesMessage reports whether a value of type t is a message as a broker delivers it, several of them, or an object of
// the program that one travels in.
func (b *funcBuilder) carriesMessage(t types.Type) bool {
	if b.role(t) == MessageType {
		return true
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return b.role(s.Elem()) == MessageType
	}
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if b.role(f.Type()) == MessageType {
			return true
		}
	}
	return false
}

// receiveRow recognises a channel that a library delivers messages through, where the type of what comes out does not
// tell.
func (b *funcBuilder) receiveRow(ch ssa.Value, depth int) *model.Row {
	if depth > 5 {
		return nil
	}
	switch v := ch.(type) {
	case *ssa.Call:
		for _, row := range b.rowsFor(v.Common()) {
			if row.Effect == model.Receive && givesChannel(v.Common(), row) {
				return row
			}
		}
	case *ssa.Extract:
		return b.receiveRow(v.Tuple, depth+1)
	case *ssa.ChangeType:
		return b.receiveRow(v.X, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if row := b.receiveRow(e, depth+1); row != nil {
				return row
			}
		}
	}
	return nil
}

// givesChannel reports whether a call gives a channel of messages: it is when one comes out that a message is received.
func givesChannel(c *ssa.CallCommon, row *model.Row) bool {
	res := c.Signature().Results()
	if row.Message.Kind != model.Result || row.Message.Index >= res.Len() {
		return false
	}
	_, ok := res.At(row.Message.Index).Type().Underlying().(*types.Chan)
	return ok
}

// typeText writes a type for people: "*nats.Msg".
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// messageText is the type of a parameter that is a message, for people; "" for all others.
func (pb *packageBuilder) messageText(t types.Type) string {
	if pb.role(t) != MessageType {
		return ""
	}
	text, _, generic := strings.Cut(typeText(t), "[")
	if generic {
		text += "[…]"
	}
	return text
}
