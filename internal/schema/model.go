package schema

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// A column is what a field of a model says.
type column struct {
	name      string
	primary   bool
	generated bool     // said in so many words
	integer   bool     // is counted up where it is the primary key
	manual    bool     // is not: autoIncrement:false
	unique    []string // the keys that it belongs to: by name, or "" for one of its own
	indexes   []string // those that it belongs to, if they are keys
}

// Bounds of models in models: how deep they are read, and how much of one model.
const (
	maxEmbedded = 4
	maxColumns  = 2000
)

// model returns the table that a struct stands for in one of the libraries that map structs by tags, nil if there is
// none.
func (c *code) model(p *pkg, name string) *table {
	lib := c.library(p, name)
	if lib == "" {
		return nil
	}
	t := newTable(sqltext.Snake(name))
	t.loose, t.whole = true, c.creates[lib]
	if exact := c.tableName(p, name, lib); exact != "" {
		t.name, t.loose = exact, false
	}
	cols := c.columns(p, p.structs[name], lib, maxEmbedded)
	if len(cols) == 0 {
		return nil
	}
	defaultPrimary(cols, lib)
	t.fill(cols, lib)
	return t
}

// library returns whose model a struct is: that of its tags, or gorm's where that creates a table from it.
func (c *code) library(p *pkg, name string) string {
	for _, f := range p.structs[name].Fields.List {
		tag := tagOf(f)
		for _, lib := range [...]string{"gorm", "bun", "xorm", "pg"} {
			if _, ok := tag.Lookup(lib); ok {
				return lib
			}
		}
		if pkg, embedded := typeName(f.Type); len(f.Names) == 0 && pkg == "gorm" && embedded == "Model" {
			return "gorm"
		}
	}
	if c.migrated[name] {
		return "gorm"
	}
	return ""
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(f.Tag.Value)
	return reflect.StructTag(text)
}

// tableName returns the name that a model gives its table itself.
func (c *code) tableName(p *pkg, name, lib string) string {
	if fn := p.methods[name+".TableName"]; fn != nil && (lib == "gorm" || lib == "xorm") {
		return tableWord(p.returned(fn))
	}
	for _, f := range p.structs[name].Fields.List {
		opts := strings.Split(tagOf(f).Get(lib), ",")
		_, embedded := typeName(f.Type)
		switch {
		case lib == "bun" && embedded == "BaseModel":
			for _, opt := range opts {
				if table, ok := strings.CutPrefix(opt, "table:"); ok {
					return tableWord(table)
				}
			}
		case lib == "pg" && len(f.Names) == 1 && strings.EqualFold(f.Names[0].Name, "tableName"):
			return tableWord(opts[0])
		}
	}
	return ""
}

// returned gives the string that a function of one statement returns.
func (p *pkg) returned(fn *ast.FuncDecl) string {
	if fn.Body == nil || len(fn.Body.List) != 1 {
		return ""
	}
	ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return ""
	}
	return p.text(ret.Results[0])
}

// tableWord takes schema and quotes off a table's name. One that is not fully known is none.
func tableWord(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	name = strings.ToLower(strings.Trim(name, "`\"[]' "))
	if sqltext.HasHole(name) {
		return ""
	}
	return name
}

// columns lists the columns of a struct, those of embedded structs included.
func (c *code) columns(p *pkg, st *ast.StructType, lib string, depth int) []*column {
	var cols []*column
	for _, f := range st.Fields.List {
		tag := tagOf(f).Get(lib)
		if len(cols) > maxColumns || tag == "-" || strings.HasPrefix(tag, "-:") {
			continue
		}
		if inner, ok := c.embedded(p, f, tag, lib, depth); ok {
			cols = append(cols, inner...)
			continue
		}
		for _, name := range f.Names {
			if name.IsExported() && !relation(f, tag) {
				col := &column{name: sqltext.Snake(name.Name), integer: integer(f.Type)}
				col.read(lib, tag)
				cols = append(cols, col)
			}
		}
	}
	return cols
}

// embedded returns the columns that a field brings along whose type is a struct that is no column itself.
func (c *code) embedded(p *pkg, f *ast.Field, tag, lib string, depth int) (cols []*column, ok bool) {
	from, name := typeName(f.Type)
	low := strings.ToLower(tag)
	named := strings.Contains(low, "embedded") || strings.Contains(low, "extends") || strings.HasPrefix(low, "embed:")
	switch {
	case len(f.Names) > 0 && !named:
		return nil, false
	case from == "gorm" && name == "Model":
		return []*column{{name: "id", primary: true, integer: true}, {name: "created_at"}, {name: "updated_at"}, {name: "deleted_at"}}, true
	}
	if owner := c.owner(p, from, name); owner != nil && depth > 0 {
		return c.columns(owner, owner.structs[name], lib, depth-1), true
	}
	return nil, true
}

// owner finds the package of a struct: the same one, or one of the name that it is called by.
func (c *code) owner(p *pkg, from, name string) *pkg {
	if from == "" || from == p.name {
		if p.structs[name] != nil {
			return p
		}
	}
	for _, folder := range c.folders {
		if other := c.packages[folder]; other.name == from && other.structs[name] != nil {
			return other
		}
	}
	return nil
}

// relation reports whether a field stands for rows of another table.
func relation(f *ast.Field, tag string) bool {
	low := strings.ToLower(tag)
	for _, word := range [...]string{"foreignkey:", "references:", "many2many:", "polymorphic:", "rel:", "m2m:", "fk:"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	arr, ok := f.Type.(*ast.ArrayType)
	if !ok || tag != "" {
		return false
	}
	_, elem := typeName(arr.Elt)
	return elem != "byte" && elem != "string"
}

func integer(t ast.Expr) bool {
	_, name := typeName(t)
	return strings.HasPrefix(name, "int") || strings.HasPrefix(name, "uint")
}

// defaultPrimary makes the field ID the primary key where no other is.
func defaultPrimary(cols []*column, lib string) {
	if slices.ContainsFunc(cols, func(c *column) bool { return c.primary }) {
		return
	}
	for _, c := range cols {
		if c.name == "id" && (lib != "xorm" || c.integer) {
			c.primary = true
			return
		}
	}
}

// fill gives a table its columns and the keys that they make together.
func (t *table) fill(cols []*column, lib string) {
	g := &grouping{byName: map[string]*key{}}
	for _, c := range cols {
		t.addColumn(c.name, c.generated)
		if c.primary {
			g.join(primaryGroup, c.name)
		}
		for _, name := range c.unique {
			if name == "" {
				name = ownGroup + c.name
			}
			g.join(name, c.name)
		}
	}
	for _, c := range cols { // an index is unique where one of its fields says so
		for _, name := range c.indexes {
			if name != "" && g.byName[name] != nil {
				g.join(name, c.name)
			}
		}
	}
	for _, name := range g.order {
		t.addKey(*g.byName[name])
	}
	if pk := g.byName[primaryGroup]; pk != nil && len(pk.columns) == 1 && (lib == "gorm" || lib == "pg") {
		for _, c := range cols {
			if c.primary && c.integer && !c.manual {
				t.generated[c.name] = true
			}
		}
	}
}

// Names of keys that no tag can hold.
const (
	primaryGroup = "\x00primary"
	ownGroup     = "\x00own "
)

// A grouping puts columns together that name the same key.
type grouping struct {
	byName map[string]*key
	order  []string
}

func (g *grouping) join(name, col string) {
	if g.byName[name] == nil {
		g.byName[name] = &key{primary: name == primaryGroup}
		g.order = append(g.order, name)
	}
	if k := g.byName[name]; !slices.Contains(k.columns, col) {
		k.columns = append(k.columns, col)
	}
}
