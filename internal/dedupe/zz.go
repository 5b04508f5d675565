package dedupe

import (
	"fmt"
	"os"
	"github.com/dmlint/dmlint/internal/flow"
)

func dump(hits []*flow.Hit) {
	if os.Getenv("DMX") == "" { return }
	for _, h := range hits {
		l, f := h.Later.Leaf(), h.First.Leaf()
		fmt.Fprintln(os.Stderr, h.Kind, h.Graph.Name, "first", f.Node.Label, f.Node.Pos.Line, "later", l.Node.Label, l.Node.Pos.Line, "where", h.Where, "inner", get(h.Bits,0), "outer", get(h.Bits,3))
	}
}
