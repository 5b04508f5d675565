package effect

import (
	"go/types"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// A Request is what an HTTP client sends, as far as it is known.
type Request struct {
	Method, URL Said
	// From is where the whole request comes from, when it is made elsewhere: a parameter, or the result of a call.
	From Source
	// Local is the request's number among the things of its function, 0 if it has none: see KeyNote.
	Local int
}

// Said is a text, or where it comes from when it is said elsewhere.
type Said struct {
	Text string
	From Source
}

// A SaidArg is a text that a call is given: in an argument, or in a field of one.
type SaidArg struct {
	Arg   int
	Field string
	Text  string
}

// maxRequestDepth bounds how far a request is followed back.
const maxRequestDepth = 8

// fillExternal notes what is sent outside.
func (b *funcBuilder) fillExternal(n *Node, c *ssa.CallCommon, row *model.Row) {
	e := n.Effect
	e.Pays, e.Once = row.Kind == model.Payment, row.Kind == model.Once
	n.Picks = b.picks(stepArgs(c))
	if row.Kind == model.Request {
		e.Request = b.sentBy(c, row)
	}
}

// sentBy is the request that a call of an HTTP client sends: the function's name is the method, or the request is an
// argument, or both are.
func (b *funcBuilder) sentBy(c *ssa.CallCommon, row *model.Row) *Request {
	name := row.Symbol[strings.LastIndexByte(row.Symbol, '.')+1:]
	args := stepArgs(c)
	r := &Request{}
	if v := b.argValue(c, row.Topic); v != nil && !row.Topic.IsZero() {
		r.URL = b.said(v)
	}
	if method := generatedMethod(name); method != "" {
		r.Method.Text = method
		return r
	}
	switch name {
	case "Post", "PostForm":
		r.Method.Text = http.MethodPost
	case "Put", "Patch", "Delete":
		r.Method.Text = strings.ToUpper(name)
	case "Execute", "Invoke":
		r.Method = b.said(args[0])
	case "Send":
	default:
		for _, a := range args {
			if isRequest(a.Type()) {
				return b.requestOf(a, 0)
			}
		}
	}
	return r
}

// isRequest reports whether a type is the request of an HTTP library.
func isRequest(t types.Type) bool {
	switch typeName(deref(t)) {
	case "net/http.Request", "github.com/hashicorp/go-retryablehttp.Request", "github.com/valyala/fasthttp.Request":
		return true
	}
	return false
}

// said is the text of a string, or the parameter that it comes in with.
func (b *funcBuilder) said(v ssa.Value) Said {
	if s, ok := v.(*ssa.UnOp); ok && !isString(v.Type()) {
		v = s.X
	}
	text, ok := b.textOf(v)
	if ok {
		return Said{Text: text}
	}
	for _, s := range b.sourcesOf(v, "", 0) {
		if s.Kind == ParamSource || s.Kind == ResultSource {
			return Said{From: s}
		}
	}
	return Said{}
}

// requestOf finds out what a request is by how it was made.
func (b *funcBuilder) requestOf(v ssa.Value, depth int) *Request {
	if v == nil || depth > maxRequestDepth {
		return &Request{}
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return &Request{From: Source{Kind: ParamSource, Index: b.params[v]}}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return b.requestFrom(call, v, v.Index, depth)
		}
	case *ssa.Call:
		return b.requestFrom(v, v, 0, depth)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if r := b.requestOf(e, depth+1); r.known() {
				return r
			}
		}
	case *ssa.UnOp:
		return b.requestOf(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.requestOf(v.X, depth+1)
	case *ssa.Alloc:
		return b.requestIn(v, depth)
	case *ssa.FreeVar:
		return b.capturedRequest(v, depth)
	}
	return &Request{}
}

func (r *Request) known() bool {
	return r.Method != Said{} || r.URL != Said{} || r.From.Kind != OtherSource
}

// requestFrom is the request that a call gives.
func (b *funcBuilder) requestFrom(call *ssa.Call, v ssa.Value, result, depth int) *Request {
	args := stepArgs(call.Common())
	name := ""
	if obj := calledObject(call.Common()); obj != nil {
		name = obj.Name()
	}
	switch {
	case b.nodes[call] != nil:
		return &Request{From: Source{Kind: ResultSource, Node: b.nodes[call].ID, Index: result}}
	case (name == "NewRequest" || name == "NewRequestWithContext") && len(args) >= 2:
		return &Request{Method: b.method(args[0]), URL: b.said(args[1]), Local: b.localNumber(v) + 1}
	case name == "AcquireRequest":
		return b.filledRequest(v)
	case receiverOf(call.Common()) != nil: // req.WithContext(ctx)
		return b.requestOf(receiverOf(call.Common()), depth+1)
	case len(args) > 0 && isRequest(args[0].Type()):
		return b.requestOf(args[0], depth+1)
	}
	return &Request{}
}

func (b *funcBuilder) method(v ssa.Value) Said {
	s := b.said(v)
	if c, ok := v.(*ssa.Const); ok && s.Text == "" && c.Value != nil {
		s.Text = http.MethodGet // what an empty method means
	}
	return s
}

// requestIn is a request that is put together as a struct, or a variable that holds one.
func (b *funcBuilder) requestIn(a *ssa.Alloc, depth int) *Request {
	st, ok := deref(a.Type()).Underlying().(*types.Struct)
	c := b.contentOf(a)
	if !ok || len(c.fields) == 0 {
		for _, val := range c.whole {
			if r := b.requestOf(val, depth+1); r.known() {
				return r
			}
		}
		return b.filledRequest(a)
	}
	r := &Request{Local: b.localNumber(a) + 1}
	for f, vals := range c.fields {
		for _, val := range vals {
			switch st.Field(f).Name() {
			case "Method":
				r.Method = b.said(val)
			case "URL":
				r.URL = b.said(val)
			}
		}
	}
	return r
}

// filledRequest is a request of fasthttp, whose methods say what it is.
func (b *funcBuilder) filledRequest(v ssa.Value) *Request {
	r := &Request{Local: b.localNumber(v) + 1}
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			obj, args := calledObject(call.Common()), stepArgs(call.Common())
			if obj == nil || len(args) != 1 {
				continue
			}
			switch obj.Name() {
			case "SetMethod":
				r.Method = b.said(args[0])
			case "SetRequestURI":
				r.URL = b.said(args[0])
			}
		}
	}
	return r
}

// capturedRequest looks at what a closure has captured, where it was made.
func (b *funcBuilder) capturedRequest(v *ssa.FreeVar, depth int) *Request {
	i, ok := b.frees[v]
	if !ok || b.fn.Parent() == nil {
		return &Request{}
	}
	for _, ref := range *b.fn.Referrers() {
		if mc, ok := ref.(*ssa.MakeClosure); ok && i < len(mc.Bindings) {
			r := *newFuncBuilder(b.packageBuilder, b.fn.Parent()).requestOf(mc.Bindings[i], depth+1)
			r.Local, r.From = 0, Source{}
			if r.Method.Text != "" || r.URL.Text != "" {
				return &r
			}
		}
	}
	return &Request{}
}

// resultRequest is the request that a function returns, nil if it returns none.
func (b *funcBuilder) resultRequest() *Request {
	results := b.fn.Signature.Results()
	if results.Len() == 0 || !isRequest(results.At(0).Type()) {
		return nil
	}
	for _, block := range b.fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok {
			if r := b.requestOf(ret.Results[0], 0); r.known() {
				return r
			}
		}
	}
	return nil
}

// saidFields are the fields by which structs of the program's own describe a request.
var saidFields = []string{"Method", "Verb", "URL", "Url", "URI", "Path", "Endpoint"}

// saidArgs lists the texts that a call of the program is given, which may be those of a request.
func (b *funcBuilder) saidArgs(args []ssa.Value) []SaidArg {
	var out []SaidArg
	for i, a := range args {
		if a == nil {
			continue
		}
		if isString(a.Type()) {
			if text, ok := b.textOf(a); ok && len(text) <= maxSaid {
				out = append(out, SaidArg{Arg: i, Text: text})
			}
			continue
		}
		out = append(out, b.saidInFields(i, a)...)
	}
	return out
}

// maxSaid bounds the texts that are kept: what is longer is no address.
const maxSaid = 200

func (b *funcBuilder) saidInFields(arg int, a ssa.Value) []SaidArg {
	v := localObject(a)
	if v == nil {
		return nil
	}
	st, ok := deref(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []SaidArg
	for f, vals := range b.contentOf(v).fields {
		if f >= st.NumFields() || !slices.Contains(saidFields, st.Field(f).Name()) {
			continue
		}
		for _, val := range vals {
			if text, ok := b.textOf(val); ok && isString(val.Type()) && len(text) <= maxSaid {
				out = append(out, SaidArg{Arg: arg, Field: st.Field(f).Name(), Text: text})
			}
		}
	}
	slices.SortFunc(out, func(x, y SaidArg) int { return strings.Compare(x.Field+x.Text, y.Field+y.Text) })
	return out
}

// handedRequest is what a library method behind an interface of the program's own sends: it is told where it is called.
func handedRequest(row *model.Row) *Request {
	if row.Effect != model.External || row.Kind != model.Request {
		return nil
	}
	handed := func(a model.Arg) Source { return Source{Kind: ParamSource, Index: a.Index + 1} }
	r := &Request{}
	switch {
	case !row.Topic.IsZero():
		r.URL.From = handed(row.Topic)
		r.Method.Text = http.MethodPost
	case row.Message.Kind == model.Param:
		r.From = handed(row.Message)
	}
	return r
}

// sentOn is the request among the arguments of a call of the program, nil if there is none.
func (b *funcBuilder) sentOn(args []ssa.Value) *Request {
	for _, a := range args {
		if a != nil && isRequest(a.Type()) {
			return b.requestOf(a, 0)
		}
	}
	return nil
}

// clientRow is the row of a method of an HTTP client that oapi-codegen has generated from a description of the other side:
// it is known by the names that the generator gives, whatever package it is in.
func clientRow(obj *types.Func, recv *types.Var) *model.Row {
	named, ok := types.Unalias(deref(recv.Type())).(*types.Named)
	if !ok || !strings.HasPrefix(named.Obj().Name(), "ClientWithResponses") {
		return nil
	}
	row := &model.Row{Symbol: named.Obj().Name() + "." + obj.Name(), Effect: model.External, Kind: model.Request}
	if generatedMethod(obj.Name()) != "" {
		return row
	}
	return nil
}

// generatedMethod is the method of the request that a generated client sends, by the name of what is called.
func generatedMethod(name string) string {
	name, ok := strings.CutSuffix(name, "WithResponse")
	if !ok {
		return ""
	}
	for _, method := range []string{"Post", "Put", "Patch", "Delete", "Get"} {
		if strings.HasPrefix(name, method) {
			return strings.ToUpper(method)
		}
	}
	return ""
}

// picks reports whether one of the arguments of a call is picked out of something, put together or said here.
func (b *funcBuilder) picks(args []ssa.Value) bool {
	return slices.ContainsFunc(args, func(a ssa.Value) bool { return b.picked(a, 0) })
}

func (b *funcBuilder) picked(v ssa.Value, depth int) bool {
	if depth > maxRequestDepth || b.role(v.Type()) == FuncType {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil
	case *ssa.BinOp, *ssa.FieldAddr, *ssa.Field, *ssa.MakeMap, *ssa.Lookup, *ssa.IndexAddr, *ssa.Index:
		return true
	case *ssa.Call:
		return b.nodes[v] == nil
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && (b.nodes[call] == nil || isRequest(v.Type()))
	case *ssa.Alloc:
		c := b.contentOf(v)
		return len(c.fields) > 0 || slices.ContainsFunc(c.whole, func(val ssa.Value) bool { return b.picked(val, depth+1) })
	case *ssa.UnOp:
		return b.picked(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.picked(v.X, depth+1)
	case *ssa.Convert:
		return b.picked(v.X, depth+1)
	case *ssa.ChangeType:
		return b.picked(v.X, depth+1)
	case *ssa.Slice:
		return b.picked(v.X, depth+1)
	case *ssa.Phi:
		return depth == 0 && slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return b.picked(e, depth+1) })
	}
	return false
}
