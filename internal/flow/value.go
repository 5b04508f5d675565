package flow

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/dmlint/dmlint/internal/effect"
)

// A value is what is known of a handle or function value where the flow has got to: a small set of atoms, interned, so
// that two bindings are the same exactly when their numbers are.
type value int32

// empty is the value about which nothing is known.
const empty value = 0

type atomKind uint8

const (
	txAtom   atomKind = iota // a transaction; id is the class of the base that it was begun on
	baseAtom                 // a database handle outside any transaction; id is its class
	funcAtom                 // a function value; id indexes the closures
	kindAtom                 // a publisher constructed as a kind; id indexes kinds
	textAtom                 // a SQL text; id indexes the texts
	poolAtom                 // beside a base: its type can be no transaction
)

type atom struct {
	kind atomKind
	id   int32
}

// Ids of transactions that are not begun in sight.
const (
	unknownClass int32 = 0
	foreignTx    int32 = -1 // a transaction by its type: somebody else began it
	nestedTx     int32 = -2 // begun on a transaction: a savepoint
)

// A closure is a function value with what it has captured.
type closure struct {
	fn     effect.FuncID
	method effect.MethodKey
	bound  bool
	recv   value
	env    []value
	// site and owner tell where it was made: a frame of owner shares its captured variables.
	owner *graph
	site  int
}

// values interns atom sets, closures and texts.
type values struct {
	sets     [][]atom
	byKey    map[string]value
	closures []closure
	byClos   map[string]int32
	texts    []string
	byText   map[string]int32
	kinds    []string
}

func newValues() *values {
	return &values{sets: [][]atom{nil}, byKey: map[string]value{"": empty}, byClos: map[string]int32{}, byText: map[string]int32{}}
}

// maxAtoms bounds a set: with more alternatives than this nothing is known.
const maxAtoms = 16

func (vs *values) intern(atoms []atom) value {
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id)) })
	atoms = slices.Compact(atoms)
	if len(atoms) > maxAtoms {
		atoms = atoms[:maxAtoms]
	}
	var key []byte
	for _, a := range atoms {
		key = append(key, byte(a.kind))
		key = binary.LittleEndian.AppendUint32(key, uint32(a.id))
	}
	v, ok := vs.byKey[string(key)]
	if !ok {
		v = value(len(vs.sets))
		vs.sets = append(vs.sets, slices.Clone(atoms))
		vs.byKey[string(key)] = v
	}
	return v
}

func (vs *values) atoms(v value) []atom { return vs.sets[v] }

func (vs *values) one(kind atomKind, id int32) value { return vs.intern([]atom{{kind, id}}) }

func (vs *values) union(a, b value) value {
	if a == b || b == empty {
		return a
	}
	if a == empty {
		return b
	}
	return vs.intern(slices.Concat(vs.atoms(a), vs.atoms(b)))
}

// only keeps the atoms of the given kinds.
func (vs *values) only(v value, kinds ...atomKind) value {
	atoms := vs.atoms(v)
	if len(atoms) == 0 {
		return empty
	}
	var keep []atom
	for _, a := range atoms {
		if slices.Contains(kinds, a.kind) {
			keep = append(keep, a)
		}
	}
	if len(keep) == len(atoms) {
		return v
	}
	return vs.intern(keep)
}

// has reports whether v holds an atom of the kind, and gives the first one's id.
func (vs *values) has(v value, kind atomKind) (id int32, ok bool) {
	for _, a := range vs.atoms(v) {
		if a.kind == kind {
			return a.id, true
		}
	}
	return 0, false
}

func (vs *values) text(s string) value {
	id, ok := vs.byText[s]
	if !ok {
		id = int32(len(vs.texts))
		vs.texts = append(vs.texts, s)
		vs.byText[s] = id
	}
	return vs.one(textAtom, id)
}

func (vs *values) kind(name string) value {
	i := slices.Index(vs.kinds, name)
	if i < 0 {
		i = len(vs.kinds)
		vs.kinds = append(vs.kinds, name)
	}
	return vs.one(kindAtom, int32(i))
}

// closure interns a function value.
func (vs *values) closure(c closure) value {
	key := []byte(c.fn)
	key = append(key, 0)
	key = append(key, c.method.Iface...)
	key = append(key, c.method.Name...)
	key = binary.LittleEndian.AppendUint32(key, uint32(c.site))
	key = binary.LittleEndian.AppendUint32(key, uint32(c.recv))
	for _, e := range c.env {
		key = binary.LittleEndian.AppendUint32(key, uint32(e))
	}
	if c.owner != nil {
		key = append(key, c.owner.ID...)
	}
	id, ok := vs.byClos[string(key)]
	if !ok {
		id = int32(len(vs.closures))
		vs.closures = append(vs.closures, c)
		vs.byClos[string(key)] = id
	}
	return vs.one(funcAtom, id)
}
