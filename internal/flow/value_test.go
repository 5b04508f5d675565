package flow

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
)

func TestValuesAreInterned(t *testing.T) {
	vs := newValues()
	tx, base := vs.one(txAtom, 1), vs.one(baseAtom, 1)
	assert.NotEqual(t, tx, base)
	assert.Equal(t, tx, vs.one(txAtom, 1))
	assert.Equal(t, vs.union(tx, base), vs.union(base, tx))
	assert.Equal(t, vs.union(tx, base), vs.intern([]atom{{baseAtom, 1}, {txAtom, 1}, {baseAtom, 1}}))
	assert.Equal(t, tx, vs.union(tx, tx))
	assert.Equal(t, tx, vs.union(empty, tx))
	assert.Equal(t, tx, vs.union(tx, empty))
	assert.Equal(t, empty, vs.intern(nil))
}

func TestOnly(t *testing.T) {
	vs := newValues()
	tx, text := vs.one(txAtom, foreignTx), vs.text("SELECT 1")
	both := vs.union(tx, text)
	assert.Equal(t, tx, vs.only(both, txAtom))
	assert.Equal(t, both, vs.only(both, txAtom, textAtom))
	assert.Equal(t, empty, vs.only(both, funcAtom))
	id, ok := vs.has(both, txAtom)
	assert.True(t, ok)
	assert.Equal(t, foreignTx, id)
	_, ok = vs.has(both, baseAtom)
	assert.False(t, ok)
}

func TestTextsAndKinds(t *testing.T) {
	vs := newValues()
	assert.Equal(t, vs.text("SELECT 1"), vs.text("SELECT 1"))
	assert.NotEqual(t, vs.text("SELECT 1"), vs.text("SELECT 2"))
	assert.Equal(t, vs.kind("broker"), vs.kind("broker"))
	assert.NotEqual(t, vs.kind("broker"), vs.kind("table"))
}

// TestClosures tells function values apart by what they have captured, bound and where they were made.
func TestClosures(t *testing.T) {
	vs := newValues()
	tx, other := vs.one(txAtom, 1), vs.one(txAtom, 2)
	owner := &graph{Graph: &effect.Graph{ID: "p.F"}}
	closures := []closure{
		{fn: "p.F$1"},
		{fn: "p.F$2"},
		{fn: "p.F$1", env: []value{tx}},
		{fn: "p.F$1", env: []value{other}},
		{fn: "p.F$1", env: []value{tx, other}},
		{fn: "p.F$1", bound: true, recv: tx},
		{fn: "p.F$1", site: 1},
		{fn: "p.F$1", owner: owner},
		{method: effect.MethodKey{Iface: "p.I", Name: "M"}},
	}
	seen := map[value]int{}
	for i, c := range closures {
		v := vs.closure(c)
		assert.NotContains(t, seen, v, "closures %d and %d are not the same", i, seen[v])
		seen[v] = i
		assert.Equal(t, v, vs.closure(c), "closure %d is found again", i)
	}
}

func TestSetsAreBounded(t *testing.T) {
	vs := newValues()
	all := empty
	for i := range int32(maxAtoms + 5) {
		all = vs.union(all, vs.one(baseAtom, i+1))
	}
	assert.Len(t, vs.atoms(all), maxAtoms)
}

func TestBasesAreUnited(t *testing.T) {
	b := newBases()
	b.union("p.Repo.db", "param New 0")
	b.union("param New 0", "p.Service.db")
	assert.Equal(t, b.class("p.Repo.db"), b.class("p.Service.db"))
	assert.NotEqual(t, b.class("p.Repo.db"), b.class("p.Other.db"))
	b.union("p.Other.db", "p.Other.db")
	assert.NotEqual(t, b.class("p.Repo.db"), b.class("p.Other.db"))
}

// TestBasesHaveOneRepresentative unites a chain in every rotation: the name that stands for the class is the same.
func TestBasesHaveOneRepresentative(t *testing.T) {
	names := []string{"d", "a", "c", "b", "e"}
	for shift := range names {
		b := newBases()
		for i := range len(names) - 1 {
			b.union(names[(i+shift)%len(names)], names[(i+1+shift)%len(names)])
		}
		for _, n := range names {
			assert.Equal(t, "a", b.find(n), fmt.Sprintf("shift %d", shift))
		}
	}
}

func TestLikelySame(t *testing.T) {
	b := newBases()
	first, second, third, fourth := b.class("first"), b.class("second"), b.class("third"), b.class("fourth")
	assert.True(t, b.likelySame(first, third), "nothing is known to hold two databases")
	b.separate([]int32{first, second})
	assert.False(t, b.likelySame(first, third), "first is one of two")
	assert.False(t, b.likelySame(third, second))
	assert.True(t, b.likelySame(third, fourth))
	b.separate([]int32{third, third})
	assert.True(t, b.likelySame(third, fourth), "one twice is not two")
}
