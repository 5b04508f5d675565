package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/check"
)

func TestFingerprints(t *testing.T) {
	base := func(change func(f *check.Finding)) *check.Finding {
		f := &check.Finding{
			Rule: "dualwrite/no-tx", Package: "example.com/shop", Function: "shop.Place$2", File: "/a/shop.go", Message: "m",
			Trace: []check.Step{{File: "/a/shop.go", Line: 3, Function: "shop.Place$2", Effect: "write orders"}, {Line: 9, Function: "shop.send", Effect: "publish"}},
		}
		f.Pos.Line = 9
		change(f)
		return f
	}
	same := map[string]func(f *check.Finding){
		"lines":    func(f *check.Finding) { f.Pos.Line, f.Trace[0].Line = 99, 98 },
		"files":    func(f *check.Finding) { f.File, f.Trace[0].File = "/b/other.go", "/b/other.go" },
		"words":    func(f *check.Finding) { f.Message, f.Advice = "other", "words" },
		"closures": func(f *check.Finding) { f.Function, f.Trace[0].Function = "shop.Place$7", "shop.Place$7" },
		"tier":     func(f *check.Finding) { f.Tier = check.Advice },
	}
	other := map[string]func(f *check.Finding){
		"rule":     func(f *check.Finding) { f.Rule = "dualwrite/inside-tx" },
		"package":  func(f *check.Finding) { f.Package = "example.com/shop/v2" },
		"function": func(f *check.Finding) { f.Function = "shop.Move$2" },
		"helper":   func(f *check.Finding) { f.Trace[1].Function = "shop.emit" },
		"effect":   func(f *check.Finding) { f.Trace[0].Effect = "write carts" },
		"steps":    func(f *check.Finding) { f.Trace = f.Trace[:1] },
	}
	want := Fingerprints([]*check.Finding{base(func(*check.Finding) {})})[0]
	assert.Regexp(t, `^[0-9a-f]{32}$`, want)
	for name, change := range same {
		assert.Equal(t, want, Fingerprints([]*check.Finding{base(change)})[0], name)
	}
	for name, change := range other {
		assert.NotEqual(t, want, Fingerprints([]*check.Finding{base(change)})[0], name)
	}

	twins := Fingerprints([]*check.Finding{base(same["lines"]), base(other["rule"]), base(same["files"]), base(same["words"])})
	assert.Equal(t, []string{want, twins[1], want + "-2", want + "-3"}, twins, "twins are numbered in their order")
}
