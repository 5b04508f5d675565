package graphview

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// describe puts a step into words.
func (v *View) describe(r *row) {
	n := r.node
	switch {
	case n.Op == effect.OpPresence:
		r.what, r.via = "a transaction in it?", v.roots(n.Tested)
	case n.Effect != nil:
		r.what, r.via, r.gives = v.effect(n), v.handle(n.Effect), v.given(n)
	default:
		r.what = v.call(n)
		r.notes = v.callees(n)
	}
	switch n.Mode {
	case effect.Deferred:
		r.what = "defer " + r.what
	case effect.Started:
		r.what = "go " + r.what
	}
}

// effectWord is the short name of an effect: its kind, and the table where there is one.
func effectWord(e *effect.Effect) string {
	if table := tableName(e.Table); table != "" {
		return string(e.Kind) + " " + table
	}
	return string(e.Kind)
}

func tableName(table string) string { return strings.ReplaceAll(table, sqltext.Hole, "…") }

// effect names an effect with what is known of it; where its kind does not say enough, with what is called.
func (v *View) effect(n *effect.Node) string {
	e := n.Effect
	s := effectWord(e)
	switch e.Kind {
	case model.Begin, model.Commit, model.Rollback, model.Write, model.Read, model.SQL, model.Prepare:
	default:
		s += " " + n.Label
	}
	if marks := marksOf(e); len(marks) > 0 {
		s += " (" + strings.Join(marks, ", ") + ")"
	}
	if len(e.Text) > 0 {
		s += ", text from " + v.roots(e.Text)
	}
	return s
}

// marksOf lists what rules look at besides the kind of an effect.
func marksOf(e *effect.Effect) []string {
	var marks []string
	if e.Verb != sqltext.Unknown && e.Verb != sqltext.Select {
		marks = append(marks, e.Verb.String())
	}
	for _, m := range []struct {
		set  bool
		word string
	}{
		{e.Conflict, "conflict handled"}, {e.Guarded, "guarded"}, {e.Increment, "increment"}, {e.Polls, "polls"}, {e.Notify, "notify"},
		{e.Async, "async"}, {e.Joins, "joins an open one"}, {e.Once, "once for each message"}, {e.Opaque, "SQL not found"}, {e.Tier == model.TierAdvice, "advice"},
	} {
		if m.set {
			marks = append(marks, m.word)
		}
	}
	return marks
}

func (v *View) handle(e *effect.Effect) string {
	if e.Kind == model.Publish || e.Kind == model.External {
		return v.roots(slices.DeleteFunc(slices.Clone(e.Handle), func(r effect.Root) bool { return r.Kind == effect.TextRoot }))
	}
	return v.roots(e.Handle)
}

// given is what an effect makes: a transaction, or a run of a closure.
func (v *View) given(n *effect.Node) string {
	if s := v.scopes[n.ID]; s != "" {
		return s
	}
	if len(n.Effect.Closure) > 0 {
		return v.roots(n.Effect.Closure)
	}
	return ""
}

// call writes a call with the handles and function values that it passes.
func (v *View) call(n *effect.Node) string {
	name := n.Label
	if len(n.Fun) > 0 {
		name = v.roots(n.Fun)
	}
	args := make([]string, 0, len(n.Args))
	for _, roots := range n.Args {
		args = append(args, v.argument(roots))
	}
	for len(args) > 1 && args[len(args)-1] == "…" && args[len(args)-2] == "…" {
		args = args[:len(args)-1]
	}
	return "call " + name + "(" + strings.Join(args, ", ") + ")"
}

// argument writes what is passed; texts and plain values are left out.
func (v *View) argument(roots effect.Roots) string {
	kept := slices.DeleteFunc(slices.Clone(roots), func(r effect.Root) bool { return r.Kind == effect.TextRoot })
	if len(kept) == 0 {
		return "…"
	}
	return v.roots(kept)
}

// returned writes the handles and function values among the results; "" where there are none.
func (v *View) returned() string {
	words := make([]string, len(v.graph.Returns))
	any := false
	for i, roots := range v.graph.Returns {
		words[i] = v.argument(roots)
		any = any || words[i] != "…"
	}
	if !any {
		return ""
	}
	return strings.Join(words, ", ")
}

// callees says what is behind a call.
func (v *View) callees(n *effect.Node) []string {
	switch {
	case n.Callee != "":
		if v.program.Graphs[n.Callee] == nil {
			return []string{"its body is not known"}
		}
		return []string{strings.Join(v.reaches(n), ", ")}
	case len(n.Fun) > 0 || n.Method.IsZero():
		if does := v.reaches(n); len(does) > 0 {
			return []string{strings.Join(does, ", ")}
		}
		return nil
	}
	ids := v.program.Targets[n.Method]
	if len(ids) == 0 {
		return []string{"no implementation is known"}
	}
	var notes []string
	for _, id := range ids {
		w := &reach{program: v.program, seen: map[effect.FuncID]bool{}}
		w.function(id)
		note := "no effect"
		if len(w.words) > 0 {
			note = strings.Join(w.words, ", ")
		}
		notes = append(notes, v.program.Graphs[id].Name+": "+note)
	}
	return notes
}

// roots puts a set of roots into words: alternatives are separated by "|".
func (v *View) roots(roots effect.Roots) string {
	var words []string
	for _, r := range roots {
		if r.Kind == effect.TypeRoot && len(roots) > 1 {
			continue // says less than the others
		}
		if w := v.root(r); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "|")
}

func (v *View) root(r effect.Root) string {
	word := v.origin(r)
	if r.Kind != effect.FieldRoot && r.Field != "" {
		word += r.Field[strings.LastIndex(r.Field, "."):]
	}
	if r.Elem {
		word += "[]"
	}
	return word
}

// origin names the place that a root stands for, without the field that is read.
func (v *View) origin(r effect.Root) string {
	switch r.Kind {
	case effect.ParamRoot:
		if r.Index < len(v.graph.Params) {
			return v.param(r.Index)
		}
	case effect.FreeRoot:
		if r.Index < len(v.graph.FreeVars) {
			return v.graph.FreeVars[r.Index].Name
		}
	case effect.GlobalRoot, effect.FieldRoot:
		return path.Base(r.Name)
	case effect.ScopeRoot:
		return v.scope(r.Node)
	case effect.CallRoot:
		return v.result(r)
	case effect.FuncRoot:
		return v.function(v.graph.Closures[r.Index])
	case effect.KindRoot:
		return "a publisher of kind " + r.Name
	case effect.TextRoot:
		return "a constant"
	case effect.TypeRoot:
		return "a transaction"
	}
	return "?"
}

func (v *View) scope(node int) string {
	if s := v.scopes[node]; s != "" {
		return s
	}
	if n := v.byID[node]; n != nil && v.rowOf[n] != nil {
		return fmt.Sprintf("the transaction of %d", v.rowOf[n].number)
	}
	return "a transaction"
}

func (v *View) result(r effect.Root) string {
	n := v.byID[r.Node]
	switch {
	case n == nil:
		return "a result"
	case v.rowOf[n] == nil:
		return n.Label + "()"
	case r.Index > 0:
		return fmt.Sprintf("result %d of %d", r.Index+1, v.rowOf[n].number)
	}
	return fmt.Sprintf("result of %d", v.rowOf[n].number)
}

// function names a function value.
func (v *View) function(site effect.ClosureSite) string {
	if !site.Method.IsZero() {
		return path.Base(site.Method.Iface) + "." + site.Method.Name
	}
	g := v.program.Graphs[site.Fn]
	switch {
	case g == nil:
		return path.Base(string(site.Fn))
	case g.Parent != "":
		return closureName(g.Name)
	}
	return g.Name
}
