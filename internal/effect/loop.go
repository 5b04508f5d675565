package effect

import "golang.org/x/tools/go/ssa"

// loopInfo knows the natural loops of a function, numbered from 1.
type loopInfo struct {
	header map[int]int    // block index of a loop's header → its number
	member []map[int]bool // by number-1: the blocks of the loop
}

func findLoops(fn *ssa.Function) loopInfo {
	info := loopInfo{header: map[int]int{}}
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			if s.Dominates(b) {
				info.add(s, b)
			}
		}
	}
	return info
}

// add enters the loop of the back edge from tail to header.
func (l *loopInfo) add(header, tail *ssa.BasicBlock) {
	n, ok := l.header[header.Index]
	if !ok {
		l.member = append(l.member, map[int]bool{header.Index: true})
		n = len(l.member)
		l.header[header.Index] = n
	}
	blocks := l.member[n-1]
	work := []*ssa.BasicBlock{tail}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if blocks[b.Index] {
			continue
		}
		blocks[b.Index] = true
		work = append(work, b.Preds...)
	}
}

// edge describes the edge between two blocks.
func (l *loopInfo) edge(from, to *ssa.BasicBlock) Edge {
	e := Edge{To: to.Index}
	if to.Dominates(from) {
		e.Back = l.header[to.Index]
	}
	for i, blocks := range l.member {
		if blocks[from.Index] && !blocks[to.Index] {
			e.Leaves = append(e.Leaves, i+1)
		}
	}
	return e
}
