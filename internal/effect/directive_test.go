package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const directives = `package p

// Pulled is one.
//
//dmlint:handler
func Pulled(id string) {}

//dmlint:handler for the nightly script
func Reason(id string) {}

//dmlint:handlers
func Longer(id string) {}

// See //dmlint:handler.
func Mentions(id string) {}

type Listener interface {
	//dmlint:handler
	Told(id string)
	Name() string
}

func local() {
	type inner interface {
		//dmlint:handler
		Told(id string)
	}
	var _ inner
}
`

func TestHandlerDirective(t *testing.T) {
	pkg := newBuilder(t).Build(compile(t, sourceFiles{"p.go": directives}))
	var marked []string
	for _, g := range pkg.Graphs {
		if g.Handler {
			marked = append(marked, g.Name)
		}
	}
	assert.Equal(t, []string{"p.Pulled", "p.Reason"}, marked)
	assert.Equal(t, []MethodKey{{Iface: "example.com/p.Listener", Name: "Told"}}, pkg.Handlers)
}

// TestHandlersNamedElsewhere has handlers that are named in no source: methods of interfaces are handed on to the linker.
func TestHandlersNamedElsewhere(t *testing.T) {
	b := newBuilder(t)
	b.Handlers = map[FuncID]bool{"(example.com/p.Listener).Name": true, "example.com/p.Mentions": true, "(example.com/p.inner).Told": true}
	pkg := b.Build(compile(t, sourceFiles{"p.go": directives}))
	assert.Equal(t, []MethodKey{{Iface: "example.com/p.Listener", Name: "Told"}, {Iface: "example.com/p.Listener", Name: "Name"}}, pkg.Handlers)
	assert.Contains(t, b.Interfaces, "example.com/p.Listener")
}
