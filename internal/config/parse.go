package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/dmlint/dmlint/internal/nearest"
)

// Parse reads the text of a file. It returns what could be read, and all that is wrong with the rest.
func Parse(name string, text []byte) (*Config, Problems) {
	r := &reader{config: &Config{File: name}}
	r.read(text)
	r.problems.Sort()
	return r.config, r.problems
}

type reader struct {
	config   *Config
	problems Problems
}

// A field is a key and what reads its value.
type field struct {
	key  string
	read func(path string, value ast.Node)
}

// read reads the whole file. go-yaml panics on some texts that are none.
func (r *reader) read(text []byte) {
	defer func() {
		if p := recover(); p != nil {
			r.problem(nil, "this is no YAML that can be read")
		}
	}()
	file, err := parser.ParseBytes(bytes.TrimPrefix(text, []byte("\ufeff")), 0) // the mark that Windows begins a text with
	if err != nil {
		r.malformed(err)
		return
	}
	docs := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool { return d == nil || d.Body == nil })
	if len(docs) == 0 {
		return
	}
	if len(docs) > 1 {
		r.problem(start(docs[1].Body), "there is more than one document in the file")
	}
	r.mapping("", docs[0].Body, []field{
		{"handlers", func(path string, v ast.Node) { r.config.Handlers = r.list(path, v, "functions", symbol) }},
		{"tables", func(path string, v ast.Node) {
			r.mapping(path, v, []field{
				{"inbox", func(path string, v ast.Node) { r.config.Inbox = r.list(path, v, "tables", table) }},
			})
		}},
	})
}

// malformed notes what go-yaml says of a text that is no YAML.
func (r *reader) malformed(err error) {
	var known yaml.Error
	if errors.As(err, &known) {
		r.problem(known.GetToken(), "%s", oneLine.Replace(known.GetMessage()))
		return
	}
	r.problem(nil, "%s", oneLine.Replace(err.Error()))
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ", "\t", `\t`)

// problem notes something that is wrong at a token, or with the file as a whole.
func (r *reader) problem(at *token.Token, format string, args ...any) {
	line, column := place(at)
	r.problems = append(r.problems, Problem{r.config.File, line, column, fmt.Sprintf(format, args...)})
}

func place(at *token.Token) (line, column int) {
	if at == nil || at.Position == nil {
		return 1, 1
	}
	return max(at.Position.Line, 1), max(at.Position.Column, 1)
}

// mapping reads the keys at a path; "" is the file.
func (r *reader) mapping(path string, node ast.Node, fields []field) {
	if isNull(node) {
		return
	}
	m, ok := node.(*ast.MappingNode)
	if !ok {
		r.problem(start(node), "%s holds keys (%s) and not %s", cmp.Or(path, "the file"), strings.Join(keys(fields), ", "), kind(node))
		return
	}
	for _, v := range m.Values {
		key := v.Key.GetToken().Value
		if i := slices.IndexFunc(fields, func(f field) bool { return f.key == key }); i >= 0 {
			fields[i].read(strings.TrimPrefix(path+"."+key, "."), v.Value)
			continue
		}
		r.problem(v.Key.GetToken(), "unknown key %q%s: %s", key, in(path), hint(key, keys(fields)))
	}
}

func in(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}

func hint(key string, known []string) string {
	if near := nearest.Names(key, known); len(near) > 0 {
		return fmt.Sprintf("did you mean %s?", near[0])
	}
	if len(known) == 1 {
		return fmt.Sprintf("the only one is %s", known[0])
	}
	return fmt.Sprintf("the keys are %s", strings.Join(known, ", "))
}

func keys(fields []field) []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.key)
	}
	return names
}

// list reads a list of texts, each of which is looked at by itself.
func (r *reader) list(path string, node ast.Node, of string, read func(text string) (string, error)) []Item {
	if isNull(node) {
		return nil
	}
	seq, ok := node.(*ast.SequenceNode)
	if !ok {
		r.problem(start(node), "%s is a list of %s and not %s", path, of, kind(node))
		return nil
	}
	var items []Item
	for _, v := range seq.Values {
		s, ok := v.(*ast.StringNode)
		if !ok {
			r.problem(start(v), "%s holds names of %s and not %s", path, of, kind(v))
			continue
		}
		text, err := read(s.Value)
		if err != nil {
			r.problem(s.GetToken(), "%s: %v", path, err)
			continue
		}
		line, column := place(s.GetToken())
		items = append(items, Item{text, line, column})
	}
	return items
}

func isNull(node ast.Node) bool {
	_, null := node.(*ast.NullNode)
	return node == nil || null
}

// start is the token that a node begins with: that of a mapping is its first colon.
func start(node ast.Node) *token.Token {
	switch n := node.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return n.Values[0].Key.GetToken()
		}
	}
	return node.GetToken()
}

// kind says in words what a value is.
func kind(node ast.Node) string {
	switch node.(type) {
	case *ast.MappingNode:
		return "keys with values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "a text"
	case *ast.BoolNode:
		return "true or false"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.NullNode, nil:
		return "nothing"
	case *ast.AliasNode, *ast.AnchorNode:
		return "an anchor or alias of YAML" // a symbol that lacks its parentheses looks like one
	}
	return "something else"
}

var (
	symbolForm = regexp.MustCompile(`^(\(\*?[^()*\s]+\.[\pL_][\pL\pN_]*\)|[^()*\s]+)\.[\pL_][\pL\pN_]*$`)
	typeArgs   = regexp.MustCompile(`\[[^\[\]]*\]`)
	tableForm  = regexp.MustCompile(`^([\pL_][\pL\pN_$-]*\.)*[\pL_][\pL\pN_$-]*$`)
)

// symbol looks at the name of a function.
func symbol(text string) (string, error) {
	plain := text
	for typeArgs.MatchString(plain) {
		plain = typeArgs.ReplaceAllString(plain, "")
	}
	if !symbolForm.MatchString(plain) {
		return "", fmt.Errorf("%q is no function: write example.com/shop/orders.OnPaid or (*example.com/shop/orders.Service).OnPaid", text)
	}
	return text, nil
}

// table looks at the name of a table and leaves out its schema, as statements mostly do.
func table(text string) (string, error) {
	if !tableForm.MatchString(text) {
		return "", fmt.Errorf("%q is no name of a table", text)
	}
	return text[strings.LastIndexByte(text, '.')+1:], nil
}
