package modelcheck

import (
	"cmp"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/model"
)

func TestEveryRowResolves(t *testing.T) {
	start := time.Now()
	var rows []resolved
	roles := map[string]bool{}
	paths := map[string]bool{}
	skipped := map[string]int{}
	files, err := filepath.Glob("../../internal/model/data/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := model.ParseFile(filepath.Base(name), text)
		require.NoError(t, err)
		for i := range file.Rows {
			symbol := model.Normalise(file.Rows[i].Symbol)
			pkg := model.PackageOf(symbol)
			if module := unavailableModule(pkg); module != "" {
				skipped[module]++
				continue
			}
			paths[pkg] = true
			rows = append(rows, resolved{file: filepath.Base(name), symbol: symbol, row: &file.Rows[i]})
		}
		for _, typ := range file.Types {
			if pkg := model.PackageOf(typ.Name); unavailableModule(pkg) == "" {
				paths[pkg] = true
				roles[typ.Name] = true
			}
		}
	}
	slices.SortFunc(rows, func(a, b resolved) int {
		return cmp.Or(strings.Compare(a.symbol, b.symbol), strings.Compare(string(a.row.Effect), string(b.row.Effect)))
	})

	l, err := NewLoader(slices.Sorted(maps.Keys(paths)))
	require.NoError(t, err)
	pkgs := map[string]*types.Package{}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		pkg, err := l.Package(path)
		if assert.NoError(t, err) {
			pkgs[path] = pkg
		}
	}

	c := &checker{carriers: map[string]bool{}}
	for i := range rows {
		r := &rows[i]
		if pkg := pkgs[model.PackageOf(r.symbol)]; pkg != nil {
			if r.fn, err = find(pkg, r.symbol); err != nil {
				t.Errorf("%s: %s: %v", r.file, r.symbol, err)
				continue
			}
			c.learn(r.row, r.fn)
		}
	}
	good := 0
	for _, r := range rows {
		if r.fn == nil {
			continue
		}
		if err := c.check(r.row, r.fn); err != nil {
			t.Errorf("%s: %s: %s: %v", r.file, r.symbol, r.row.Effect, err)
			continue
		}
		good++
	}
	for _, name := range slices.Sorted(maps.Keys(roles)) {
		path := model.PackageOf(name)
		if pkg := pkgs[path]; pkg != nil {
			tn, ok := pkg.Scope().Lookup(strings.TrimPrefix(name, path+".")).(*types.TypeName)
			if assert.True(t, ok, "no type %s", name) {
				assert.False(t, tn.IsAlias(), "%s is an alias of %s", name, tn.Type())
			}
		}
	}

	without := 0
	for _, module := range slices.Sorted(maps.Keys(skipped)) {
		t.Logf("not checked: %d rows of %s: %s", skipped[module], module, unavailable[module])
		without += skipped[module]
	}
	for module := range unavailable {
		assert.NotZero(t, skipped[module], "%s has no rows: take it off the list", module)
	}
	t.Logf("%d rows: %d resolved, %d not checked (module not on the proxy), %d types, %d packages type-checked, %v",
		len(rows)+without, good, without, len(roles), len(l.typed), time.Since(start).Round(time.Millisecond))
}

type resolved struct {
	file, symbol string
	row          *model.Row
	fn           *types.Func
}

// Modules that proxy.golang.org did not serve when the rows were made. Their rows come from a reading of the source.
var unavailable = map[string]string{
	"github.com/avito-tech/go-transaction-manager/drivers/pgxv4/v2": "403 from the proxy",
	"github.com/avito-tech/go-transaction-manager/drivers/gorm/v2":  "403 from the proxy",
	"github.com/avito-tech/go-transaction-manager/drivers/mongo/v2": "403 from the proxy",
	"github.com/Thiht/transactor":                                   "403 from the proxy",
	"github.com/ThreeDotsLabs/watermill-googlecloud":                "403 from the proxy",
	"github.com/ThreeDotsLabs/watermill-aws":                        "403 from the proxy",
}

func unavailableModule(pkg string) string {
	for module := range unavailable {
		if pkg == module || strings.HasPrefix(pkg, module+"/") {
			return module
		}
	}
	return ""
}
