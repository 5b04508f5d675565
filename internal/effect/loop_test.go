package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

const loops = `package p

func straight(n int) int {
	if n > 0 {
		return 1
	}
	return 2
}

func once(n int) {
	for i := 0; i < n; i++ {
		println(i)
	}
}

func nested(n int) {
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			if j == 7 {
				return
			}
			println(i, j)
		}
	}
}

func leaving(n int) {
	for {
		n--
		if n == 3 {
			break
		}
		if n == 5 {
			continue
		}
		println(n)
	}
	println("done")
}

func labelled(n int) {
outer:
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			if j == 7 {
				continue outer
			}
			if i == 9 {
				break outer
			}
		}
	}
}
`

// loopEdges counts a function's loops, the edges that go round one, and those that leave one or two of them.
func loopEdges(fn *ssa.Function) (loops, back, leaveOne, leaveTwo int) {
	info := findLoops(fn)
	for _, b := range fn.Blocks {
		for _, s := range b.Succs {
			e := info.edge(b, s)
			if e.Back != 0 {
				back++
			}
			switch len(e.Leaves) {
			case 1:
				leaveOne++
			case 2:
				leaveTwo++
			}
		}
	}
	return len(info.member), back, leaveOne, leaveTwo
}

func TestLoops(t *testing.T) {
	in := compile(t, sourceFiles{"p.go": loops})
	for _, tt := range []struct {
		function                         string
		loops, back, leaveOne, leaveMany int
	}{
		{"straight", 0, 0, 0, 0},
		{"once", 1, 1, 1, 0},
		{"nested", 2, 2, 2, 1},   // the return leaves both
		{"leaving", 1, 2, 1, 0},  // the continue goes round as well
		{"labelled", 2, 2, 3, 1}, // continue leaves the inner loop, break both
	} {
		fn := in.SSA.Func(tt.function)
		require.NotNil(t, fn, tt.function)
		n, back, one, two := loopEdges(fn)
		assert.Equal(t, []int{tt.loops, tt.back, tt.leaveOne, tt.leaveMany}, []int{n, back, one, two}, tt.function)
	}
}

func TestBits(t *testing.T) {
	var b Bits
	assert.False(t, b.Has(200))
	assert.True(t, b.Set(200))
	assert.False(t, b.Set(200), "it was there")
	assert.True(t, b.Set(3))
	assert.True(t, b.Has(200))
	assert.False(t, b.Has(199))

	var other Bits
	other.Set(500)
	assert.True(t, b.Or(other))
	assert.False(t, b.Or(other), "nothing new")
	assert.True(t, b.Has(500))
	assert.False(t, other.Has(3), "the other one is as it was")
}

func TestRoots(t *testing.T) {
	first, second := Root{Kind: ParamRoot, Index: 1}, Root{Kind: ParamRoot, Index: 2, Field: "p.T.db"}
	assert.Equal(t, Roots(nil).add(first, second), Roots(nil).add(second, first, second), "a set has one order")
	base := Roots(nil).add(first)
	more := base.add(second)
	_ = base.add(Root{Kind: FreeRoot})
	assert.Equal(t, Roots(nil).add(first, second), more, "sets do not share room")

	var many Roots
	for i := range maxRoots + 5 {
		many = many.add(Root{Kind: ParamRoot, Index: i})
	}
	assert.Len(t, many, maxRoots)
}

func TestOrigins(t *testing.T) {
	a, b := Origins(nil).add(5, 1, 5, 3), Origins(nil).add(4, 3)
	assert.Equal(t, Origins{1, 3, 5}, a)
	assert.True(t, a.Common(b))
	assert.True(t, b.Common(a))
	assert.False(t, a.Common(Origins{2, 4}))
	assert.False(t, a.Common(nil))
}
