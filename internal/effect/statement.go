package effect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// fillSQL reads the statement's text; where the text is a parameter it is left to the callers.
func (b *funcBuilder) fillSQL(n *Node, c *ssa.CallCommon, row *model.Row) {
	e := n.Effect
	v := b.argValue(c, row.SQL)
	if v == nil {
		return
	}
	if text, ok := b.statementText(v); ok {
		ApplySQL(e, text)
		b.fillArguments(e, c, nil)
		return
	}
	if row.SQL.Kind == model.Recv || !isString(v.Type()) { // a prepared statement: whoever prepared it knows the text
		e.Text = b.rootsOf(v)
		if text, ok := onlyText(e.Text); ok {
			e.Text = nil
			ApplySQL(e, text)
		}
		return
	}
	if text, ok := b.textOf(v); ok && sqltext.Looks(text) {
		ApplySQL(e, text)
	} else if e.Text = b.textRoots(v, 0); len(e.Text) == 0 {
		e.Opaque = true
		b.guessWrite(e)
	}
	b.fillArguments(e, c, v)
}

// fillArguments notes what a statement is given beside its text.
func (b *funcBuilder) fillArguments(e *Effect, c *ssa.CallCommon, text ssa.Value) {
	for i, a := range c.Args {
		if a != text && !(i == 0 && receiverOf(c) == a) {
			e.Message = e.Message.add(b.argumentData(c, a)...)
		}
	}
}

// statementText gives the text in a statement that is a struct: Spanner's Statement{SQL: "…"} and NewStatement("…").
func (b *funcBuilder) statementText(v ssa.Value) (string, bool) {
	if _, ok := deref(v.Type()).Underlying().(*types.Struct); !ok {
		return "", false
	}
	if call, ok := b.plain(v).(*ssa.Call); ok && methodName(call) == "NewStatement" {
		return b.argText(stepArgs(call.Common()), 0)
	}
	entries, _ := b.entries(v)
	if text := valueOf(entries, "sql"); text != nil {
		return b.textOf(text)
	}
	return "", false
}

// onlyText gives the one text that a statement prepared in the same function has.
func onlyText(roots Roots) (text string, ok bool) {
	for _, r := range roots {
		if r.Kind == TextRoot {
			if ok {
				return "", false
			}
			text, ok = r.Name, true
		}
	}
	return text, ok
}

// guessWrite takes a statement whose text is not found for a write if the function's name says so: advice, no more.
func (b *funcBuilder) guessWrite(e *Effect) {
	name := strings.ToLower(b.fn.Name())
	for prefix, verb := range map[string]sqltext.Verb{"insert": sqltext.Insert, "create": sqltext.Insert, "update": sqltext.Update,
		"upsert": sqltext.Upsert, "delete": sqltext.Delete} {
		if strings.HasPrefix(name, prefix) {
			e.Kind, e.Verb, e.Tier = model.Write, verb, model.TierAdvice
		}
	}
}
