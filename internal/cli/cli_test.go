package cli

import (
	"bytes"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/effect"
)

func TestExitStatus(t *testing.T) {
	advice, grave := &check.Finding{Tier: check.Advice}, &check.Finding{Tier: check.Error}
	broken := []driver.PackageError{{Package: "p", Message: "m"}}
	for _, c := range []struct {
		name     string
		findings []*check.Finding
		errors   []driver.PackageError
		gaveUp   []string
		tier     check.Tier
		want     int
	}{
		{name: "clean", tier: check.Error, want: statusClean},
		{name: "error", findings: []*check.Finding{advice, grave}, tier: check.Error, want: statusFindings},
		{name: "advice below the tier", findings: []*check.Finding{advice}, tier: check.Error, want: statusClean},
		{name: "advice in the tier", findings: []*check.Finding{advice}, tier: check.Advice, want: statusFindings},
		{name: "error in the tier of advice", findings: []*check.Finding{grave}, tier: check.Advice, want: statusFindings},
		{name: "broken", errors: broken, tier: check.Error, want: statusIncomplete},
		{name: "given up", gaveUp: []string{"f"}, tier: check.Error, want: statusIncomplete},
		{name: "findings win", findings: []*check.Finding{grave}, errors: broken, tier: check.Error, want: statusFindings},
		{name: "broken wins over advice that does not count", findings: []*check.Finding{advice}, errors: broken, tier: check.Error, want: statusIncomplete},
	} {
		res := &driver.Result{Findings: c.findings, Errors: c.errors, Coverage: driver.Coverage{GaveUp: c.gaveUp}}
		assert.Equal(t, c.want, exitStatus(res, c.tier), c.name)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args, rest []string
		format     string
	}{
		{nil, nil, "text"},
		{[]string{"./a", "./b"}, []string{"./a", "./b"}, "text"},
		{[]string{"--format", "json", "./a"}, []string{"./a"}, "json"},
		{[]string{"./a", "-format=json", "./b"}, []string{"./a", "./b"}, "json"},
		{[]string{"./a", "--", "--format", "json"}, []string{"./a", "--format", "json"}, "text"},
	} {
		cmd := newCommand("test", "", "", "")
		format := cmd.choose("format", "", "text", "json")
		rest, err := cmd.parse(c.args)
		require.NoError(t, err)
		assert.Equal(t, c.rest, rest)
		assert.Equal(t, c.format, format.value)
		assert.Equal(t, c.format == "json", cmd.given("format"))
	}
	_, err := newCommand("test", "", "", "").parse([]string{"x", "-h"})
	assert.ErrorIs(t, err, flag.ErrHelp)
}

func TestCalledByVet(t *testing.T) {
	for _, args := range [][]string{{"-V=full"}, {"-flags"}, {"/tmp/vet.cfg"}, {"-json", "-dualwrite.tier=advice", "/tmp/vet.cfg"}} {
		assert.True(t, calledByVet(args), args)
	}
	for _, args := range [][]string{nil, {"./..."}, {"check", "vet.cfg"}, {"a.cfg", "b.cfg"}, {"--format", "json"}, {"-h"}, {"-flags", "./..."}} {
		assert.False(t, calledByVet(args), args)
	}
}

func TestProbe(t *testing.T) {
	var out, errs bytes.Buffer
	s := streams{&out, &errs}
	assert.Equal(t, statusClean, probe([]string{"echo", "-V=full"}, s), "a query is passed on")
	assert.Equal(t, "-V=full\n", out.String())
	assert.Equal(t, statusFindings, probe([]string{"echo", "-o", "x.a"}, s), "work is refused")
	assert.Equal(t, statusFindings, probe([]string{"false", "-V=full"}, s))
	assert.Equal(t, statusFindings, probe(nil, s))
	assert.Equal(t, "-V=full\n", out.String())
}

func TestStyle(t *testing.T) {
	for _, c := range []struct {
		given         bool
		noColor, clic string
		full, color   bool
	}{
		{false, "", "", false, false},
		{true, "", "", true, false},
		{false, "", "1", false, true},
		{false, "", "0", false, false},
		{true, "1", "1", true, false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("CLICOLOR_FORCE", c.clic)
		style := styleOf(&bytes.Buffer{}, c.given)
		assert.Equal(t, c.full, style.Full, c)
		assert.Equal(t, c.color, style.Color, c)
	}
}

func TestFindFunction(t *testing.T) {
	program := &effect.Program{Packages: []*effect.Package{{Graphs: []*effect.Graph{
		{ID: "(example.com/shop/orders.Service).Place", Name: "orders.(*Service).Place"},
		{ID: "(example.com/shop/orders.Service).Place$1", Name: "orders.(*Service).Place$1"},
		{ID: "(example.com/shop/v2/orders.Service).Place", Name: "orders.Service.Place"},
		{ID: "example.com/shop.Place", Name: "shop.Place"},
		{ID: "example.com/shop.init", Name: "shop.init", Wrapper: true},
	}}}}
	for name, want := range map[string]effect.FuncID{
		"(*example.com/shop/orders.Service).Place": "(example.com/shop/orders.Service).Place",
		"example.com/shop/orders.Service.Place":    "(example.com/shop/orders.Service).Place",
		"v2/orders.Service.Place":                  "(example.com/shop/v2/orders.Service).Place",
		"(*Service).Place$1":                       "(example.com/shop/orders.Service).Place$1",
		"shop.Place":                               "example.com/shop.Place",
	} {
		g, err := findFunction(program, name)
		require.NoError(t, err, name)
		assert.Equal(t, want, g.ID, name)
	}
	for name, want := range map[string]string{
		"Service.Place": "is the name of 2 functions; write more of the one that you mean:\n\texample.com/shop/orders.Service.Place\n\texample.com/shop/v2/orders.Service.Place",
		"Place":         "is the name of 3 functions",
		"shop.Palce":    "did you mean shop.Place?",
		"Cart.Place":    "did you mean example.com/shop/orders.Service.Place, example.com/shop/v2/orders.Service.Place, example.com/shop.Place?",
		"lace":          "did you mean Place?",
		"init":          "there is no function init in the module",
		"":              "there is no function",
	} {
		_, err := findFunction(program, name)
		assert.ErrorContains(t, err, want, name)
	}
}
