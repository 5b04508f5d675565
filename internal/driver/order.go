package driver

import (
	"runtime"
	"sync"

	"golang.org/x/tools/go/packages"
)

// inOrder calls f for each package of the module after it has been called for all that the package imports, on as many
// processors as there are. What a large package needs of f that does not depend on its imports is done ahead, so that
// others wait for it less.
func inOrder(module []*loaded, ahead, f func(i int)) {
	done := map[*packages.Package]chan struct{}{}
	for _, l := range module {
		done[l.meta] = make(chan struct{})
	}
	imports := importsOf{module: done, found: map[*packages.Package][]chan struct{}{}}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	slot := func(f func(i int), i int) {
		slots <- struct{}{}
		defer func() { <-slots }()
		f(i)
	}
	isLarge := large(module)
	var wg sync.WaitGroup
	for i, l := range module {
		before := imports.of(l.meta)
		wg.Go(func() {
			defer close(done[l.meta])
			if isLarge(l) {
				slot(ahead, i)
			}
			for _, imported := range before {
				<-imported
			}
			slot(f, i)
		})
	}
	wg.Wait()
}

// largeShare is the share of a module's source from which on a package is large.
const largeShare = 1. / 16

// large tells the packages that are large for their module.
func large(module []*loaded) func(l *loaded) bool {
	size := map[*loaded]int{}
	whole := 0
	for _, l := range module {
		for _, f := range l.files {
			size[l] += int(f.FileEnd - f.FileStart)
		}
		whole += size[l]
	}
	return func(l *loaded) bool { return float64(size[l]) > largeShare*float64(whole) }
}

// importsOf finds the packages of the module that a package imports, itself or through libraries: a library may import
// a module that is replaced by a directory, or that a workspace names.
type importsOf struct {
	module map[*packages.Package]chan struct{}
	found  map[*packages.Package][]chan struct{}
}

func (im importsOf) of(p *packages.Package) []chan struct{} {
	if found, ok := im.found[p]; ok {
		return found
	}
	var found []chan struct{}
	for _, imp := range p.Imports {
		if done := im.module[imp]; done != nil {
			found = append(found, done)
		} else {
			found = append(found, im.of(imp)...)
		}
	}
	im.found[p] = found
	return found
}
