package model

import (
	"embed"
	"fmt"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

//go:embed data/*.yaml
var data embed.FS

// A Set is every known row, ready to be looked up.
type Set struct {
	rows     map[string][]*Row
	types    map[string]TypeRole
	patterns []*Pattern
	packages map[string]bool
	settings map[string][]*Setting
	answers  map[string][]*Answer
	keys     map[string]TypeRow
	other    otherVersions
}

// Load reads the models that are built into the binary. An error means that the binary was built with a broken file.
func Load() (*Set, error) {
	return LoadFS(data, "data")
}

// LoadFS reads every YAML file in dir. Errors name the file, the line and the row.
func LoadFS(fsys fs.FS, dir string) (*Set, error) {
	set := &Set{rows: map[string][]*Row{}, types: map[string]TypeRole{}, packages: map[string]bool{},
		settings: map[string][]*Setting{}, answers: map[string][]*Answer{},
		keys: map[string]TypeRow{}, other: newOtherVersions()}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yaml" {
			continue
		}
		text, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if err := set.add(e.Name(), text); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// ParseFile reads one file of rows and checks what can be checked without the library.
func ParseFile(name string, text []byte) (*File, error) {
	var f File
	if err := decode(text, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range f.Rows {
		f.Rows[i].Library = f.Library
		if err := f.Rows[i].check(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, f.Rows[i].Symbol, err)
		}
	}
	for i := range f.Patterns {
		f.Patterns[i].Library = f.Library
		if f.Patterns[i].Generated == "" || f.Patterns[i].Method == "" {
			return nil, fmt.Errorf("%s: pattern %d needs generated and method", name, i)
		}
	}
	return &f, nil
}

// decode reads YAML; go-yaml panics on some texts that are none.
func decode(text []byte, f *File) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed YAML (%v)", p)
		}
	}()
	return yaml.UnmarshalWithOptions(text, f, yaml.Strict())
}

func (s *Set) add(name string, text []byte) error {
	f, err := ParseFile(name, text)
	if err != nil {
		return err
	}
	for i := range f.Rows {
		key := Normalise(f.Rows[i].Symbol)
		s.rows[key] = append(s.rows[key], &f.Rows[i])
		s.packages[PackageOf(key)] = true
		s.other.add(key, &f.Rows[i])
	}
	for _, t := range f.Types {
		if t.Role != "" {
			s.types[t.Name] = t.Role
			s.other.addType(t)
		}
		if t.Key != "" {
			s.keys[t.Name] = t
		}
	}
	for i := range f.Patterns {
		s.patterns = append(s.patterns, &f.Patterns[i])
	}
	return s.addLimits(f)
}

func (r *Row) check() error {
	known := map[Effect]bool{Begin: true, Commit: true, Rollback: true, Run: true, SQL: true, Prepare: true, Write: true,
		Read: true, Publish: true, Enqueue: true, Receive: true, Subscribe: true, Ack: true, Nack: true, External: true,
		Handle: true, Builder: true, Construct: true, Commits: true, Lock: true, Dispatch: true, Ignore: true,
		Lookup: true, Remember: true, Claim: true, Count: true, Wait: true}
	switch {
	case r.Symbol == "":
		return fmt.Errorf("row without symbol")
	case !known[r.Effect]:
		return fmt.Errorf("unknown effect %q", r.Effect)
	case r.Effect == Begin && r.Scope.IsZero():
		return fmt.Errorf("begin needs scope: the value that becomes the transaction")
	case r.Effect == Run && (r.Closure.IsZero() || r.Scope.IsZero()):
		return fmt.Errorf("run needs closure and scope")
	case (r.Effect == SQL || r.Effect == Prepare) && r.SQL.IsZero():
		return fmt.Errorf("%s needs sql: the argument with the text", r.Effect)
	case (r.Effect == Dispatch) != (r.Calls != ""), r.Effect == Dispatch && strings.Count(r.Calls, ".") != 1:
		return fmt.Errorf("dispatch, and nothing else, needs calls: an interface and its method")
	case r.Effect == Construct && r.Kind == "":
		return fmt.Errorf("construct needs kind")
	case !slices.Contains([]Settling{"", OnNil, OnReturn, OnReceipt, Never, AsMade}, r.Settles):
		return fmt.Errorf("unknown settles %q", r.Settles)
	}
	if err := r.Limit.check(); err != nil {
		return err
	}
	return r.checkKey()
}

// checkKey looks at the rows of key-value stores.
func (r *Row) checkKey() error {
	switch {
	case r.Effect.OfKey() && r.Key.IsZero() && r.Kind != Chain:
		return fmt.Errorf("%s needs key", r.Effect)
	case !r.Effect.OfKey() && (r.Kind == Command || r.Kind == Script || r.Kind == Options || r.Kind == Asked || r.Kind == Chain):
		return fmt.Errorf("kind %s is for effects on keys", r.Kind)
	}
	return nil
}

// UnmarshalYAML reads the written form of an Arg. encoding.TextUnmarshaler would do, but go-yaml formats all that comes
// before for each such value, which makes loading five times slower, and then the error has no line.
func (a *Arg) UnmarshalYAML(node ast.Node) error {
	tok := node.GetToken()
	parsed, err := ParseArg(tok.Value)
	if err != nil {
		return fmt.Errorf("[%d:%d] %w", tok.Position.Line, tok.Position.Column, err)
	}
	*a = parsed
	return nil
}

// Lookup gives the rows for fn, or nil. Generic instances share the row of their origin.
func (s *Set) Lookup(fn *types.Func) []*Row {
	switch {
	case fn == nil || fn.Pkg() == nil:
	case s.packages[fn.Pkg().Path()]:
		return s.rows[SymbolOf(fn)]
	case s.other.packages[unversioned(fn.Pkg().Path())] != "":
		return s.other.rows[unversioned(SymbolOf(fn))]
	}
	return nil
}

// HasPackage reports whether any row names a symbol of the package with this import path, or of another major version.
func (s *Set) HasPackage(path string) bool {
	return s.packages[path] || s.other.packages[unversioned(path)] != ""
}

// TypeRole gives the role of a named type, or "".
func (s *Set) TypeRole(name string) TypeRole {
	if role, ok := s.types[name]; ok {
		return role
	}
	if at := strings.LastIndexByte(name, '.'); at < 0 || s.packages[name[:at]] || s.other.types == nil {
		return ""
	}
	return s.other.types[unversioned(name)]
}

// KeyField gives the field of a message's type that holds its key, or "".
func (s *Set) KeyField(name string) string { return s.keys[name].Key }

// Fifo reports whether messages of a type have an order only where they have a key.
func (s *Set) Fifo(name string) bool { return s.keys[name].Fifo }

// Patterns gives the rows for generated code.
func (s *Set) Patterns() []*Pattern { return s.patterns }

// Rows calls yield for each row of the set, in no order.
func (s *Set) Rows(yield func(symbol string, row *Row) bool) {
	for symbol, rows := range s.rows {
		for _, r := range rows {
			if !yield(symbol, r) {
				return
			}
		}
	}
}

// SymbolOf writes the name of fn as Normalise does.
func SymbolOf(fn *types.Func) string { return Normalise(fn.Origin().FullName()) }

// Normalise strips the receiver's star and type parameters: pointer and value receivers change between versions of a
// library (watermill's cqrs.EventBus.Publish did), and a row should survive that.
func Normalise(symbol string) string {
	symbol = strings.Replace(symbol, "(*", "(", 1)
	for {
		open := strings.IndexByte(symbol, '[')
		if open < 0 {
			return symbol
		}
		end := closing(symbol, open)
		if end < 0 {
			return symbol
		}
		symbol = symbol[:open] + symbol[end+1:]
	}
}

func closing(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// PackageOf gives the import path in a normalised symbol.
func PackageOf(symbol string) string {
	recv, method := strings.HasPrefix(symbol, "("), symbol
	if recv {
		if end := strings.IndexByte(symbol, ')'); end > 0 {
			method = symbol[1:end]
		}
	}
	slash := strings.LastIndexByte(method, '/')
	if dot := strings.LastIndexByte(method[slash+1:], '.'); dot >= 0 { // the last: nats.go and gomail.v2 are package paths
		return method[:slash+1+dot]
	}
	return method
}
