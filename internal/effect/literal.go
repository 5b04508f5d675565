package effect

import (
	"go/token"
	"go/types"
	"reflect"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// An entry is a key of a map or of a document, or a field of a struct, with its value. Elements of a list have no key.
type entry struct {
	key   string
	value ssa.Value
}

// maxLiteralDepth bounds the helpers, variables and branches between a literal and its use.
const maxLiteralDepth = 8

// entries lists what is put into a map, a list of pairs (bson.D), a list or a struct that is built in this function or in
// a helper of the package. known is false where the value comes from elsewhere.
func (b *funcBuilder) entries(v ssa.Value) (list []entry, known bool) {
	w := &literalWalk{funcBuilder: b, seen: map[ssa.Value]bool{}}
	w.visit(v, 0)
	return w.list, w.known
}

type literalWalk struct {
	*funcBuilder
	seen  map[ssa.Value]bool
	list  []entry
	known bool
}

func (w *literalWalk) visit(v ssa.Value, depth int) {
	v = w.plain(v)
	if v == nil || w.seen[v] || depth > maxLiteralDepth {
		return
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeMap:
		w.known = true
		w.updates(v)
		for _, ref := range *v.Referrers() { // a map kept in a variable that closures share
			if st, ok := ref.(*ssa.Store); ok && st.Val == v {
				w.updatesThrough(st.Addr)
			}
		}
	case *ssa.Slice:
		w.visit(v.X, depth+1)
	case *ssa.Alloc:
		w.alloc(v, depth)
	case *ssa.Phi:
		for _, e := range v.Edges {
			w.visit(e, depth+1)
		}
	case *ssa.Call:
		w.call(v, 0, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			w.call(call, v.Index, depth)
		}
	}
}

// updates lists what is assigned to a map's keys.
func (w *literalWalk) updates(m ssa.Value) {
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			if ref.Map == m {
				key, _ := w.text(ref.Key, 0)
				w.list = append(w.list, entry{key, ref.Value})
			}
		case *ssa.ChangeType:
			w.updates(ref)
		}
	}
}

func (w *literalWalk) updatesThrough(addr ssa.Value) {
	if a, ok := addr.(*ssa.Alloc); ok {
		for _, ref := range *a.Referrers() {
			if load, ok := ref.(*ssa.UnOp); ok && load.Op == token.MUL {
				w.updates(load)
			}
		}
	}
}

// alloc lists the fields of a struct, the pairs or elements of an array, or what a variable is given.
func (w *literalWalk) alloc(a *ssa.Alloc, depth int) {
	switch t := deref(a.Type()).Underlying().(type) {
	case *types.Struct:
		w.known = true
		c := w.contentOf(a)
		for i := range t.NumFields() {
			for _, val := range c.fields[i] {
				w.list = append(w.list, entry{columnOf(t, i), val})
			}
		}
		for _, val := range c.whole {
			w.visit(val, depth+1)
		}
	case *types.Array:
		w.known = true
		for _, ref := range *a.Referrers() {
			if ia, ok := ref.(*ssa.IndexAddr); ok {
				w.element(ia)
			}
		}
	default:
		for _, val := range w.contentOf(a).whole {
			w.visit(val, depth+1)
		}
	}
}

// element reads one element of a list: a pair with the fields Key and Value, or anything else as it is.
func (w *literalWalk) element(ia *ssa.IndexAddr) {
	var pair entry
	st, _ := deref(ia.Type()).Underlying().(*types.Struct)
	for _, ref := range *ia.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != ia {
				continue
			}
			if key, value, ok := w.storedPair(ref.Val); ok {
				w.list = append(w.list, entry{key, value})
			} else {
				w.list = append(w.list, entry{"", ref.Val})
			}
		case *ssa.FieldAddr:
			for _, val := range storedInto(ref) {
				switch st.Field(ref.Field).Name() {
				case "Key", "Name": // Name: mgo's bson.D
					pair.key, _ = w.text(val, 0)
				case "Value":
					pair.value = val
				}
			}
		}
	}
	if pair.value != nil {
		w.list = append(w.list, pair)
	}
}

// storedPair reads a pair that was made as a value of its own.
func (w *literalWalk) storedPair(v ssa.Value) (key string, value ssa.Value, ok bool) {
	a := localObject(v)
	if a == nil || a == v {
		return "", nil, false
	}
	st, isStruct := deref(a.Type()).Underlying().(*types.Struct)
	if !isStruct || st.NumFields() != 2 || st.Field(1).Name() != "Value" {
		return "", nil, false
	}
	c := w.contentOf(a)
	if len(c.fields[0]) != 1 || len(c.fields[1]) != 1 {
		return "", nil, false
	}
	key, _ = w.text(c.fields[0][0], 0)
	return key, c.fields[1][0], true
}

// call reads what a helper of the package returns, and what append puts together.
func (w *literalWalk) call(call *ssa.Call, result, depth int) {
	c := call.Common()
	if built, ok := c.Value.(*ssa.Builtin); ok {
		if built.Name() == "append" {
			for _, a := range c.Args {
				w.visit(a, depth+1)
			}
		}
		return
	}
	for _, v := range w.returned(call, result) {
		w.visit(v, depth+1)
	}
}

// returned lists what a function of this package can give as a result.
func (b *funcBuilder) returned(call *ssa.Call, result int) []ssa.Value {
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg != b.in.SSA || fn == b.fn || len(fn.Blocks) > 40 {
		return nil
	}
	var vals []ssa.Value
	for _, block := range fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && result < len(ret.Results) {
			vals = append(vals, ret.Results[result])
		}
	}
	return vals
}

// inner takes a value out of the interface that it was put into.
func inner(v ssa.Value) ssa.Value {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		return mi.X
	}
	return v
}

// plain strips conversions, and reads of variables that are only ever given one value.
func (b *funcBuilder) plain(v ssa.Value) ssa.Value {
	for range maxTextDepth {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.UnOp:
			a, ok := x.X.(*ssa.Alloc)
			if !ok || x.Op != token.MUL {
				return v
			}
			if c := b.contentOf(a); len(c.whole) == 1 && len(c.fields) == 0 {
				v = c.whole[0]
				continue
			}
			return a
		default:
			return v
		}
	}
	return v
}

var columnTag = regexp.MustCompile(`column:([\w]+)`)

// columnOf names the column of a struct's field: what its tags say, or its name.
func columnOf(st *types.Struct, i int) string {
	tag := reflect.StructTag(st.Tag(i))
	if m := columnTag.FindStringSubmatch(tag.Get("gorm")); m != nil {
		return m[1]
	}
	for _, key := range []string{"bun", "db", "bson", "pg"} {
		if name := leadingName.FindString(tag.Get(key)); name != "" {
			return name
		}
	}
	return sqltext.Snake(st.Field(i).Name())
}

var leadingName = regexp.MustCompile(`^\w+`)

// exprText gives the SQL of an expression object, such as gorm.Expr("n + ?", 1), or "?" for a value.
func (b *funcBuilder) exprText(v ssa.Value) string {
	if t, ok := b.expression(v, 0); ok {
		return t
	}
	return "?"
}

// expressionMakers make an expression of a text: gorm and squirrel Expr, goqu L, bun Safe, upper Raw.
var expressionMakers = stepNames("Expr", "L", "Literal", "Lit", "Raw", "Safe", "SafeQuery", "SQL", "NewExpr")

func (b *funcBuilder) expression(v ssa.Value, depth int) (string, bool) {
	v = b.plain(v)
	if depth > maxLiteralDepth || v == nil {
		return "", false
	}
	switch v := v.(type) {
	case *ssa.Call:
		if obj := calledObject(v.Common()); obj != nil && expressionMakers[obj.Name()] && !isString(v.Type()) {
			return b.argText(stepArgs(v.Common()), 0)
		}
		for _, r := range b.returned(v, 0) {
			if t, ok := b.expression(r, depth+1); ok {
				return t, ok
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if t, ok := b.expression(e, depth+1); ok {
				return t, ok
			}
		}
	case *ssa.Alloc: // clause.Expr{SQL: "n + ?"}
		if st, ok := deref(v.Type()).Underlying().(*types.Struct); ok {
			for i := range st.NumFields() {
				if st.Field(i).Name() != "SQL" {
					continue
				}
				for _, val := range b.contentOf(v).fields[i] {
					return b.text(val, 0)
				}
			}
		}
	}
	return "", false
}
