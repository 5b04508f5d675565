package effect

import (
	"bytes"
	"encoding/gob"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

const (
	fixture = "../../analyzers/dualwrite/testdata/modular"
	shop    = "example.test/shop/"
)

var loadShop = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: fixture}, "./...")
})

// unitOf is what the analyzer made of one package of the shop.
type unitOf struct {
	fact   *Fact
	result *Result
}

// analyseShop runs the analyzer over all packages and gives what it made of those of the shop, by path below the module.
func analyseShop(t *testing.T) map[string]unitOf {
	t.Helper()
	pkgs, err := loadShop()
	require.NoError(t, err)
	graph, err := checker.Analyze([]*analysis.Analyzer{Analyzer}, pkgs, nil)
	require.NoError(t, err)
	units := map[string]unitOf{}
	for act := range graph.All() {
		require.NoError(t, act.Err)
		rel, ours := strings.CutPrefix(act.Package.PkgPath, shop)
		if !ours {
			continue
		}
		u := unitOf{result: act.Result.(*Result)}
		for _, f := range act.AllPackageFacts() {
			if f.Package == act.Package.Types {
				u.fact = f.Fact.(*Fact)
			}
		}
		units[rel] = u
	}
	return units
}

// functions lists the functions with a graph in a payload, by the names of their packages.
func functions(p *payload) []string {
	var names []string
	for _, pkg := range p.Packages {
		for _, g := range pkg.Graphs {
			names = append(names, g.Name)
		}
	}
	return names
}

func content(t *testing.T, f *Fact) *payload {
	t.Helper()
	require.NotNil(t, f)
	p, err := f.payload()
	require.NoError(t, err)
	return p
}

func TestFactRoundTrip(t *testing.T) {
	for name, u := range analyseShop(t) {
		if u.fact == nil || u.result.Package == nil {
			continue
		}
		p := content(t, u.fact)
		assert.Equal(t, u.fact.Data, encodeFact(p).Data, name)

		whole := &payload{Packages: []*Package{u.result.Package}, Targets: p.Targets}
		again, err := decodeFact(encodeFact(whole).Data)
		require.NoError(t, err, name)
		assert.Equal(t, whole, again, name)

		var buf bytes.Buffer
		var copied Fact
		require.NoError(t, gob.NewEncoder(&buf).Encode(u.fact))
		require.NoError(t, gob.NewDecoder(&buf).Decode(&copied))
		assert.Equal(t, p, content(t, &copied), name)
	}
}

func TestFactIsDeterministic(t *testing.T) {
	first, second := analyseShop(t), analyseShop(t)
	require.Len(t, second, len(first))
	for name, u := range first {
		if u.fact == nil {
			assert.Nil(t, second[name].fact, name)
			continue
		}
		assert.Equal(t, u.fact.Data, second[name].fact.Data, name)
	}
}

// The budget of the facts: what a function that matters may take on average where its package is analysed, and what all
// facts of the shop may take, which also hold what packages know of those below them.
const (
	bytesPerFunction = 150
	bytesOfShop      = 18000
)

func TestFactSize(t *testing.T) {
	total, functions := 0, 0
	for name, u := range analyseShop(t) {
		if u.fact == nil {
			continue
		}
		total += len(u.fact.Data)
		n := 0
		for _, p := range content(t, u.fact).Packages {
			n += len(p.Graphs)
		}
		functions += n
		t.Logf("%-12s %5d bytes, %3d functions", name, len(u.fact.Data), n)
	}
	t.Logf("%d bytes, %d functions, %d bytes each", total, functions, total/functions)
	assert.LessOrEqual(t, total, bytesOfShop)
	assert.LessOrEqual(t, total/functions, bytesPerFunction)
}

func TestFactLeavesOut(t *testing.T) {
	units := analyseShop(t)
	in := functions(content(t, units["store"].fact))
	assert.Contains(t, in, "store.(*Repo).Save")
	assert.Contains(t, in, "store.New", "the repository holds a handle that it is given")
	assert.Contains(t, in, "store.(*Repo).In", "gives back a transaction")
	assert.NotContains(t, in, "store.Describe")
	assert.Equal(t, []string{"failure.Full"}, functions(content(t, units["failure"].fact)), "an error that is never nil")
	assert.NotNil(t, units["announce"].fact, "calls interface methods")
	assert.NotNil(t, units["runner"].fact, "calls function values")
}

// go vet hands on the facts of direct imports only: a fact has to bring along what its functions lead to.
func TestFactSpeaksForPackagesBelow(t *testing.T) {
	units := analyseShop(t)
	p := content(t, units["notify"].fact)
	assert.Contains(t, functions(p), "transport.(*Kafka).Send")
	assert.Equal(t, shop+"notify", p.Packages[0].Path)
	assert.Contains(t, functions(content(t, units["container"].fact)), "store.(*Repo).Save", "reached by an exported field")
	assert.NotContains(t, functions(content(t, units["promo"].fact)), "store.(*Repo).Cancel", "nobody here leads to it")
}

// The type behind txm's interface is not exported: only its own package can tell who implements it.
func TestFactNamesImplementations(t *testing.T) {
	targets := content(t, analyseShop(t)["txm"].fact).Targets
	i := slices.IndexFunc(targets, func(m methodTargets) bool { return m.Method == MethodKey{shop + "txm.Manager", "Do"} })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, []FuncID{"(" + shop + "txm.manager).Do"}, targets[i].Funcs)
}

func TestFactNamesFilesByImportPath(t *testing.T) {
	for name, u := range analyseShop(t) {
		if u.fact == nil {
			continue
		}
		for _, p := range content(t, u.fact).Packages {
			for _, f := range p.Files {
				assert.Equal(t, p.Path, path.Dir(f), name)
			}
		}
	}
}

func TestFactOfAnotherVersion(t *testing.T) {
	f := encodeFact(&payload{})
	_, err := f.payload()
	require.NoError(t, err)
	other := bytes.Clone(f.Data)
	other[len(factMagic)] ^= 1
	_, err = newFact(other).payload()
	assert.ErrorIs(t, err, ErrFactVersion)
	assert.ErrorContains(t, &FactError{"example.test/a", err}, "example.test/a: ")
}

// Generated code that models describe is named, and not looked at.
func TestFactOfGeneratedPackage(t *testing.T) {
	units := analyseShop(t)
	p := content(t, units["ent"].fact)
	require.Len(t, p.Packages, 1)
	assert.Equal(t, "Code generated by ent", p.Packages[0].Generator)
	assert.Empty(t, p.Packages[0].Graphs)
	assert.Nil(t, units["ent"].result.Package)
	assert.Contains(t, content(t, units["catalog"].fact).Packages, p.Packages[0], "callers of callers have to know")
}

func FuzzDecode(f *testing.F) {
	pkg := &Package{Path: "a/b", Files: []string{"x.go"}, Graphs: []*Graph{{
		ID: "a/b.F", Params: []Param{{Role: TxOnly}}, Blocks: []Block{{
			Nodes: []Node{{ID: 1, Op: OpEffect, Effect: &Effect{Kind: "write", Columns: []string{"c"}},
				Args: []Roots{nil, {}, {{Field: "a/b.T.f"}}}}},
			Live: Bits{1, 1 << 63},
		}}}}, Stats: Stats{Unknown: map[string]int{"x": 1}}}
	p := &payload{Packages: []*Package{pkg}, Library: []*Graph{{ID: "l"}}}
	f.Add(encodeFact(p).Data)
	f.Add(encodeValue(p))
	f.Add([]byte(factMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		decodeFact(data)
		var out payload
		if decodeValue(data, &out) != nil || out.check() != nil {
			return
		}
		again, err := decodeFact(encodeFact(&out).Data)
		require.NoError(t, err)
		assert.Equal(t, encodeValue(&out), encodeValue(again))
	})
}
