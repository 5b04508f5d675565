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

// Modules that proxy.golang.org did not serve when their rows were made, the nearest release included. The rows come from
// a type-checked copy of the source at the commit named.
var unavailable = map[string]string{
	"encore.dev":                                                    "403, source 5d7021ef5149",
	"github.com/Thiht/transactor":                                   "403, source 73f592cb8f60",
	"github.com/italolelis/outboxer":                                "403, source 73a984850bdd",
	"github.com/mailgun/mailgun-go/v5":                              "404, source d7f2dd4369c9",
	"github.com/nikolayk812/pgx-outbox":                             "403, source 90b363dd2ffe",
	"github.com/pkritiotis/outbox":                                  "403, source 81327d9a0b37",
	"github.com/plaid/plaid-go/v43/plaid":                           "403, source 21bccea2b4b6",
	"github.com/taskforcesh/bullmq/golang":                          "403, declarations read in 07b44b47085a",
	"github.com/tx7do/kratos-transport/broker":                      "403, source abad97bb2caa",
	"github.com/ThreeDotsLabs/watermill-aws":                        "403, source of publisher.go read",
	"github.com/ThreeDotsLabs/watermill-googlecloud":                "403, source of publisher.go read",
	"github.com/avito-tech/go-transaction-manager/drivers/gorm/v2":  "403, source cff8fd5f7a30",
	"github.com/avito-tech/go-transaction-manager/drivers/mongo/v2": "403, source cff8fd5f7a30",
	"github.com/avito-tech/go-transaction-manager/drivers/pgxv4/v2": "403, source cff8fd5f7a30",
	"go-micro.dev/v5":                                               "403, source 307b94aab716; v4 is checked",
	"go.uber.org/cadence":                                           "403, source 1fd8ba0044c4",
}

// The share of rows that may go unchecked.
const mayBeUnchecked = 0.05

func TestEveryRowResolves(t *testing.T) {
	start := time.Now()
	rows, names := shipped(t)
	rows, skipped := available(rows)

	paths := map[string]bool{}
	for _, r := range rows {
		paths[model.PackageOf(r.symbol)] = true
	}
	for _, name := range names {
		if path := model.PackageOf(name); unavailableModule(path) == "" {
			paths[path] = true
		}
	}
	l, pkgs := load(t, slices.Sorted(maps.Keys(paths)))

	c := &checker{}
	for i := range rows {
		r := &rows[i]
		pkg := pkgs[model.PackageOf(r.symbol)]
		if pkg == nil {
			continue // its error has been reported
		}
		fn, err := find(pkg, r.symbol)
		if err != nil {
			t.Errorf("%s: %s: %v", r.file, r.symbol, err)
			continue
		}
		r.fn = fn
		c.learn(r.row, fn)
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
	for _, name := range names {
		if pkg := pkgs[model.PackageOf(name)]; pkg != nil {
			tn, ok := pkg.Scope().Lookup(strings.TrimPrefix(name, pkg.Path()+".")).(*types.TypeName)
			if assert.True(t, ok, "no type %s", name) {
				assert.False(t, tn.IsAlias(), "%s is an alias of %s", name, tn.Type())
			}
		}
	}

	unchecked := 0
	for _, module := range slices.Sorted(maps.Keys(unavailable)) {
		assert.NotZero(t, skipped[module], "%s has no rows: take it off the list", module)
		t.Logf("not checked: %2d rows of %s: %s", skipped[module], module, unavailable[module])
		unchecked += skipped[module]
	}
	total := len(rows) + unchecked
	assert.Less(t, float64(unchecked), mayBeUnchecked*float64(total), "rows that were not checked")
	t.Logf("%d rows: %d resolved, %d not checked; %d types; %d packages, %d with what they import; %v",
		total, good, unchecked, len(names), len(pkgs), len(l.typed), time.Since(start).Round(time.Millisecond))
}

// A shippedRow is a row, the file it stands in, and the function that it was found to name.
type shippedRow struct {
	file, symbol string
	row          *model.Row
	fn           *types.Func
}

// shipped reads the rows and the names of types out of the files, and holds them against what is built into the binary.
func shipped(t *testing.T) (rows []shippedRow, names []string) {
	set, err := model.Load()
	require.NoError(t, err)
	builtIn := 0
	for range set.Rows {
		builtIn++
	}
	files, err := filepath.Glob("../../internal/model/data/*.yaml")
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := model.ParseFile(filepath.Base(path), text)
		require.NoError(t, err)
		for i := range file.Rows {
			row := &file.Rows[i]
			rows = append(rows, shippedRow{file: filepath.Base(path), symbol: model.Normalise(row.Symbol), row: row})
		}
		for _, typ := range file.Types {
			names = append(names, typ.Name)
		}
	}
	require.Len(t, rows, builtIn)
	slices.SortFunc(rows, func(a, b shippedRow) int {
		return cmp.Or(strings.Compare(a.file, b.file), strings.Compare(a.symbol, b.symbol), strings.Compare(string(a.row.Effect), string(b.row.Effect)))
	})
	slices.Sort(names)
	return rows, names
}

// available leaves out the rows of modules that cannot be had, and counts them.
func available(rows []shippedRow) (kept []shippedRow, skipped map[string]int) {
	skipped = map[string]int{}
	for _, r := range rows {
		if module := unavailableModule(model.PackageOf(r.symbol)); module != "" {
			skipped[module]++
		} else {
			kept = append(kept, r)
		}
	}
	return kept, skipped
}

func unavailableModule(path string) string {
	for module := range unavailable {
		if path == module || strings.HasPrefix(path, module+"/") {
			return module
		}
	}
	return ""
}

func load(t *testing.T, paths []string) (*Loader, map[string]*types.Package) {
	l, err := NewLoader(paths)
	require.NoError(t, err)
	pkgs := map[string]*types.Package{}
	for _, path := range paths {
		pkg, err := l.Package(path)
		if assert.NoError(t, err) {
			pkgs[path] = pkg
		}
	}
	return l, pkgs
}

func TestBadRowsAreFound(t *testing.T) {
	tests := []struct {
		name, row, want string
	}{
		{"no such function", "{symbol: database/sql.Opne, effect: ignore}", "no function Opne"},
		{"no such type", "{symbol: (*database/sql.Db).Begin, effect: begin, scope: result 0}", "no type Db"},
		{"no such method", "{symbol: (*database/sql.DB).Start, effect: begin, scope: result 0}", "DB has no method Start"},
		{"promoted method", "{symbol: (*bufio.ReadWriter).ReadString, effect: ignore}", "declared as (*bufio.Reader).ReadString"},
		{"embedded interface", "{symbol: (io.ReadWriter).Read, effect: read}", "declared as (io.Reader).Read"},
		{"argument out of range", "{symbol: (*database/sql.DB).Exec, effect: sql, sql: 2}", "sql: 2 is out of range"},
		{"result out of range", "{symbol: (*database/sql.DB).Begin, effect: begin, scope: result 2}", "scope: result 2 is out of range"},
		{"text is no string", "{symbol: (*database/sql.DB).ExecContext, effect: sql, sql: 0}", "context.Context is no text"},
		{"text is the receiver", "{symbol: (*database/sql.DB).Exec, effect: sql, sql: recv}", "*database/sql.DB is no text"},
		{"closure is no function", "{symbol: (*database/sql.DB).Exec, effect: run, closure: 0, scope: closure 0}", "closure: string is no function"},
		{"closure has no such parameter", "{symbol: (*database/sql.Conn).Raw, effect: run, closure: 0, scope: closure 1}", "scope: closure 1 is out of range"},
		{"no such field", "{symbol: (*net/http.Client).Do, effect: external, message: 0.Boddy}", "has no field Boddy"},
		{"function without handle", "{symbol: database/sql.Open, effect: sql, sql: 1}", "handle: a function has no receiver"},
		{"recv of a function", "{symbol: database/sql.Open, effect: handle, handle: recv}", "handle: recv of a function"},
		{"no such interface", "{symbol: net/http.Serve, effect: dispatch, calls: Handle.ServeHTTP}", "Handle is no interface"},
		{"no such method of the interface", "{symbol: net/http.Serve, effect: dispatch, calls: Handler.Serve}", "Handler has no method Serve"},
		{"good mediator", "{symbol: net/http.Serve, effect: dispatch, calls: Handler.ServeHTTP}", ""},
		{"good", "{symbol: (*database/sql.Conn).Raw, effect: run, closure: 0, scope: closure 0}", ""},
		{"good handler", "{symbol: net/http.Handle, effect: subscribe, closure: 1.ServeHTTP, message: closure 1.Body}", ""},
	}
	_, pkgs := load(t, []string{"bufio", "database/sql", "io", "net/http"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, err := model.ParseFile("test.yaml", []byte("library: test\nrows:\n  - "+tt.row+"\n"))
			require.NoError(t, err)
			symbol := model.Normalise(file.Rows[0].Symbol)
			fn, err := find(pkgs[model.PackageOf(symbol)], symbol)
			if err == nil {
				err = new(checker).check(&file.Rows[0], fn)
			}
			if tt.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.want)
			}
		})
	}
}
