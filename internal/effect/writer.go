package effect

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// writtenText gives the text that a function has written into a strings.Builder or bytes.Buffer of its own, piece by
// piece in the order of the source; what is written in a loop stands there once.
func (b *funcBuilder) writtenText(buf ssa.Value, depth int) (string, bool) {
	if _, local := buf.(*ssa.Alloc); !local {
		return sqltext.Hole, false
	}
	var sb strings.Builder
	known := false
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if text, ok, writes := b.writtenBy(call, buf, depth); writes {
				sb.WriteString(text)
				known = known || ok
			}
		}
	}
	return sb.String(), known
}

// writtenBy gives what one call writes into buf: buf.WriteString(text) or fmt.Fprintf(buf, format, …).
func (b *funcBuilder) writtenBy(call *ssa.Call, buf ssa.Value, depth int) (text string, known, writes bool) {
	c := call.Common()
	fn := c.StaticCallee()
	if fn == nil || len(c.Args) < 2 {
		return "", false, false
	}
	switch {
	case c.Args[0] == buf && strings.HasPrefix(fn.Name(), "Write"):
		text, known = b.text(c.Args[1], depth+1)
		return text, known, true
	case fn.Name() == "Fprintf" && carrier(c.Args[0]) == buf:
		text, known = b.formatted(&ssa.CallCommon{Value: c.Value, Args: c.Args[1:]}, depth+1)
		return text, known, true
	}
	return "", false, false
}
