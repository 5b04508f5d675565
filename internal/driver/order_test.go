package driver

import (
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
		inOrder(module, func(i int) {
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
