package model

import (
	"regexp"
	"strings"
	"sync"
)

// otherVersions are rows and types by their names without major versions, for versions of a library that have no rows: a
// client gets a new major version for a parameter more somewhere, and what most of its calls do stays. Of several versions
// with rows, the last one speaks.
type otherVersions struct {
	packages map[string]string // the package that speaks, by its path without versions
	rows     map[string][]*Row
	types    map[string]TypeRole
}

func newOtherVersions() otherVersions {
	return otherVersions{packages: map[string]string{}, rows: map[string][]*Row{}, types: map[string]TypeRole{}}
}

func (o *otherVersions) add(symbol string, row *Row) {
	pkg := PackageOf(symbol)
	path, name := unversioned(pkg), unversioned(symbol)
	if speaks := o.packages[path]; speaks != "" && speaks != pkg {
		if !later(pkg, speaks) {
			return
		}
		for other := range o.rows { // those of the version that spoke before
			if PackageOf(other) == path {
				delete(o.rows, other)
			}
		}
	}
	o.packages[path] = pkg
	o.rows[name] = append(o.rows[name], row)
}

func (o *otherVersions) addType(t TypeRow) { o.types[unversioned(t.Name)] = t.Role }

// later reports whether one path names a later major version than the other.
func later(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

// majorVersion is the element of an import path that names a major version.
var majorVersion = regexp.MustCompile(`/v[0-9]+\b`)

// plain remembers paths and symbols without versions: every call of a program is asked about.
var plain sync.Map

// unversioned takes major versions out of a path or a symbol.
func unversioned(symbol string) string {
	if !strings.Contains(symbol, "/v") {
		return symbol
	}
	if known, ok := plain.Load(symbol); ok {
		return known.(string)
	}
	out := majorVersion.ReplaceAllString(symbol, "")
	plain.Store(symbol, out)
	return out
}
