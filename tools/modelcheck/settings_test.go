package modelcheck

import (
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/model"
)

// TestEverySettingResolves looks up the fields, functions and constants that settings and answers name.
func TestEverySettingResolves(t *testing.T) {
	paths := map[string]bool{}
	files, err := filepath.Glob("../../internal/model/data/*.yaml")
	require.NoError(t, err)
	var settings []model.Setting
	var answers []model.Answer
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		f, err := model.ParseFile(filepath.Base(name), text)
		require.NoError(t, err)
		settings, answers = append(settings, f.Settings...), append(answers, f.Answers...)
	}
	for _, s := range settings {
		if s.Key == "" {
			paths[settingPackage(s)] = true
		}
	}
	for _, a := range answers {
		name := a.Type + a.Given
		paths[name[:strings.LastIndexByte(name, '.')]] = true
	}
	_, pkgs := load(t, slices.Sorted(maps.Keys(paths)))
	for _, s := range settings {
		switch pkg := pkgs[settingPackage(s)]; {
		case s.Key != "" || pkg == nil:
		case s.Wraps != "":
			if pkg.Scope().Lookup(strings.TrimPrefix(s.Wraps, pkg.Path()+".")) == nil {
				t.Errorf("no type %s", s.Wraps)
			}
		case s.Call != "":
			if _, err := find(pkg, model.Normalise(s.Call)); err != nil {
				t.Errorf("%s: %v", s.Call, err)
			}
		default:
			owner, path, _ := strings.Cut(strings.TrimPrefix(s.Field, pkg.Path()+"."), ".")
			tn, ok := pkg.Scope().Lookup(owner).(*types.TypeName)
			if !ok || tn.IsAlias() {
				t.Errorf("%s: no type %s", s.Field, owner)
				continue
			}
			within := tn.Type()
			for field := range strings.SplitSeq(path, ".") {
				v, _, _ := types.LookupFieldOrMethod(within, true, pkg, field)
				if v == nil {
					t.Errorf("%s: no field %s", s.Field, field)
					break
				}
				within = v.Type()
			}
		}
	}
	for _, a := range answers {
		if a.Given != "" {
			path, name := a.Given[:strings.LastIndexByte(a.Given, '.')], a.Given[strings.LastIndexByte(a.Given, '.')+1:]
			if pkg := pkgs[path]; pkg != nil && pkg.Scope().Lookup(name) == nil {
				t.Errorf("no type %s", a.Given)
			}
			continue
		}
		path := a.Type[:strings.LastIndexByte(a.Type, '.')]
		if c, ok := pkgs[path].Scope().Lookup(a.Const).(*types.Const); !ok || c.Type().String() != a.Type {
			t.Errorf("%s has no constant %s", a.Type, a.Const)
		}
	}
}

// settingPackage is the package of what a setting names.
func settingPackage(s model.Setting) string {
	switch {
	case s.Key != "":
		return ""
	case s.Wraps != "":
		return s.Wraps[:strings.LastIndexByte(s.Wraps, '.')]
	case s.Call != "":
		return model.PackageOf(model.Normalise(s.Call))
	}
	slash := strings.LastIndexByte(s.Field, '/')
	for at := slash + 1; at < len(s.Field); at++ { // the type is the first name with a capital; "kafka-go" may be in the path
		if s.Field[at] == '.' && s.Field[at+1] >= 'A' && s.Field[at+1] <= 'Z' {
			return s.Field[:at]
		}
	}
	return ""
}
