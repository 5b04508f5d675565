package driver

import (
	"go/ast"
	"go/token"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/packages"
)

// TestInOrder puts a library between two packages of the module, and a package first that imports all others.
func TestInOrder(t *testing.T) {
	pkg := func(imports ...*packages.Package) *packages.Package {
		p := &packages.Package{Imports: map[string]*packages.Package{}}
		for i, imp := range imports {
			p.Imports[string(rune('a'+i))] = imp
		}
		return p
	}
	base := pkg()
	left := pkg(base)
	library := pkg(base)
	right := pkg(library)
	top := pkg(left, right)
	module := []*loaded{{meta: top}, {meta: right}, {meta: left}, {meta: base}}
	for range 100 {
		var mu sync.Mutex
		var order []int
		inOrder(module, func(int) {}, func(i int) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, i)
		})
		assert.Len(t, order, 4)
		assert.Equal(t, 3, order[0])
		assert.Equal(t, 0, order[3])
		assert.True(t, slices.Contains(order, 1) && slices.Contains(order, 2))
	}
}

// TestLargePackagesAreBegunAhead makes the package that imports the other one by far the larger.
func TestLargePackagesAreBegunAhead(t *testing.T) {
	base := &packages.Package{}
	top := &packages.Package{Imports: map[string]*packages.Package{"base": base}}
	source := func(size token.Pos) []*ast.File { return []*ast.File{{FileStart: 1, FileEnd: 1 + size}} }
	module := []*loaded{{meta: base, files: source(100)}, {meta: top, files: source(5000)}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // base holds one while it waits
	begun := make(chan int, 2)
	inOrder(module, func(i int) { begun <- i }, func(i int) {
		if i == 0 {
			assert.Equal(t, 1, <-begun, "what top needs by itself is not kept waiting by base")
		}
	})
	assert.Empty(t, begun)
}
