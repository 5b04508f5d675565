package effect

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// A chain is what the steps of a fluent builder say about the effect that ends it.
type chain struct {
	table, verb, sql string
	columns          []string
	data             []ssa.Value
	conflict, polls  bool
	said             said
	given            []assigned // by generated setters, to a row that is new
	begun            bool       // the chain is known from the step that began the row, so that nothing else is given
}

// An assigned is a column and the value that a setter gives it.
type assigned struct {
	column string
	value  ssa.Value
}

// maxChain bounds the number of steps.
const maxChain = 40

// chainOf gathers the steps before and including the terminal call.
func (b *funcBuilder) chainOf(c *ssa.CallCommon, row *model.Row) chain {
	ch := chain{verb: row.Verb}
	b.step(&ch, c, row)
	b.walkChain(&ch, receiverOf(c), maxChain)
	return ch
}

// walkChain goes back from v through the calls that it is the result of.
func (b *funcBuilder) walkChain(ch *chain, v ssa.Value, left int) {
	for ; v != nil && left > 0; left-- {
		b.sideSteps(ch, v)
		switch x := v.(type) {
		case *ssa.Call:
			c := x.Common()
			rows := b.rowsFor(c)
			if len(rows) > 0 {
				b.step(ch, c, rows[0])
			} else if !b.generatedStep(ch, c) {
				if b.nodes[x] != nil {
					return // a function of the program: its own business
				}
				b.plainStep(ch, c)
			}
			v = receiverOf(c)
			if v == nil && len(c.Args) > 0 && len(rows) == 0 {
				v = c.Args[0]
			}
		case *ssa.Phi:
			v = x.Edges[len(x.Edges)-1]
			if v == x {
				v = x.Edges[0]
			}
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.UnOp:
			if fa, ok := x.X.(*ssa.FieldAddr); ok && ch.table == "" {
				b.fieldTable(ch, fa)
			}
			v = storedChain(x)
		default:
			return
		}
	}
}

// sideSteps listens to the steps that are called on a builder for what they do to it, their result being dropped:
// update.AddBalance(1).
func (b *funcBuilder) sideSteps(ch *chain, v ssa.Value) {
	if v.Referrers() == nil {
		return
	}
	for _, ref := range *v.Referrers() {
		call, ok := ref.(*ssa.Call)
		if !ok || receiverOf(call.Common()) != v || len(*call.Referrers()) > 0 {
			continue
		}
		if rows := b.rowsFor(call.Common()); len(rows) > 0 && rows[0].Effect == model.Builder && types.Identical(call.Type(), v.Type()) {
			b.step(ch, call.Common(), rows[0])
			continue
		}
		if obj := calledObject(call.Common()); obj != nil && types.Identical(call.Type(), v.Type()) && !b.generatedStep(ch, call.Common()) && b.nodes[call] == nil {
			b.listen(&ch.said, call.Common(), obj)
		}
	}
}

// fieldTable names the table that a field was made for, if the package makes it in one place: r.orders with
// orders: db.Collection("orders"). Nothing else is taken from that place, which is in another function.
func (b *funcBuilder) fieldTable(ch *chain, fa *ssa.FieldAddr) {
	call, ok := b.assignedOnce(fa).(*ssa.Call)
	if !ok {
		return
	}
	for _, row := range b.rowsFor(call.Common()) {
		if v := b.argValue(call.Common(), row.Table); row.Effect == model.Builder && row.Verb == "" && row.Table.Kind == model.Param && v != nil && isString(v.Type()) {
			b.nameTable(ch, call.Common(), row.Table)
			return
		}
	}
}

// storedChain follows a builder kept in a local variable.
func storedChain(load *ssa.UnOp) ssa.Value {
	a, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == a {
			return st.Val
		}
	}
	return nil
}

// step adds what a modelled step says: the terminal's own facts win over those of earlier steps.
func (b *funcBuilder) step(ch *chain, c *ssa.CallCommon, row *model.Row) {
	if ch.verb == "" {
		ch.verb = row.Verb
	}
	if ch.sql == "" && !row.SQL.IsZero() {
		if v := b.argValue(c, row.SQL); v != nil {
			if t, ok := b.textOf(v); ok {
				ch.sql = t
			}
		}
	}
	if row.Effect == model.Lock && row.Kind == model.Rows {
		ch.said.end("FOR UPDATE")
	}
	if ch.table == "" && !row.Table.IsZero() {
		b.nameTable(ch, c, row.Table)
	}
	b.plainStep(ch, c)
}

// nameTable reads the table from a string, or from the type of the model that is given.
func (b *funcBuilder) nameTable(ch *chain, c *ssa.CallCommon, arg model.Arg) {
	if arg.Kind == model.Recv && arg.Field != "" {
		ch.table = sqltext.Snake(arg.Field)
		return
	}
	v := b.argValue(c, arg)
	if v == nil {
		return
	}
	if parts := variadic(v); len(parts) > 0 && isString(parts[0].Type()) { // pgx.Identifier{"schema", "table"}
		v = parts[len(parts)-1]
	}
	v = lastVariadic(v)
	if mi, ok := v.(*ssa.MakeInterface); ok {
		v = mi.X
	}
	if isString(v.Type()) {
		if t, ok := b.textOf(v); ok {
			ch.table = tableWord(t)
		}
		return
	}
	if named := modelType(v.Type()); named != nil && named.Obj().Pkg() != nil && b.Models.HasPackage(named.Obj().Pkg().Path()) {
		return // a library's own struct: its name is no table
	}
	ch.table = b.modelTable(v.Type())
	if ch.columns == nil {
		ch.columns = modelColumns(v.Type())
	}
}

// lastVariadic looks into a one-element variadic argument.
func lastVariadic(v ssa.Value) ssa.Value {
	if vals := variadic(v); len(vals) > 0 {
		return vals[0]
	}
	return v
}

// tableWord takes the table out of "schema.table AS t".
func tableWord(s string) string {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return ""
	}
	word := strings.Trim(fields[0], "`\"[]")
	if i := strings.LastIndexByte(word, '.'); i >= 0 {
		word = word[i+1:]
	}
	return strings.ToLower(strings.Trim(word, "`\"[]"))
}

// plainStep collects data and the words of steps that need no model: Where, Order, Limit, OnConflict.
func (b *funcBuilder) plainStep(ch *chain, c *ssa.CallCommon) {
	obj := calledObject(c)
	if obj == nil {
		return
	}
	name := obj.Name()
	switch {
	case strings.HasPrefix(name, "Order"), strings.HasPrefix(name, "Limit"), name == "FetchFirst":
		ch.polls = true
	case strings.HasPrefix(name, "OnConflict"), name == "Ignore", name == "On":
		ch.conflict = true
	}
	b.listen(&ch.said, c, obj)
	recv := receiverOf(c)
	for _, a := range c.Args {
		if a == recv || b.service(a.Type()) {
			continue
		}
		ch.data = append(ch.data, a)
		if strings.Contains(typeName(elementType(a)), "clause.OnConflict") {
			ch.conflict = true
		}
	}
}

func elementType(v ssa.Value) types.Type {
	if parts := variadic(v); len(parts) > 0 && isString(parts[0].Type()) { // pgx.Identifier{"schema", "table"}
		v = parts[len(parts)-1]
	}
	v = lastVariadic(v)
	if mi, ok := v.(*ssa.MakeInterface); ok {
		return mi.X.Type()
	}
	return v.Type()
}

// modelTable names the table of an ORM model: what its TableName method says, or its type's name.
func (b *funcBuilder) modelTable(t types.Type) string {
	named := modelType(t)
	if named == nil {
		return ""
	}
	obj, _, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), "TableName")
	if m, ok := obj.(*types.Func); ok {
		if fn := b.in.SSA.Prog.FuncValue(m); fn != nil {
			if t, ok := constantReturn(fn); ok {
				return tableWord(t)
			}
		}
	}
	return sqltext.Snake(named.Obj().Name())
}

// modelType strips pointers and slices off a model.
func modelType(t types.Type) *types.Named {
	for range 4 {
		t = types.Unalias(t)
		switch u := t.(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Named:
			if s, ok := u.Underlying().(*types.Slice); ok {
				t = s.Elem()
				continue
			}
			if _, ok := u.Underlying().(*types.Struct); ok {
				return u
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

func constantReturn(fn *ssa.Function) (string, bool) {
	for _, block := range fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && len(ret.Results) == 1 {
			if c, ok := ret.Results[0].(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
				return constant.StringVal(c.Value), true
			}
		}
	}
	return "", false
}

// modelColumns lists the fields of a model as columns.
func modelColumns(t types.Type) []string {
	named := modelType(t)
	if named == nil {
		return nil
	}
	st := named.Underlying().(*types.Struct)
	var cols []string
	for f := range st.Fields() {
		cols = append(cols, sqltext.Snake(f.Name()))
	}
	return cols
}

// builderText gives the statement that a query builder's ToSql makes, as far as its steps name verb and table.
func (b *funcBuilder) builderText(call *ssa.Call) (string, bool) {
	c := call.Common()
	obj := calledObject(c)
	if obj == nil {
		return "", false
	}
	switch strings.ToLower(obj.Name()) {
	case "tosql", "mustsql", "build", "string", "sql":
	default:
		return "", false
	}
	recv := receiverOf(c)
	if recv == nil {
		return "", false
	}
	ch := chain{}
	b.walkChain(&ch, recv, maxChain)
	text := ch.said.statement(ch.verb, ch.table)
	return text, text != ""
}

func word(table string) string {
	if table == "" {
		return sqltext.Hole
	}
	return table
}
