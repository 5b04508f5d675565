package schema

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// entSchema returns the table of a schema of ent, nil if the struct is none.
func (c *code) entSchema(p *pkg, name string) *table {
	if !embeds(p.structs[name], "ent", "Schema") {
		return nil
	}
	e := &entTable{code: c, table: newTable(sqltext.Snake(name)), columns: map[string]string{}, edges: map[string]string{},
		seen: map[*ast.FuncDecl]bool{}}
	e.table.loose, e.table.whole = true, true
	e.read(p, name, maxEmbedded)
	for _, k := range e.keys {
		e.table.addKey(key{columns: e.columnsOf(k)})
		if names := e.settersOf(k); !slices.Equal(names, e.columnsOf(k)) {
			e.table.addKey(key{columns: names})
		}
	}
	if !e.hasID {
		e.table.addColumn("id", true)
		e.table.addKey(key{columns: []string{"id"}, primary: true})
	}
	return e.table
}

// entTable is a table of ent in the making.
type entTable struct {
	code    *code
	table   *table
	columns map[string]string // of fields that are stored under another name
	edges   map[string]string // the fields of edges
	fields  []string
	ends    []string   // all edges
	keys    [][]string // of fields and edges
	hasID   bool
	seen    map[*ast.FuncDecl]bool // each method is read once
}

func embeds(st *ast.StructType, pkg, name string) bool {
	return slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool {
		from, typ := typeName(f.Type)
		return len(f.Names) == 0 && from == pkg && typ == name
	})
}

// read takes in the methods of a schema or a mixin, and the mixins that it names.
func (e *entTable) read(p *pkg, name string, depth int) {
	for _, method := range [...]string{"Fields", "Edges", "Indexes", "Annotations", "Mixin"} {
		e.method(p, name, method, depth)
	}
}

// method takes in a method of a schema or a mixin: its own, or that of a struct which it embeds.
func (e *entTable) method(p *pkg, name, method string, depth int) {
	fn := p.methods[name+"."+method]
	switch {
	case depth < 0:
		return
	case fn == nil || fn.Body == nil:
		e.promoted(p, p.structs[name], method, depth)
		return
	}
	if e.seen[fn] {
		return
	}
	e.seen[fn] = true
	switch method {
	case "Fields":
		for _, ch := range chainsOf(fn, "field") {
			e.field(ch, p)
		}
	case "Edges":
		for _, ch := range chainsOf(fn, "edge") {
			e.edge(ch, p, name)
		}
	case "Indexes":
		for _, ch := range chainsOf(fn, "index") {
			e.index(ch, p)
		}
	case "Annotations":
		e.annotations(p, fn)
	case "Mixin":
		e.mixins(p, fn, depth-1)
		return
	}
	e.delegated(p, fn, method, depth-1)
}

func (e *entTable) promoted(p *pkg, st *ast.StructType, method string, depth int) {
	if st == nil {
		return
	}
	for _, f := range st.Fields.List {
		from, typ := typeName(f.Type)
		if _, generic := f.Type.(*ast.IndexExpr); generic { // whose methods depend on what it is made with
			e.table.whole = false
		} else if owner := e.code.owner(p, from, typ); owner != nil && len(f.Names) == 0 {
			e.method(owner, typ, method, depth-1)
		}
	}
}

// delegated takes in what a method asks of another type: Base{}.Fields().
func (e *entTable) delegated(p *pkg, fn *ast.FuncDecl, method string, depth int) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != method {
			return true
		}
		if lit, ok := sel.X.(*ast.CompositeLit); ok {
			from, typ := typeName(lit.Type)
			if owner := e.code.owner(p, from, typ); owner != nil {
				e.method(owner, typ, method, depth)
			}
		}
		return true
	})
}

func (e *entTable) field(ch *chain, p *pkg) {
	name := ch.arg(p, 0)
	if name == "" || sqltext.HasHole(name) {
		return
	}
	e.fields = append(e.fields, name)
	column := name
	if key := ch.step("StorageKey"); key != nil && key.arg(p, 0) != "" {
		column = key.arg(p, 0)
		e.columns[name] = column
	}
	isID := name == "id"
	given := ch.step("Default") != nil || ch.step("DefaultFunc") != nil
	counted := strings.HasPrefix(ch.name, "Int") || strings.HasPrefix(ch.name, "Uint")
	e.table.addColumn(column, isID && (given || counted))
	switch {
	case isID:
		e.hasID = true
		e.table.addKey(key{columns: []string{column}, primary: true})
		if column != name {
			e.table.addKey(key{columns: []string{name}})
		}
	case ch.step("Unique") != nil:
		e.keys = append(e.keys, []string{name})
	}
}

// edge notes the field of an edge, which is a key where both ends are unique.
func (e *entTable) edge(ch *chain, p *pkg, schema string) {
	e.ends = append(e.ends, ch.arg(p, 0))
	field := ch.step("Field")
	if field == nil {
		return
	}
	e.edges[ch.arg(p, 0)] = field.arg(p, 0)
	if ch.step("Unique") == nil || len(ch.args) < 2 {
		return
	}
	other, _ := typeName(ch.args[1])
	for _, back := range chainsOf(p.methods[other+".Edges"], "edge") {
		if back.step("Unique") != nil && len(back.args) > 1 && (meets(ch, back, p) || meets(back, ch, p) && pointsTo(back, schema)) {
			e.keys = append(e.keys, []string{field.arg(p, 0)})
		}
	}
}

// meets reports whether one edge names the other as its reference.
func meets(from, to *chain, p *pkg) bool {
	ref := from.step("Ref")
	return ref != nil && to.name == "To" && ref.arg(p, 0) == to.arg(p, 0)
}

func pointsTo(edge *chain, schema string) bool {
	typ, _ := typeName(edge.args[1])
	return typ == schema
}

// index reads index.Fields("a", "b").Edges("c").Unique().
func (e *entTable) index(ch *chain, p *pkg) {
	if ch.step("Unique") == nil {
		return
	}
	var cols []string
	for s := ch; s != nil; s = s.next {
		if s.name == "Fields" || s.name == "Edges" {
			for i := range s.args {
				cols = append(cols, s.arg(p, i))
			}
		}
	}
	e.keys = append(e.keys, cols)
}

// columnsOf names the columns of fields and edges.
func (e *entTable) columnsOf(names []string) []string {
	var cols []string
	for _, name := range names {
		if field, ok := e.edges[name]; ok && !slices.Contains(e.table.columns, name) {
			name = field
		}
		if column, ok := e.columns[name]; ok {
			name = column
		}
		cols = append(cols, name)
	}
	return cols
}

// settersOf names the same as generated setters do: fields by their names in Go, edges by the ID of their other end.
func (e *entTable) settersOf(names []string) []string {
	var out []string
	for _, name := range names {
		if slices.Contains(e.ends, name) && !slices.Contains(e.fields, name) {
			name += "_id"
		}
		out = append(out, name)
	}
	return out
}

// annotations reads the name of the table, and field.ID("a", "b") of a schema whose key is composed.
func (e *entTable) annotations(p *pkg, fn *ast.FuncDecl) {
	for _, ch := range chainsOf(fn, "field") {
		if ch.name == "ID" && len(ch.args) > 0 {
			e.hasID = true
			e.keys = append(e.keys, ch.all(p))
		}
	}
	name := ""
	for _, ch := range chainsOf(fn, "entsql") {
		if ch.name == "Table" {
			name = ch.arg(p, 0)
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			if k, ok := kv.Key.(*ast.Ident); ok && k.Name == "Table" {
				name = p.text(kv.Value)
			}
		}
		return true
	})
	if name = tableWord(name); name != "" {
		e.table.name, e.table.loose = name, false
	}
}

// mixins reads the types in the list that Mixin returns. Of a mixin that is not in the module nothing is known.
func (e *entTable) mixins(p *pkg, fn *ast.FuncDecl, depth int) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if _, list := lit.Type.(*ast.ArrayType); list || lit.Type == nil {
			return true
		}
		from, name := typeName(lit.Type)
		switch owner := e.code.owner(p, from, name); {
		case owner != nil:
			e.read(owner, name, depth)
		case from != "mixin" || name != "Time" && name != "CreateTime" && name != "UpdateTime":
			e.table.whole = false
		}
		return false
	})
}
