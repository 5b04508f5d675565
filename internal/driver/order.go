package driver

import (
	"runtime"
	"sync"

	"golang.org/x/tools/go/packages"
)

// inOrder calls f for each package of the module after it has been called for all that the package imports, on as many
// processors as there are.
func inOrder(module []*loaded, f func(i int)) {
	done := map[*packages.Package]chan struct{}{}
	for _, l := range module {
		done[l.meta] = make(chan struct{})
	}
	imports := importsOf{module: done, found: map[*packages.Package][]chan struct{}{}}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, l := range module {
		before := imports.of(l.meta)
		wg.Go(func() {
			defer close(done[l.meta])
			for _, imported := range before {
				<-imported
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
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
