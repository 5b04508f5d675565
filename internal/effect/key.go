package effect

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// keyEffect says what a call does to a key of a key-value store, which for some rows depends on the call's arguments and
// on what becomes of its result. It is "" for what says nothing about keys.
func (b *funcBuilder) keyEffect(instr ssa.CallInstruction, row *model.Row) model.Effect {
	c := instr.Common()
	switch row.Kind {
	case model.Command:
		name, args := b.command(c, row)
		return b.commandEffect(instr, name, args)
	case model.Script:
		return scriptEffect(b.scriptText(c, row))
	case model.Options:
		if b.notExists(c) {
			return model.Claim
		}
	case model.Asked:
		if b.askedResult(instr.Value(), 0) {
			return model.Claim
		}
	case model.Chain:
		if _, nx := b.laterSteps(instr); nx {
			return model.Claim
		}
	}
	if strings.HasPrefix(row.Symbol, "(*sync.Map)") {
		if localMap(receiverOf(c)) {
			return "" // of this call only
		}
	}
	return row.Effect
}

// localMap reports whether a map lives no longer than the function.
func localMap(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return true
	}
	return false
}

// command gives a command that stands in the arguments: its name and what follows.
func (b *funcBuilder) command(c *ssa.CallCommon, row *model.Row) (string, []ssa.Value) {
	i := row.Key.Index
	if receiverOf(c) != nil && !c.IsInvoke() {
		i++
	}
	if i >= len(c.Args) {
		return "", nil
	}
	args := spread(c.Args[i:])
	if len(args) == 0 {
		return "", nil
	}
	name, ok := b.text(inner(args[0]), 0)
	if !ok {
		return "", nil
	}
	return strings.ToUpper(name), args[1:]
}

// redisCommands are the commands that look at, set or count under a key.
var redisCommands = map[string]model.Effect{
	"GET": model.Lookup, "EXISTS": model.Lookup, "HGET": model.Lookup, "HEXISTS": model.Lookup, "SISMEMBER": model.Lookup,
	"SET": model.Remember, "SETEX": model.Remember, "PSETEX": model.Remember, "HSET": model.Remember, "HMSET": model.Remember,
	"SADD": model.Remember, "ZADD": model.Remember, "GETSET": model.Remember,
	"SETNX": model.Claim, "HSETNX": model.Claim,
	"INCR": model.Count, "INCRBY": model.Count, "INCRBYFLOAT": model.Count, "DECR": model.Count, "DECRBY": model.Count,
	"HINCRBY": model.Count, "HINCRBYFLOAT": model.Count, "ZINCRBY": model.Count,
}

func (b *funcBuilder) commandEffect(instr ssa.CallInstruction, name string, args []ssa.Value) model.Effect {
	switch name {
	case "EVAL":
		if len(args) > 0 {
			t, _ := b.text(inner(args[0]), 0)
			return scriptEffect(t)
		}
	case "SET":
		for _, a := range args {
			if t, ok := b.text(inner(a), 0); ok && strings.EqualFold(t, "NX") {
				return model.Claim
			}
		}
	case "SADD", "ZADD", "GETSET":
		if b.askedResult(instr.Value(), 0) {
			return model.Claim
		}
	}
	return redisCommands[name]
}

// notExists reports whether an argument holds options that say NX: SetArgs{Mode: "NX"}.
func (b *funcBuilder) notExists(c *ssa.CallCommon) bool {
	for _, a := range stepArgs(c) {
		if _, ok := deref(a.Type()).Underlying().(*types.Struct); !ok {
			continue
		}
		entries, _ := b.entries(a)
		for _, e := range entries {
			if t, ok := b.text(e.value, 0); e.key == "mode" && ok && strings.EqualFold(t, "NX") {
				return true
			}
		}
	}
	return false
}

// laterSteps follows a builder from its first step on: what is given to Key, Field and Member, and whether NX is said.
func (b *funcBuilder) laterSteps(instr ssa.CallInstruction) (keys []ssa.Value, nx bool) {
	v := ssa.Value(instr.Value())
	for range maxChain {
		next := nextStep(v)
		if next == nil {
			return keys, nx
		}
		switch obj := calledObject(next.Common()); obj.Name() {
		case "Key", "Field", "Member":
			keys = append(keys, stepArgs(next.Common())...)
		case "Nx":
			nx = true
		}
		v = next
	}
	return keys, nx
}

// nextStep is the call of a method of v.
func nextStep(v ssa.Value) *ssa.Call {
	if v == nil || v.Referrers() == nil {
		return nil
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			if receiverOf(ref.Common()) == v && calledObject(ref.Common()) != nil {
				return ref
			}
		case *ssa.ChangeType:
			return nextStep(ref)
		}
	}
	return nil
}

// scriptText finds the Lua of a script: an argument, or what the script object was made of.
func (b *funcBuilder) scriptText(c *ssa.CallCommon, row *model.Row) string {
	v := b.argValue(c, row.SQL)
	if row.SQL.IsZero() {
		v = b.argValue(c, row.Handle)
	}
	for range maxTextDepth {
		if v == nil {
			return ""
		}
		if isString(v.Type()) {
			t, _ := b.text(v, 0)
			return t
		}
		v = b.scriptSource(v)
	}
	return ""
}

// scriptSource goes one step back from a script object towards its text.
func (b *funcBuilder) scriptSource(v ssa.Value) ssa.Value {
	v = b.plain(v)
	switch x := v.(type) {
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok {
			return b.initialValue(g)
		}
		if fa, ok := x.X.(*ssa.FieldAddr); ok {
			return b.assignedOnce(fa)
		}
	case *ssa.Call:
		obj := calledObject(x.Common())
		if obj != nil && strings.HasPrefix(obj.Name(), "New") {
			for _, a := range x.Common().Args { // redigo's NewScript counts the keys first
				if isString(a.Type()) {
					return a
				}
			}
		}
		if rs := b.returned(x, 0); len(rs) == 1 {
			return rs[0]
		}
	}
	return nil
}

// initialValue is what a package variable is initialised with.
func (b *funcBuilder) initialValue(g *ssa.Global) ssa.Value {
	if g.Pkg != b.in.SSA {
		return nil
	}
	for _, block := range g.Pkg.Func("init").Blocks {
		for _, instr := range block.Instrs {
			if st, ok := instr.(*ssa.Store); ok && st.Addr == g {
				return st.Val
			}
		}
	}
	return nil
}

var (
	luaCounts = regexp.MustCompile(`['"](incr|incrby|incrbyfloat|decr|decrby|hincrby|hincrbyfloat|zincrby)['"]`)
	luaClaims = regexp.MustCompile(`['"](exists|hexists|sismember|setnx|hsetnx|nx|sadd)['"]`)
	luaGets   = regexp.MustCompile(`['"]h?get['"]`)
)

// scriptEffect says what a Lua script does: it counts, or it looks first and is a claim.
func scriptEffect(text string) model.Effect {
	low := strings.ToLower(text)
	counts := luaCounts.FindStringIndex(low)
	switch get := luaGets.FindStringIndex(low); {
	case luaClaims.MatchString(low):
		return model.Claim
	case counts == nil:
		return ""
	case get != nil && get[0] < counts[0] && strings.Contains(low[get[0]:counts[0]], "return"):
		return model.Claim
	}
	return model.Count
}

// askedResult reports whether the code looks at what a command gives back: through Result and Val of go-redis, or
// through a helper such as redigo's redis.Int.
func (b *funcBuilder) askedResult(v ssa.Value, depth int) bool {
	if v == nil || v.Referrers() == nil || depth > maxUseDepth {
		return false
	}
	if _, basic := v.Type().Underlying().(*types.Basic); basic {
		return b.decides(v, depth)
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Extract:
			if ref.Index == 0 && b.askedResult(ref, depth+1) {
				return true
			}
		case *ssa.TypeAssert:
			if b.askedResult(ref, depth+1) {
				return true
			}
		case *ssa.Call:
			if name := methodName(ref); name != "Err" && name != "Error" && name != "String" && b.askedResult(ref, depth+1) {
				return true
			}
		case *ssa.Return:
			return true
		}
	}
	return false
}

func methodName(call *ssa.Call) string {
	if obj := calledObject(call.Common()); obj != nil {
		return obj.Name()
	}
	return ""
}

// fillKey notes where the key comes from that an effect is about.
func (b *funcBuilder) fillKey(n *Node, instr ssa.CallInstruction, row *model.Row) {
	c := instr.Common()
	e := n.Effect
	e.Handle = nil // which store it is does not matter, and costs frames
	e.Exists = e.Kind == model.Lookup
	note := func(vs ...ssa.Value) {
		for _, v := range vs {
			if v != nil {
				e.Message = e.Message.add(b.dataOf(v)...)
			}
		}
	}
	switch row.Kind {
	case model.Command:
		note(b.commandKey(b.command(c, row))...)
	case model.Chain:
		keys, _ := b.laterSteps(instr)
		note(keys...)
	default:
		note(b.argValue(c, row.Key))
		if !row.Message.IsZero() {
			note(b.argValue(c, row.Message))
		}
	}
}

// commandKey picks the key of a command that stands in the arguments, and the field or member of those that have one.
func (b *funcBuilder) commandKey(name string, args []ssa.Value) []ssa.Value {
	switch {
	case name == "EVAL":
		return args
	case strings.HasPrefix(name, "H"), name == "SADD", name == "SISMEMBER":
		return args[:min(len(args), 2)]
	case strings.HasPrefix(name, "Z"):
		return args
	}
	return args[:min(len(args), 1)]
}
