package effect

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// Conduct is what a function does about others that run at the same time.
type Conduct struct {
	// Locks says that it takes a lock that other processes respect, Elects that who holds it does the whole program's work.
	Locks, Elects bool
	// Waits says that it waits for the outcome of something that was begun before.
	Waits bool
	// Mentions are functions that it gives away as values of no particular type: they are called by reflection.
	Mentions []FuncID
}

// findLock notes a lock that other processes respect. What is given to be run under it is called.
func (b *funcBuilder) findLock(instr ssa.CallInstruction, row *model.Row) {
	switch row.Kind {
	case model.Rows: // a step of a query
		return
	case model.Elected:
		b.g.Elects = true
	}
	b.g.Locks = true
	b.findLibraryCall(instr)
}

// locksRows reports whether a builder is given a piece that locks the rows which are read.
func (b *funcBuilder) locksRows(data []ssa.Value) bool {
	for _, a := range data {
		for _, v := range append(variadic(a), a) {
			if mi, ok := v.(*ssa.MakeInterface); ok {
				v = mi.X
			}
			if call, ok := v.(*ssa.Call); ok {
				if rows := b.rowsFor(call.Common()); len(rows) > 0 && rows[0].Effect == model.Lock && rows[0].Kind == model.Rows {
					return true
				}
			}
		}
	}
	return false
}

// lockNames are what methods are called that give one of several processes the right to go on. Lock alone is no such name:
// most mutexes are of one process.
var lockNames = []string{"trylock", "acquirelock", "obtainlock", "withlock", "tryacquire", "isleader", "runorelect", "acquirelease", "withleader"}

// hearsOfLock notes a lock of a library that has no model, or of the program itself, by its name: a relay under a lock
// that is not understood is not said to have none.
func (b *funcBuilder) hearsOfLock(c *ssa.CallCommon) {
	obj := calledObject(c)
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() == "sync" || strings.HasPrefix(obj.Pkg().Path(), "golang.org/x/sync") {
		return
	}
	name, pkg := strings.ToLower(obj.Name()), strings.ToLower(obj.Pkg().Name())
	locker := strings.Contains(pkg, "lock") && !strings.Contains(pkg, "block") && !strings.Contains(pkg, "clock") || strings.Contains(pkg, "leader")
	takes := slices.Contains([]string{"do", "lock", "acquire", "obtain", "run", "get", "campaign"}, name)
	if locker && takes || slices.Contains(lockNames, name) {
		b.g.Locks = true
	}
}

// mentions lists the functions that are given away as a value of no particular type: to a scheduler that calls them by
// reflection.
func (b *funcBuilder) mentions() []FuncID {
	var out []FuncID
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			mi, ok := instr.(*ssa.MakeInterface)
			if !ok {
				continue
			}
			var fn *ssa.Function
			switch x := mi.X.(type) {
			case *ssa.MakeClosure:
				fn, _ = x.Fn.(*ssa.Function)
			case *ssa.Function:
				fn = x
			}
			if fn == nil {
				continue
			}
			if target, _ := unwrap(fn); b.inProgram(target) && !slices.Contains(out, idOf(target)) {
				out = append(out, idOf(target))
			}
		}
	}
	return out
}
