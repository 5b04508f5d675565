package effect

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// An itemRequest is what the fields of a DynamoDB request say. Expressions are turned into SQL, which they resemble.
type itemRequest struct {
	said
	names    map[string]string // what #names stand for
	absent   bool              // the condition wants an attribute not to be there
	adds     bool
	nested   bool // one of several items of a transaction: when its condition fails, all fail
	update   string
	cond     string
	tableOf  string
	condUsed bool
}

// fillItem reads the expressions of a DynamoDB request.
func (b *funcBuilder) fillItem(e *Effect, c *ssa.CallCommon) {
	for _, a := range stepArgs(c) {
		entries, known := b.entries(a)
		if !known {
			continue
		}
		r := &itemRequest{names: map[string]string{}}
		b.readRequest(r, entries, 0)
		r.apply(e)
	}
}

// readRequest reads the fields of a request, and of the items of a transaction.
func (b *funcBuilder) readRequest(r *itemRequest, entries []entry, depth int) {
	for _, en := range entries {
		switch en.key {
		case "table_name":
			if t, ok := b.text(b.pointed(en.value), 0); ok {
				r.tableOf = tableWord(t)
			}
		case "update_expression":
			r.update = b.expressionText(r, en.value)
		case "condition_expression":
			r.condUsed = true
			r.cond = b.expressionText(r, en.value)
		case "expression_attribute_names":
			names, _ := b.entries(en.value)
			for _, n := range names {
				if t, ok := b.text(b.pointed(n.value), 0); ok {
					r.names[n.key] = t
				}
			}
		case "transact_items", "put", "update", "delete", "condition_check", "":
			if depth < maxLiteralDepth {
				r.nested = true
				inner, _ := b.entries(en.value)
				b.readRequest(r, inner, depth+1)
			}
		}
	}
	r.read()
}

// pointed takes a string out of what makes a pointer of it: aws.String("orders"), &name.
func (b *funcBuilder) pointed(v ssa.Value) ssa.Value {
	switch x := b.plain(v).(type) {
	case *ssa.Call:
		if args := x.Common().Args; len(args) == 1 && isString(args[0].Type()) {
			return args[0]
		}
	case *ssa.Alloc:
		if vals := b.contentOf(x).whole; len(vals) == 1 {
			return vals[0]
		}
	}
	return v
}

// expressionText gives the text of an expression; where the SDK's builder makes it, what is called there is noted.
func (b *funcBuilder) expressionText(r *itemRequest, v ssa.Value) string {
	if t, ok := b.text(b.pointed(v), 0); ok {
		return t
	}
	b.readBuilder(r, v, map[ssa.Value]bool{})
	return ""
}

// readBuilder goes back from an expression through the calls of package expression that have made it.
func (b *funcBuilder) readBuilder(r *itemRequest, v ssa.Value, seen map[ssa.Value]bool) {
	v = b.plain(v)
	if v == nil || seen[v] || len(seen) > 200 {
		return
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			b.readBuilder(r, e, seen)
		}
	case *ssa.Extract:
		b.readBuilder(r, x.Tuple, seen)
	case *ssa.Alloc:
		for _, val := range b.contentOf(x).whole {
			b.readBuilder(r, val, seen)
		}
	case *ssa.Call:
		obj := calledObject(x.Common())
		if obj == nil || obj.Pkg() == nil || !strings.HasSuffix(obj.Pkg().Path(), "/expression") {
			return
		}
		switch obj.Name() {
		case "Add", "Plus", "Minus", "ListAppend":
			r.adds = true
		case "AttributeNotExists":
			r.absent, r.condUsed = true, true
		}
		for _, a := range spread(x.Common().Args) {
			b.readBuilder(r, a, seen)
		}
	}
}

var (
	itemSections = regexp.MustCompile(`(?i)\b(set|add|remove|delete)\s`)
	itemAbsent   = regexp.MustCompile(`(?i)attribute_not_exists\s*\(\s*([^)\s]+)\s*\)`)
	itemPresent  = regexp.MustCompile(`(?i)attribute_exists\s*\(\s*([^)\s]+)\s*\)`)
	itemName     = regexp.MustCompile(`#\w+`)
	itemAdd      = regexp.MustCompile(`([^\s,]+)\s+:`)
)

// read turns the expressions of one item into SQL.
func (r *itemRequest) read() {
	plain := func(s string) string {
		return itemName.ReplaceAllStringFunc(s, func(n string) string {
			if name, ok := r.names[n]; ok {
				return name
			}
			return strings.TrimPrefix(n, "#")
		})
	}
	update := plain(r.update)
	for i, at := range itemSections.FindAllStringSubmatchIndex(update, -1) {
		end := len(update)
		if rest := itemSections.FindAllStringIndex(update, -1); i+1 < len(rest) {
			end = rest[i+1][0]
		}
		body := update[at[1]:end]
		switch strings.ToLower(update[at[2]:at[3]]) {
		case "set":
			r.sets = append(r.sets, body)
			r.adds = r.adds || strings.Contains(strings.ToLower(body), "list_append")
		case "add":
			for _, m := range itemAdd.FindAllStringSubmatch(body, -1) {
				r.set(m[1], m[1]+" + ?")
			}
		}
	}
	if r.cond != "" {
		cond := plain(r.cond)
		r.absent = r.absent || itemAbsent.MatchString(cond)
		cond = itemAbsent.ReplaceAllString(cond, "$1 IS NULL")
		r.where(itemPresent.ReplaceAllString(cond, "$1 IS NOT NULL"))
	}
	r.update, r.cond = "", ""
}

func (r *itemRequest) apply(e *Effect) {
	if r.tableOf != "" && !strings.Contains(r.tableOf, sqltext.Hole) {
		e.Table = r.tableOf
	}
	if st, ok := parseSaid(r.statement("update", "")); ok {
		e.Increment = e.Increment || len(st.Increments) > 0 || r.adds
		e.Guarded = e.Guarded || len(st.Guards) > 0 || r.absent && (r.nested || e.Verb == sqltext.Update)
		if r.condUsed {
			e.addWhere(slices.DeleteFunc(st.Where, sqltext.HasHole))
		}
	}
	e.Conflict = e.Conflict || r.absent && !r.nested
}
