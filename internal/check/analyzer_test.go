package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
)

func TestNewAnalyzerIsValid(t *testing.T) {
	a := NewAnalyzer(&Check{Name: "example", Rules: []Rule{{ID: "example/one", Tier: Advice, Summary: "one thing"}}})
	require.NoError(t, analysis.Validate([]*analysis.Analyzer{a}))
	assert.Contains(t, a.Doc, "\nexample/one (advice): one thing")
	assert.Equal(t, "https://github.com/dmlint/dmlint/blob/main/docs/rules/example.md", a.URL)
}

// A defect of dmlint's own must not fail the build that runs it.
func TestPanicIsContained(t *testing.T) {
	a := NewAnalyzer(&Check{Name: "broken", Judge: func(*flow.Program, []*flow.Hit) []*Finding { panic("no judge") }})
	warning := stderr(t, func() {
		for _, act := range analyse(t, a).Roots {
			assert.NoError(t, act.Err)
			assert.Empty(t, act.Diagnostics)
		}
	})
	assert.Contains(t, warning, "dmlint: warning: internal error while checking example.test/shop/store: no judge")
}

// Findings of other packages and of the lower tier stay out.
func TestOnlyOwnFindingsAreReported(t *testing.T) {
	own := effect.Pos{Line: 10, Col: 2}
	a := NewAnalyzer(&Check{Name: "example", Judge: func(*flow.Program, []*flow.Hit) []*Finding {
		file := storeFile(t)
		return []*Finding{
			{Rule: "example/own", Analyzer: "example", Tier: Error, Message: "own", Package: "example.test/shop/store", File: file, Pos: own,
				Checklist: []int{1, 2}},
			{Rule: "example/advice", Tier: Advice, Package: "example.test/shop/store", File: file, Pos: own},
			{Rule: "example/other", Tier: Error, Package: "example.test/shop/orders", File: file, Pos: own},
			{Rule: "example/nowhere", Tier: Error, Package: "example.test/shop/store", File: "nowhere.go", Pos: own},
		}
	}})
	for _, act := range analyse(t, a).Roots {
		require.Len(t, act.Diagnostics, 1)
		assert.Equal(t, "own (example/own, checklist 1, 2)", act.Diagnostics[0].Message)
		assert.Equal(t, "example/own", act.Diagnostics[0].Category)
	}
}

const fixture = "../../analyzers/dualwrite/testdata/modular"

var loadStore = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: fixture}, "./store")
})

func storeFile(t *testing.T) string {
	pkgs, err := loadStore()
	require.NoError(t, err)
	return pkgs[0].GoFiles[0]
}

func analyse(t *testing.T, a *analysis.Analyzer) *checker.Graph {
	pkgs, err := loadStore()
	require.NoError(t, err)
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
	require.NoError(t, err)
	return graph
}

// stderr collects what f writes there.
func stderr(t *testing.T, f func()) string {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	old := os.Stderr
	os.Stderr = w
	defer func() { os.Stderr = old }()
	f()
	require.NoError(t, w.Close())
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}

func TestPlaces(t *testing.T) {
	const src = "package p\n\nfunc f() {\n//line page.templ:7\n\tg()\n}\n\nfunc g() {}\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/src/p.go", src, parser.ParseComments)
	require.NoError(t, err)
	at := newPlaces(&analysis.Pass{Fset: fset, Files: []*ast.File{f}})
	for _, c := range []struct {
		file      string
		line, col int
		want      int // offset, or -1
	}{
		{"/src/p.go", 3, 6, 16},
		{"/src/page.templ", 7, 2, 43},
		{"/src/p.go", 3, 99, 21},
		{"/src/p.go", 99, 1, -1},
		{"/src/q.go", 3, 1, -1},
		{"/src/p.go", 0, 0, -1},
	} {
		pos := at.pos(c.file, c.line, c.col)
		if c.want < 0 {
			assert.False(t, pos.IsValid(), c)
			continue
		}
		require.True(t, pos.IsValid(), c)
		assert.Equal(t, c.want, fset.PositionFor(pos, false).Offset, c)
	}
}

// A rule can ask for the schema of the module around the package. The fixture's has none.
func TestSchemaAroundThePackage(t *testing.T) {
	asked := false
	a := NewAnalyzer(&Check{Name: "example", Judge: func(p *flow.Program, _ []*flow.Hit) []*Finding {
		asked = true
		_, known := p.Schema().Keys("inbox")
		assert.False(t, known)
		return nil
	}})
	analyse(t, a)
	assert.True(t, asked)
}
