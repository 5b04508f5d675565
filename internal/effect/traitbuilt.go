package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// builtTraits looks at a message that is put together here, or a list of some.
func (b *funcBuilder) builtTraits(a *ssa.Alloc, field string, depth int) []Trait {
	t := deref(a.Type())
	if _, isArray := t.Underlying().(*types.Array); isArray {
		var out []Trait
		for _, ref := range *a.Referrers() {
			if ia, ok := ref.(*ssa.IndexAddr); ok {
				out = addTraits(out, b.elementTraits(ia, field, depth)...)
			}
		}
		return out
	}
	c := b.contentOf(a)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || len(c.whole) > 0 {
		var out []Trait
		for _, val := range c.whole {
			out = addTraits(out, b.messageTraits(val, field, depth+1)...)
		}
		if ok && b.fieldSet(c, st, field) {
			return b.fieldTraits(c, st, field)
		}
		return out
	}
	switch {
	case b.fieldSet(c, st, field):
		return b.fieldTraits(c, st, field)
	case placed(c, st) || b.handedAway(a):
		return []Trait{{}}
	}
	return []Trait{{Kind: Unkeyed}}
}

func (b *funcBuilder) fieldSet(c *allocContent, st *types.Struct, field string) bool {
	for f := range st.NumFields() {
		if st.Field(f).Name() == field && len(c.fields[f]) > 0 {
			return true
		}
	}
	return false
}

func (b *funcBuilder) fieldTraits(c *allocContent, st *types.Struct, field string) []Trait {
	var out []Trait
	for f := range st.NumFields() {
		if st.Field(f).Name() == field {
			for _, val := range c.fields[f] {
				out = addTraits(out, b.keyTraits(val, 0)...)
			}
		}
	}
	return out
}

// placed reports whether a partition is picked by hand.
func placed(c *allocContent, st *types.Struct) bool {
	for f, vals := range c.fields {
		if name := st.Field(f).Name(); name != "Partition" && name != "TopicPartition" {
			continue
		}
		for _, val := range vals {
			if basic, ok := val.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
				if _, isConst := val.(*ssa.Const); !isConst {
					return true
				}
			} else if _, isStruct := val.Type().Underlying().(*types.Struct); isStruct {
				return true // put together elsewhere
			}
		}
	}
	return false
}

// handedAway reports whether a variable's address goes to a function of the program that may set the rest of it.
func (b *funcBuilder) handedAway(a *ssa.Alloc) bool {
	return slices.ContainsFunc(*a.Referrers(), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		if !ok || len(b.rowsFor(call.Common())) > 0 {
			return false
		}
		n := b.nodes[call]
		return n == nil || n.Effect == nil && call.Parent() == a.Parent() && setsUp(call)
	})
}

// setsUp reports whether a function fills in what it is given, going by what it gives back: nothing, or an error of one
// that is not named after sending.
func setsUp(call *ssa.Call) bool {
	obj := calledObject(call.Common())
	if obj == nil {
		return false
	}
	name := strings.ToLower(obj.Name())
	return slices.ContainsFunc([]string{"set", "fill", "with", "add", "apply", "inject", "decorate", "prepare", "key", "partition"}, func(w string) bool {
		return strings.Contains(name, w)
	})
}
