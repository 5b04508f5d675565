package effect

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// A Builder makes the effect graphs of packages. It is safe for one package at a time.
type Builder struct {
	Models *model.Set
	// Program reports whether the functions of a package have effect graphs, now or later: the module's own packages
	// for the command, every package outside the standard library for go vet.
	Program func(path string) bool
	// Generator gives the generated-code convention of a package that is not being built, or "".
	Generator func(path string) string
	// Handlers are the functions, methods of interfaces among them, that the user calls handlers elsewhere than in source.
	Handlers map[FuncID]bool
	// OnPanic is told of a function whose graph could not be made because of a defect of dmlint's own.
	OnPanic func(function string, reason any)

	// Library collects the modelled library methods that are used as values.
	Library map[FuncID]*types.Func
	// Interfaces collects the interfaces whose methods are called, by the name in MethodKey.Iface.
	Interfaces map[string]*types.Interface
}

// Input is one type-checked package with its SSA form.
type Input struct {
	SSA   *ssa.Package
	Fset  *token.FileSet
	Files []*ast.File
	// Dir resolves //go:embed patterns; ReadFile reads one of their files.
	ReadFile func(name string) ([]byte, error)
}

// Build makes the graphs of every function of a package.
func (b *Builder) Build(in Input) *Package {
	if b.Interfaces == nil {
		b.Interfaces = map[string]*types.Interface{}
	}
	if b.Library == nil {
		b.Library = map[FuncID]*types.Func{}
	}
	pb := &packageBuilder{Builder: b, in: in, files: map[string]int{}, generated: map[string]bool{}, texts: map[*ssa.Global]string{}}
	pb.out = &Package{Path: in.SSA.Pkg.Path(), Name: in.SSA.Pkg.Name(), Stats: Stats{Unknown: map[string]int{}}}
	pb.scanFiles()
	for _, fn := range pb.functions() {
		pb.buildFunction(fn)
	}
	pb.out.Stats.Functions = len(pb.out.Graphs)
	return pb.out
}

type packageBuilder struct {
	*Builder
	in        Input
	out       *Package
	files     map[string]int
	generated map[string]bool
	embeds    map[types.Object]string
	texts     map[*ssa.Global]string
	roles     map[types.Type]TypeRole
	seen      map[string]bool
	fields    map[string]ssa.Value
}

// scanFiles notes which files a generator wrote, which generator it was and what is embedded.
func (pb *packageBuilder) scanFiles() {
	pb.roles = map[types.Type]TypeRole{}
	for _, f := range pb.in.Files {
		name := pb.in.Fset.File(f.FileStart).Name()
		if ast.IsGenerated(f) {
			pb.generated[name] = true
			pb.noteGenerator(f)
		}
		pb.scanHandlers(f)
		for _, imp := range f.Imports {
			if path := strings.Trim(imp.Path.Value, `"`); path == "testing" || path == "github.com/stretchr/testify/mock" {
				pb.out.Harness = true
			}
		}
	}
	pb.scanEmbeds()
}

func (pb *packageBuilder) noteGenerator(f *ast.File) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			for _, p := range pb.Models.Patterns() {
				if strings.Contains(c.Text, p.Generated) {
					pb.out.Generator = p.Generated
				}
			}
		}
		if group.Pos() > f.Package {
			return
		}
	}
}

// functions lists the functions with source in a stable order: declared ones by name, closures after their parents.
func (pb *packageBuilder) functions() []*ssa.Function {
	var all []*ssa.Function
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || fn.Blocks == nil {
			return
		}
		all = append(all, fn)
		for _, anon := range fn.AnonFuncs {
			visit(anon)
		}
	}
	for _, name := range pb.memberNames() {
		switch m := pb.in.SSA.Members[name].(type) {
		case *ssa.Function:
			visit(m)
		case *ssa.Type:
			for _, fn := range methodsOf(pb.in.SSA, m.Type()) {
				visit(fn)
			}
		}
	}
	return all
}

func (pb *packageBuilder) memberNames() []string {
	names := make([]string, 0, len(pb.in.SSA.Members))
	for name := range pb.in.SSA.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// methodsOf lists the methods declared on a type of a package; a type that only has another name here is another
// package's.
func methodsOf(pkg *ssa.Package, t types.Type) []*ssa.Function {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	var fns []*ssa.Function
	for m := range named.Methods() {
		if fn := pkg.Prog.FuncValue(m); fn != nil && fn.Pkg == pkg {
			fns = append(fns, fn)
		}
	}
	return fns
}

// buildFunction adds the graph of one function; a panic of dmlint's own costs that function only.
func (pb *packageBuilder) buildFunction(fn *ssa.Function) {
	defer func() {
		if p := recover(); p != nil && pb.OnPanic != nil {
			pb.OnPanic(displayName(fn), p)
		}
	}()
	pb.out.Graphs = append(pb.out.Graphs, newFuncBuilder(pb, fn).build())
}

// pos gives a node's place; the file is added to the package's list.
func (pb *packageBuilder) pos(start, end token.Pos) Pos {
	if !start.IsValid() {
		return Pos{}
	}
	s := pb.in.Fset.Position(start)
	p := Pos{File: pb.file(s.Filename), Line: s.Line, Col: s.Column, EndLine: s.Line, EndCol: s.Column}
	if end.IsValid() {
		e := pb.in.Fset.Position(end)
		p.EndLine, p.EndCol = e.Line, e.Column
	}
	return p
}

func (pb *packageBuilder) file(name string) int {
	i, ok := pb.files[name]
	if !ok {
		i = len(pb.out.Files)
		pb.files[name] = i
		pb.out.Files = append(pb.out.Files, name)
	}
	return i
}
