package effect

import (
	"cmp"
	"slices"
)

// RootKind says what kind of place a handle comes from.
type RootKind uint8

// The kinds of roots.
const (
	ParamRoot  RootKind = iota // parameter Index
	FreeRoot                   // free variable Index
	GlobalRoot                 // package variable Name
	ScopeRoot                  // the transaction begun by node Node
	CallRoot                   // result Index of the call in node Node
	FuncRoot                   // the function value made at closure site Index
	FieldRoot                  // field Name of an object that is not followed
	KindRoot                   // a publisher constructed as Name ("broker", "inprocess", "table")
	TextRoot                   // the SQL text Name
	TypeRoot                   // some transaction, known by its type only
)

// A Root is where a handle comes from.
type Root struct {
	Kind  RootKind
	Node  int
	Index int
	Name  string
	// Field is the last field that was read on the way, "pkg.T.f": what is in it is known program-wide.
	Field string
	// Role is what the type of the value (after Field) allows it to be.
	Role TypeRole
	// Elem says that the value was taken out of a slice, map or channel.
	Elem bool
}

// Roots is a small sorted set of roots.
type Roots []Root

// maxRoots bounds a set: a value that mixes more sources than this says nothing about any of them. A table of functions is
// longer.
const (
	maxRoots     = 12
	maxFunctions = 256
)

func compareRoot(a, b Root) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Index, b.Index),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Field, b.Field), boolCompare(a.Elem, b.Elem), cmp.Compare(a.Role, b.Role))
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// add puts more roots into the set and keeps it sorted and bounded.
func (rs Roots) add(more ...Root) Roots {
	for _, r := range more {
		if i, found := slices.BinarySearchFunc(rs, r, compareRoot); !found && (len(rs) < maxRoots || r.Kind == FuncRoot && len(rs) < maxFunctions) {
			rs = slices.Insert(slices.Clip(rs), i, r)
		}
	}
	return rs
}

// An Origin is where data comes from, numbered within a graph: the values that two steps have in common decide whether
// one announces the other.
type Origin struct {
	Kind  OriginKind
	Node  int // of CallOrigin
	Index int // of ParamOrigin, FreeOrigin
	Name  string
}

// OriginKind says what kind of place data comes from.
type OriginKind uint8

// The kinds of origins.
const (
	ParamOrigin OriginKind = iota
	FreeOrigin
	FieldOrigin // a field of the receiver
	LocalOrigin // something made in the function
	CallOrigin  // a result of the call in Node
	SumOrigin   // the sum that Graph.Adds has at Index
)

// Origins is a sorted set of indexes into Graph.Origins.
type Origins []int

// maxOrigins bounds a set of origins.
const maxOrigins = 48

func (os Origins) add(more ...int) Origins {
	for _, o := range more {
		if i, found := slices.BinarySearch(os, o); !found && len(os) < maxOrigins {
			os = slices.Insert(slices.Clip(os), i, o)
		}
	}
	return os
}

// Common reports whether two sets share an origin.
func (os Origins) Common(other Origins) bool {
	i, j := 0, 0
	for i < len(os) && j < len(other) {
		switch {
		case os[i] == other[j]:
			return true
		case os[i] < other[j]:
			i++
		default:
			j++
		}
	}
	return false
}
