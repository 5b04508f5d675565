package effect

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// maxTextDepth bounds how far a string is followed.
const maxTextDepth = 12

// textOf finds the text of a string value: constants, concatenations, formats, embedded files, package variables and
// the strings that query builders give. What is not known becomes sqltext.Hole; ok says that something is known.
func (b *funcBuilder) textOf(v ssa.Value) (text string, ok bool) {
	text, ok = b.text(v, 0)
	return text, ok && strings.Trim(strings.ReplaceAll(text, sqltext.Hole, ""), " \n\t;()") != ""
}

func (b *funcBuilder) text(v ssa.Value, depth int) (string, bool) {
	if depth > maxTextDepth {
		return sqltext.Hole, false
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			return constant.StringVal(v.Value), true
		}
	case *ssa.BinOp:
		if v.Op == token.ADD {
			x, okX := b.text(v.X, depth+1)
			y, okY := b.text(v.Y, depth+1)
			return x + y, okX || okY
		}
	case *ssa.Phi:
		return b.phiText(v, depth)
	case *ssa.UnOp:
		return b.loadedText(v, depth)
	case *ssa.Call:
		return b.calledText(v, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 {
			return b.calledText(call, depth)
		}
	case *ssa.Convert:
		return b.text(v.X, depth+1)
	case *ssa.ChangeType:
		return b.text(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.text(v.X, depth+1)
	}
	return sqltext.Hole, false
}

// phiText follows a query that is put together step by step: the longest alternative says most.
func (b *funcBuilder) phiText(v *ssa.Phi, depth int) (string, bool) {
	best, known := sqltext.Hole, false
	for _, e := range v.Edges {
		if t, ok := b.text(e, depth+4); ok && (!known || len(t) > len(best)) {
			best, known = t, true
		}
	}
	return best, known
}

func (b *funcBuilder) loadedText(v *ssa.UnOp, depth int) (string, bool) {
	if v.Op != token.MUL {
		return sqltext.Hole, false
	}
	switch x := v.X.(type) {
	case *ssa.Global:
		return b.globalText(x, depth)
	case *ssa.Alloc:
		for _, val := range b.contentOf(x).whole {
			if t, ok := b.text(val, depth+1); ok {
				return t, true
			}
		}
	case *ssa.FieldAddr:
		if a := localObject(x.X); a != nil {
			for _, val := range b.contentOf(a).fields[x.Field] {
				if t, ok := b.text(val, depth+1); ok {
					return t, true
				}
			}
		}
	}
	return sqltext.Hole, false
}

// globalText gives the text of a package variable that is set once: by its initialiser or by //go:embed.
func (b *funcBuilder) globalText(g *ssa.Global, depth int) (string, bool) {
	if t, ok := b.texts[g]; ok {
		return t, t != ""
	}
	b.texts[g] = ""
	if g.Object() != nil {
		if t, ok := b.embeds[g.Object()]; ok {
			b.texts[g] = t
			return t, true
		}
	}
	if g.Pkg != b.in.SSA {
		return sqltext.Hole, false
	}
	init := g.Pkg.Func("init")
	for _, block := range init.Blocks {
		for _, instr := range block.Instrs {
			if st, ok := instr.(*ssa.Store); ok && st.Addr == g {
				if t, ok := b.text(st.Val, depth+1); ok {
					b.texts[g] = t
					return t, true
				}
			}
		}
	}
	return sqltext.Hole, false
}

var verbs = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*[0-9.*]*[a-zA-Z]`)

// calledText knows the functions that make text out of text.
func (b *funcBuilder) calledText(call *ssa.Call, depth int) (string, bool) {
	c := call.Common()
	if t, ok := b.builderText(call); ok {
		return t, true
	}
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil {
		return sqltext.Hole, false
	}
	if fn.Name() == "String" && len(c.Args) == 1 {
		return b.writtenText(c.Args[0], depth)
	}
	switch fn.Pkg.Pkg.Path() + "." + fn.Name() {
	case "fmt.Sprintf":
		return b.formatted(c, depth)
	case "strings.TrimSpace", "strings.Replace", "strings.ReplaceAll", "strings.ToUpper", "strings.ToLower", "strings.TrimRight",
		"github.com/jmoiron/sqlx.Rebind", "github.com/jmoiron/sqlx.In", "github.com/jmoiron/sqlx.Named":
		for _, a := range c.Args {
			if isString(a.Type()) {
				if t, ok := b.text(a, depth+1); ok {
					return t, true
				}
			}
		}
	case "strings.Join":
		return sqltext.Hole, false
	}
	if fn.Pkg.Pkg.Path() == "github.com/huandu/go-sqlbuilder" {
		return b.pieceText(fn.Name(), stepArgs(c), depth)
	}
	if fn.Name() == "Rebind" && len(c.Args) > 0 {
		return b.text(c.Args[len(c.Args)-1], depth+1)
	}
	return b.returnedText(fn, depth)
}

func isString(t types.Type) bool { return types.Identical(t.Underlying(), types.Typ[types.String]) }

// maxTextBlocks is how many blocks a function has at most that is asked for the text that it returns.
const maxTextBlocks = 4

// returnedText is the text that a small function of the package gives: one return of a known string.
func (b *funcBuilder) returnedText(fn *ssa.Function, depth int) (string, bool) {
	if fn.Blocks == nil || fn == b.fn || len(fn.Blocks) > maxTextBlocks && !(fn.Pkg == b.in.SSA && makesStatement(fn)) {
		return sqltext.Hole, false
	}
	for _, block := range fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 && isString(ret.Results[0].Type()) {
			if t, ok := b.text(ret.Results[0], depth+4); ok {
				return t, true
			}
		}
	}
	return sqltext.Hole, false
}

// makesStatement reports whether a function calls itself one that makes a statement, as those of builders do: in one place
// of its own package it may be longer.
func makesStatement(fn *ssa.Function) bool {
	switch strings.ToLower(fn.Name()) {
	case "tosql", "buildsql", "buildquery":
		return true
	}
	return false
}

// pieces are the methods of go-sqlbuilder that make a condition or an assignment of a column, %.
var pieces = map[string]string{
	"Equal": "% = ?", "E": "% = ?", "EQ": "% = ?", "NotEqual": "% <> ?", "NE": "% <> ?", "In": "% IN (?)",
	"GreaterThan": "% > ?", "G": "% > ?", "GT": "% > ?", "GreaterEqualThan": "% >= ?", "GE": "% >= ?", "GTE": "% >= ?",
	"LessThan": "% < ?", "L": "% < ?", "LT": "% < ?", "LessEqualThan": "% <= ?", "LE": "% <= ?", "LTE": "% <= ?",
	"IsNull": "% IS NULL", "IsNotNull": "% IS NOT NULL",
	"Assign": "% = ?", "Add": "% = % + ?", "Sub": "% = % - ?", "Incr": "% = % + 1", "Decr": "% = % - 1",
}

func (b *funcBuilder) pieceText(name string, args []ssa.Value, depth int) (string, bool) {
	if pieces[name] == "" || len(args) == 0 {
		return sqltext.Hole, false
	}
	column, ok := b.text(args[0], depth+1)
	return strings.ReplaceAll(pieces[name], "%", column), ok
}

// formatted fills the verbs of a constant format with what is known of its arguments.
func (b *funcBuilder) formatted(c *ssa.CallCommon, depth int) (string, bool) {
	format, ok := b.text(c.Args[0], depth+1)
	if !ok {
		return sqltext.Hole, false
	}
	args := variadic(c.Args[len(c.Args)-1])
	i := -1
	return verbs.ReplaceAllStringFunc(strings.ReplaceAll(format, "%%", "%"), func(string) string {
		if i++; i < len(args) {
			if t, ok := b.text(args[i], depth+1); ok {
				return t
			}
		}
		return sqltext.Hole
	}), true
}

// textRoots says which parameter a statement's text comes from.
func (b *funcBuilder) textRoots(v ssa.Value, depth int) Roots {
	switch v := v.(type) {
	case *ssa.Parameter:
		return Roots{{Kind: ParamRoot, Index: b.params[v]}}
	case *ssa.FreeVar:
		return Roots{{Kind: FreeRoot, Index: b.frees[v]}}
	case *ssa.UnOp:
		if v.Op == token.MUL && depth < 4 {
			return b.textRoots(v.X, depth+1)
		}
	case *ssa.Phi:
		if depth < 4 {
			return b.textRoots(v.Edges[0], depth+1)
		}
	}
	return nil
}

// textArgument gives the SQL text that is handed to a function, or the parameter that it is handed on from.
func (b *funcBuilder) textArgument(a ssa.Value) Roots {
	if !isString(a.Type()) {
		return nil
	}
	if t, ok := b.textOf(a); ok {
		if sqltext.Looks(t) {
			return Roots{{Kind: TextRoot, Name: t}}
		}
		return nil
	}
	return b.textRoots(a, 0)
}

// scanEmbeds reads the files that string variables embed.
func (pb *packageBuilder) scanEmbeds() {
	pb.embeds = map[types.Object]string{}
	if pb.in.ReadFile == nil {
		return
	}
	for _, f := range pb.in.Files {
		for _, decl := range f.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
				pb.scanEmbed(f, gen)
			}
		}
	}
}

func (pb *packageBuilder) scanEmbed(f *ast.File, gen *ast.GenDecl) {
	for _, spec := range gen.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || len(vs.Names) != 1 {
			continue
		}
		doc := vs.Doc
		if doc == nil {
			doc = gen.Doc
		}
		pattern := embedPattern(doc)
		if pattern == "" || strings.ContainsAny(pattern, "*?[ ") {
			continue
		}
		dir := filepath.Dir(pb.in.Fset.File(f.FileStart).Name())
		text, err := pb.in.ReadFile(filepath.Join(dir, filepath.FromSlash(pattern)))
		if obj := pb.in.SSA.Pkg.Scope().Lookup(vs.Names[0].Name); err == nil && obj != nil {
			pb.embeds[obj] = string(text)
		}
	}
}

func embedPattern(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	for _, c := range doc.List {
		if rest, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
			rest = strings.TrimSpace(rest)
			if unquoted, err := strconv.Unquote(rest); err == nil {
				return unquoted
			}
			return rest
		}
	}
	return ""
}
