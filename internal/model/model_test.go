package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shipped parses every file that is built into the binary.
func shipped(t *testing.T) map[string]*File {
	names, err := fs.Glob(data, "data/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	files := map[string]*File{}
	for _, name := range names {
		text, err := fs.ReadFile(data, name)
		require.NoError(t, err)
		f, err := ParseFile(path.Base(name), text)
		require.NoError(t, err)
		files[path.Base(name)] = f
	}
	return files
}

func TestShippedFilesLoad(t *testing.T) {
	rows, patterns := 0, 0
	for name, f := range shipped(t) {
		assert.NotEmpty(t, f.Library, name)
		assert.NotEmpty(t, f.Version, name)
		assert.NotEmpty(t, len(f.Rows)+len(f.Settings), name)
		rows += len(f.Rows)
		patterns += len(f.Patterns)
	}
	set, err := Load()
	require.NoError(t, err)
	loaded := 0
	for symbol, row := range set.Rows {
		assert.Equal(t, Normalise(row.Symbol), symbol)
		assert.NotEmpty(t, row.Library)
		loaded++
	}
	assert.Equal(t, rows, loaded)
	assert.Len(t, set.Patterns(), patterns)
}

func TestShippedRowsAreUnique(t *testing.T) {
	type key struct {
		symbol string
		effect Effect
		scope  Arg
	}
	seen := map[key]string{}
	effects := map[string]Effect{}
	for name, f := range shipped(t) {
		for _, row := range f.Rows {
			k := key{Normalise(row.Symbol), row.Effect, row.Scope}
			if other, ok := seen[k]; ok {
				t.Errorf("%s: %s: %s is also in %s", name, row.Symbol, row.Effect, other)
			}
			seen[k] = name
			if other, ok := effects[k.symbol]; ok && other != row.Effect {
				t.Errorf("%s: %s is both %s and %s", name, row.Symbol, row.Effect, other)
			}
			effects[k.symbol] = row.Effect
		}
	}
	roles := map[string]string{}
	for name, f := range shipped(t) {
		for _, typ := range f.Types {
			if other, ok := roles[typ.Name]; ok {
				t.Errorf("%s: %s is also in %s", name, typ.Name, other)
			}
			roles[typ.Name] = name
		}
	}
}

var (
	identifier = `[A-Za-z_][A-Za-z0-9_]*`
	importPath = `[a-z0-9][A-Za-z0-9._~-]*(/[A-Za-z0-9._~-]+)*`
	function   = regexp.MustCompile(`^` + importPath + `\.` + identifier + `$`)
	method     = regexp.MustCompile(`^\(\*?` + importPath + `\.` + identifier + `\)\.` + identifier + `$`)
)

func TestShippedRowsAreSane(t *testing.T) {
	verbs := []string{"", "insert", "update", "delete", "upsert", "select"}
	for name, f := range shipped(t) {
		for _, row := range f.Rows {
			where := name + ": " + row.Symbol
			assert.True(t, function.MatchString(row.Symbol) || method.MatchString(row.Symbol), where)
			checkRow(t, where, &row, verbs)
		}
		for _, p := range f.Patterns {
			where := name + ": " + p.Receiver + "." + p.Method
			row := p.Row
			row.Symbol = where
			assert.NoError(t, row.check(), where)
			assert.NotEmpty(t, p.Receiver, where)
			checkRow(t, where, &row, verbs)
		}
		for _, typ := range f.Types {
			assert.Regexp(t, function, typ.Name, name)
			assert.Contains(t, []TypeRole{BaseType, TxType, HandleType, MessageType, ""}, typ.Role, name+": "+typ.Name)
			assert.True(t, typ.Role != "" || typ.Key != "", name+": "+typ.Name)
		}
	}
}

func checkRow(t *testing.T, where string, row *Row, verbs []string) {
	assert.Contains(t, []Tier{"", TierAdvice}, row.Tier, "%s: error is the default", where)
	assert.Contains(t, verbs, row.Verb, where)
	assert.Contains(t, []Kind{"", Broker, InProcess, Table, Wrap, Command, Script, Options, Asked, Chain, Once, Rows, Elected, Request, Payment, Log, Consumer}, row.Kind, where)
	if row.Kind == Table || row.Kind == Wrap {
		assert.False(t, row.Handle.IsZero(), where)
	}
	if row.Scope.Kind == ClosureOf || row.Message.Kind == ClosureOf {
		assert.False(t, row.Closure.IsZero(), where)
	}
	if row.Effect == Subscribe || row.Effect == Commits {
		assert.False(t, row.Closure.IsZero(), where)
	}
	if row.Tier == TierAdvice {
		assert.Equal(t, Publish, row.Effect, where)
	}
}

func TestParseArg(t *testing.T) {
	tests := []struct {
		text string
		want Arg
	}{
		{"", Arg{}},
		{"recv", Arg{Kind: Recv}},
		{"0", Arg{Kind: Param}},
		{"12", Arg{Kind: Param, Index: 12}},
		{"1.Value", Arg{Kind: Param, Index: 1, Field: "Value"}},
		{"1.Callbacks.OnStartedLeading", Arg{Kind: Param, Index: 1, Field: "Callbacks.OnStartedLeading"}},
		{"result 0", Arg{Kind: Result}},
		{"result 2", Arg{Kind: Result, Index: 2}},
		{"closure 1", Arg{Kind: ClosureOf, Index: 1}},
		{"closure 1.Body", Arg{Kind: ClosureOf, Index: 1, Field: "Body"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := ParseArg(tt.text)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.text, got.String())
			assert.Equal(t, tt.text == "", got.IsZero())
			text, err := got.MarshalText()
			require.NoError(t, err)
			assert.Equal(t, tt.text, string(text))
		})
	}
	got, err := ParseArg("  recv ")
	require.NoError(t, err)
	assert.Equal(t, Arg{Kind: Recv}, got)
	for _, bad := range []string{"recv 1", "result", "closure", "result x", "closure -1", "-1", "x", "arg 0", ".Field", "1 2", "result  0x1"} {
		t.Run(bad, func(t *testing.T) {
			_, err := ParseArg(bad)
			assert.ErrorContains(t, err, "argument")
		})
	}
}

func TestNormalise(t *testing.T) {
	tests := []struct {
		symbol, want, pkg string
	}{
		{"(*database/sql.DB).BeginTx", "(database/sql.DB).BeginTx", "database/sql"},
		{"(database/sql.DB).BeginTx", "(database/sql.DB).BeginTx", "database/sql"},
		{"net/http.Post", "net/http.Post", "net/http"},
		{"(error).Error", "(error).Error", "error"},
		{"(*github.com/riverqueue/river.Client[TTx]).InsertTx", "(github.com/riverqueue/river.Client).InsertTx", "github.com/riverqueue/river"},
		{"(gorm.io/gorm.ChainInterface[T any]).Update", "(gorm.io/gorm.ChainInterface).Update", "gorm.io/gorm"},
		{"(*p/q.Map[K, r.List[V]]).Set", "(p/q.Map).Set", "p/q"},
		{"p.F[T]", "p.F", "p"},
		{"p.F[", "p.F[", "p"},
		// The last element of these import paths has dots of its own.
		{"(*github.com/nats-io/nats.go.Conn).Publish", "(github.com/nats-io/nats.go.Conn).Publish", "github.com/nats-io/nats.go"},
		{"gopkg.in/gomail.v2.Send", "gopkg.in/gomail.v2.Send", "gopkg.in/gomail.v2"},
	}
	for _, tt := range tests {
		t.Run(tt.symbol, func(t *testing.T) {
			got := Normalise(tt.symbol)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, got, Normalise(got))
			assert.Equal(t, tt.pkg, PackageOf(got))
		})
	}
}

// check type-checks a file of package path that imports nothing, and gives its functions and methods by name.
func check(t *testing.T, path, src string) map[string]*types.Func {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	require.NoError(t, err)
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	_, err = new(types.Config).Check(path, fset, []*ast.File{f}, info)
	require.NoError(t, err)
	fns := map[string]*types.Func{}
	for id, obj := range info.Defs {
		if fn, ok := obj.(*types.Func); ok {
			fns[id.Name] = fn
		}
	}
	return fns
}

const library = `package queue

type Client[Tx any] struct{}

func (c *Client[Tx]) InsertTx(tx Tx, job any) error { return nil }

type Publisher interface{ Publish(topic string, message any) error }

type Bus struct{}

func (Bus) Send(event any) error { return nil }

func Open[T any](name string) *Client[T] { return nil }
`

func TestSetLookup(t *testing.T) {
	set, err := LoadFS(fstest.MapFS{
		"models/queue.yaml": {Data: []byte(`
library: example.com/queue.go
types:
  - {name: example.com/queue.go.Bus, role: handle}
rows:
  - {symbol: (*example.com/queue.go.Client).InsertTx, effect: enqueue, handle: 0, message: 1}
  - {symbol: (example.com/queue.go.Publisher).Publish, effect: publish, topic: 0, message: 1}
  - {symbol: (*example.com/queue.go.Bus).Send, effect: publish, message: 0, tier: advice}
  - {symbol: (*example.com/queue.go.Bus).Send, effect: ack}
patterns:
  - {generated: Code generated by queuegen, receiver: "*Job", method: Run, effect: write, verb: insert, trim: Job}
`)},
		"models/README.md": {Data: []byte("not a model")},
	}, "models")
	require.NoError(t, err)

	fns := check(t, "example.com/queue.go", library)
	rows := set.Lookup(fns["InsertTx"])
	require.Len(t, rows, 1)
	assert.Equal(t, Enqueue, rows[0].Effect)
	assert.Equal(t, Arg{Kind: Param}, rows[0].Handle)
	assert.Equal(t, "example.com/queue.go", rows[0].Library)
	assert.Len(t, set.Lookup(fns["Publish"]), 1)
	assert.Len(t, set.Lookup(fns["Send"]), 2, "pointer and value receivers are one")
	assert.Empty(t, set.Lookup(fns["Open"]))
	assert.Empty(t, set.Lookup(nil))
	assert.Empty(t, set.Lookup(types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0)))
	assert.Empty(t, set.Lookup(check(t, "example.com/other", library)["Send"]))

	instance := types.NewPointer(fns["Open"].Signature().Results().At(0).Type().(*types.Pointer).Elem())
	insert, _, _ := types.LookupFieldOrMethod(instance, true, fns["Open"].Pkg(), "InsertTx")
	assert.Len(t, set.Lookup(insert.(*types.Func)), 1, "an instance has the row of its origin")

	assert.True(t, set.HasPackage("example.com/queue.go"))
	assert.False(t, set.HasPackage("example.com/queue"))
	assert.Equal(t, HandleType, set.TypeRole("example.com/queue.go.Bus"))
	assert.Empty(t, set.TypeRole("example.com/queue.go.Client"))
	require.Len(t, set.Patterns(), 1)
	assert.Equal(t, Write, set.Patterns()[0].Effect)
	for range set.Rows {
		break
	}
}

func TestBadFiles(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unknown key", "library: x\nrows:\n  - {symbol: p.F, effect: ignore}\n  - {symbol: p.G, efect: ignore}\n", []string{"4", "efect"}},
		{"no YAML", "library: [\n", []string{"1"}},
		{"wrong type", "library: x\nrows:\n  - {symbol: p.F, effect: ignore, async: perhaps}\n", []string{"3"}},
		{"bad argument", "library: x\nrows:\n  - {symbol: p.F, effect: ignore}\n  - {symbol: p.G, effect: sql, sql: first}\n", []string{"[4:", "first"}},
		{"argument is no scalar", "library: x\nrows:\n  - {symbol: p.F, effect: sql, sql: {a: b}}\n", []string{"[3:"}},
		{"no symbol", "library: x\nrows:\n  - {effect: ignore}\n", []string{"row without symbol"}},
		{"no effect", "library: x\nrows:\n  - {symbol: p.F}\n", []string{"p.F", `unknown effect ""`}},
		{"dispatch by nothing", "library: x\nrows:\n  - {symbol: p.F, effect: dispatch}\n", []string{"p.F", "needs calls"}},
		{"calls without dispatch", "library: x\nrows:\n  - {symbol: p.F, effect: ignore, calls: I.M}\n", []string{"p.F", "needs calls"}},
		{"unknown effect", "library: x\nrows:\n  - {symbol: p.F, effect: publsh}\n", []string{"p.F", `unknown effect "publsh"`}},
		{"begin without scope", "library: x\nrows:\n  - {symbol: p.F, effect: begin}\n", []string{"p.F", "needs scope"}},
		{"run without closure", "library: x\nrows:\n  - {symbol: p.F, effect: run, scope: closure 0}\n", []string{"p.F", "needs closure"}},
		{"run without scope", "library: x\nrows:\n  - {symbol: p.F, effect: run, closure: 0}\n", []string{"p.F", "needs closure and scope"}},
		{"sql without text", "library: x\nrows:\n  - {symbol: p.F, effect: sql}\n", []string{"p.F", "sql needs sql"}},
		{"prepare without text", "library: x\nrows:\n  - {symbol: p.F, effect: prepare}\n", []string{"p.F", "prepare needs sql"}},
		{"construct without kind", "library: x\nrows:\n  - {symbol: p.F, effect: construct}\n", []string{"p.F", "needs kind"}},
		{"claim without key", "library: x\nrows:\n  - {symbol: p.F, effect: claim}\n", []string{"p.F", "claim needs key"}},
		{"script that writes", "library: x\nrows:\n  - {symbol: p.F, effect: write, kind: script}\n", []string{"p.F", "kind script is for effects on keys"}},
		{"pattern without method", "library: x\npatterns:\n  - {generated: Code generated by x, receiver: T, effect: write}\n", []string{"pattern 0", "method"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := LoadFS(fstest.MapFS{"data/broken.yaml": {Data: []byte(tt.text)}}, "data")
			require.ErrorContains(t, err, "broken.yaml")
			for _, want := range tt.want {
				assert.ErrorContains(t, err, want)
			}
		})
	}
	_, err := LoadFS(fstest.MapFS{}, "nowhere")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func FuzzParseArg(f *testing.F) {
	for _, s := range []string{"", "recv", "0", "1.Value", "result 0", "closure 1", "result", "closure -1", "1.", "0x1", "+1", "result  0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		arg, err := ParseArg(s)
		if err != nil {
			return
		}
		again, err := ParseArg(arg.String())
		require.NoError(t, err)
		assert.Equal(t, arg, again)
		assert.Equal(t, arg.String(), again.String())
	})
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"(*a/b.T[K]).M", "a.F[", "]a[", "(", "(*", "()", "a/.b", "[[]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		PackageOf(s)
		PackageOf(Normalise(s))
	})
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte("library: x\nversion: v1\ntypes:\n  - {name: p.T, role: tx}\nrows:\n  - {symbol: (*p.T).F, effect: sql, sql: 0, note: \"n\"}\npatterns:\n  - {generated: g, receiver: \"*T\", method: M, effect: write, trim: T}\n"))
	f.Add([]byte("rows:\n  - {symbol: p.F, effect: run, closure: 0, scope: closure 1.X}\n"))
	f.Add([]byte("rows:\n  - &a {symbol: p.F, effect: ignore}\n  - *a\n  - {<<: *a, async: true}\n"))
	f.Add([]byte("rows: {}\n"))
	f.Add([]byte("rows:\n- symbol: [\n"))
	f.Add([]byte("rows:\n  - {symbol: p.F, effect: sql, sql: {a: b}}\n"))
	f.Add([]byte("- 1\n---\n- 2\n"))
	f.Add([]byte("types:\n- {name:0,role:0}\nrows:\n ! #0\n00\n #0")) // go-yaml v1.19.2 panics
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := ParseFile("fuzz.yaml", text)
		if err != nil {
			assert.ErrorContains(t, err, "fuzz.yaml")
			return
		}
		for i := range file.Rows {
			assert.NoError(t, file.Rows[i].check())
		}
	})
}
