package effect

import (
	"maps"

	"golang.org/x/tools/go/ssa"
)

// sifting notes on the back edges of loops by which answers their rounds choose: which items are kept for what comes after
// the loop, and which are put into one place or another.
func (b *funcBuilder) sifting() {
	for i, block := range b.fn.Blocks {
		data := b.g.Blocks[i].Cond.Data
		if len(data) == 0 || len(block.Succs) != 2 {
			continue
		}
		loop, header := b.loops.innermost(i)
		if loop == 0 {
			continue
		}
		yes, roundYes := b.loops.keeps(block.Succs[0], loop, header)
		no, roundNo := b.loops.keeps(block.Succs[1], loop, header)
		if !roundYes || !roundNo || maps.Equal(yes, no) {
			continue
		}
		b.noteSifting(loop, len(yes) == 0 || len(no) == 0, data)
	}
}

// noteSifting notes it on all back edges of a loop.
func (b *funcBuilder) noteSifting(loop int, drops bool, data Origins) {
	for i := range b.g.Blocks {
		for s := range b.g.Blocks[i].Succs {
			switch e := &b.g.Blocks[i].Succs[s]; {
			case e.Back != loop:
			case drops:
				e.Sifts = e.Sifts.add(data...)
			default:
				e.Sorts = e.Sorts.add(data...)
			}
		}
	}
}

// innermost is the smallest loop that a block stands in, and the index of its header.
func (l *loopInfo) innermost(block int) (loop, header int) {
	for h, n := range l.header {
		if in := l.member[n-1]; in[block] && (loop == 0 || len(in) < len(l.member[loop-1])) {
			loop, header = n, h
		}
	}
	return loop, header
}

// keeps lists the blocks that put something into a slice or map and that a round can come to from a block on, and reports
// whether the round can go on to the next one from there.
func (l *loopInfo) keeps(from *ssa.BasicBlock, loop, header int) (kept map[int]bool, round bool) {
	kept, seen := map[int]bool{}, map[int]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		block := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case block.Index == header:
			round = true
			continue
		case seen[block.Index] || !l.member[loop-1][block.Index]:
			continue
		}
		seen[block.Index] = true
		if puts(block) {
			kept[block.Index] = true
		}
		work = append(work, block.Succs...)
	}
	return kept, round
}

// puts reports whether a block adds to a slice or a map.
func puts(block *ssa.BasicBlock) bool {
	for _, instr := range block.Instrs {
		switch instr := instr.(type) {
		case *ssa.MapUpdate:
			return true
		case *ssa.Call:
			if built, ok := instr.Call.Value.(*ssa.Builtin); ok && built.Name() == "append" {
				return true
			}
		}
	}
	return false
}
