package effect

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// fillSend makes a send on a publisher's channel a publish; other sends get an empty node.
func (b *funcBuilder) fillSend(n *Node, instr ssa.Instruction, ch, x ssa.Value) {
	n.Op = OpMove
	n.Sends = true
	row := b.channelRow(ch, 0)
	if row == nil {
		if !b.fillHand(n, instr, ch, x) {
			n.Pos, n.Label, n.ArgData = b.pos(instr.Pos(), 0), "a channel", []Origins{b.dataOf(x)}
		}
		return
	}
	n.Op = OpEffect
	n.Pos = b.pos(instr.Pos(), 0)
	n.Label = row.Symbol
	n.Effect = &Effect{Kind: model.Publish, Symbol: row.Symbol, Tier: row.Tier, Async: true, Queued: row.Queued, Message: b.dataOf(x)}
	n.ArgData = []Origins{n.Effect.Message}
	if field := b.keyField(x.Type()); field != "" {
		n.Effect.KeyUse = &KeyUse{Traits: b.messageTraits(x, field, 0), Entity: b.entityIn(x)}
	}
	b.count(n.Effect)
}

func (b *funcBuilder) fillSelect(n *Node, sel *ssa.Select) {
	n.Op = OpMove
	for _, st := range sel.States {
		if st.Dir == types.SendOnly && b.channelRow(st.Chan, 0) != nil {
			b.fillSend(n, sel, st.Chan, st.Send)
			n.Pos = b.pos(st.Pos, 0)
			return
		}
	}
	for _, st := range sel.States {
		if st.Dir == types.SendOnly {
			b.fillSend(n, sel, st.Chan, st.Send)
			n.Pos = b.pos(st.Pos, 0)
			return
		}
	}
}

// fillHand makes a send of work to somebody else in the program a step of its own.
func (b *funcBuilder) fillHand(n *Node, instr ssa.Instruction, ch, x ssa.Value) bool {
	work := b.handedOn(ch)
	if work == "" {
		return false
	}
	n.Op, n.Pos, n.Label = OpEffect, b.pos(instr.Pos(), 0), "chan "+work
	n.Effect = &Effect{Kind: model.Hand, Symbol: work, Message: b.dataOf(x)}
	n.ArgData = []Origins{n.Effect.Message}
	return true
}
