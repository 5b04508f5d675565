package effect

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
)

// ConfirmedKind is the kind of a consumer, or of a channel of messages, whose messages are confirmed when they are handed
// out. Behind a colon stands the step that has chosen that, where it is not the receipt itself: see [ChosenAt].
const ConfirmedKind = "confirmed"

// settlingOf says how the messages of a receipt, a subscription or a consumer are confirmed, as far as the call shows it.
// Options that are not in sight may say anything.
func (b *funcBuilder) settlingOf(c *ssa.CallCommon, row *model.Row) model.Settling {
	if row.Settles == "" {
		return ""
	}
	list, sure := b.optionsOf(c)
	for _, o := range row.Unless {
		if slices.Contains(list, o) {
			return ""
		}
	}
	if len(row.Unless) > 0 && !sure {
		return ""
	}
	if row.Settles != model.OnReceipt {
		if slices.ContainsFunc(row.With, func(o string) bool { return slices.Contains(list, o) }) {
			return model.OnReceipt
		}
		return row.Settles
	}
	if row.When.IsZero() && len(row.With) == 0 || b.saysYes(c, row.When) || slices.ContainsFunc(row.With, func(o string) bool { return slices.Contains(list, o) }) {
		return model.OnReceipt
	}
	return ""
}

// optionsOf lists the options and the settings of a configuration ("key=value") among the arguments of a call; sure means
// that none is out of sight.
func (b *funcBuilder) optionsOf(c *ssa.CallCommon) (list []string, sure bool) {
	sure = true
	for i, a := range c.Args {
		a = b.plain(a)
		switch t := a.Type().Underlying().(type) {
		case *types.Slice:
			if !c.Signature().Variadic() || i != len(c.Args)-1 {
				continue
			}
			if isNil(a) {
				continue
			}
			for _, v := range variadic(a) {
				list = append(list, optionName(v))
			}
			sure = sure && len(variadic(a)) > 0 && !slices.Contains(list, "")
		case *types.Pointer:
			if _, ok := t.Elem().Underlying().(*types.Map); ok {
				settings, known := b.settings(a)
				list, sure = append(list, settings...), sure && known
			}
		case *types.Map:
			settings, known := b.settings(a)
			list, sure = append(list, settings...), sure && known
		}
	}
	return list, sure
}

// optionName is the name of the function that makes an option, or "".
func optionName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return optionName(v.X)
	case *ssa.ChangeInterface:
		return optionName(v.X)
	case *ssa.ChangeType:
		return optionName(v.X)
	case *ssa.Call:
		if obj := calledObject(v.Common()); obj != nil {
			return obj.Name()
		}
	case *ssa.UnOp:
		return optionName(v.X)
	case *ssa.Global:
		return v.Name()
	case *ssa.Function:
		return v.Name()
	}
	return ""
}

// settings lists what a map of settings holds. One whose value is not known counts as if it had every value.
func (b *funcBuilder) settings(v ssa.Value) (list []string, known bool) {
	entries, known := b.entries(v)
	for _, e := range entries {
		value := e.value
		if mi, ok := value.(*ssa.MakeInterface); ok {
			value = mi.X
		}
		if c, ok := value.(*ssa.Const); ok && c.Value != nil {
			text := c.Value.ExactString()
			if c.Value.Kind() == constant.String {
				text = constant.StringVal(c.Value)
			}
			list = append(list, e.key+"="+text)
			continue
		}
		list = append(list, e.key+"=true", e.key+"=false")
	}
	return list, known && len(list) > 0
}

// saysYes reports whether an argument, or a field of one, is true, or a text that is not empty.
func (b *funcBuilder) saysYes(c *ssa.CallCommon, arg model.Arg) bool {
	v := b.argValue(c, arg)
	if v == nil || arg.IsZero() {
		return false
	}
	if arg.Field == "" {
		k, ok := v.(*ssa.Const)
		return ok && k.Value != nil && k.Value.Kind() == constant.Bool && constant.BoolVal(k.Value)
	}
	a := localObject(v)
	if a == nil {
		if load, ok := v.(*ssa.UnOp); ok {
			a, _ = load.X.(*ssa.Alloc)
		}
	}
	if a == nil {
		return false
	}
	st, ok := deref(a.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == arg.Field {
			return slices.ContainsFunc(b.contentOf(a).fields[i], func(v ssa.Value) bool {
				k, ok := v.(*ssa.Const)
				return !ok || k.Value != nil && k.Value.ExactString() != `""`
			})
		}
	}
	return false
}

// confirmedRoot marks the result of a call that makes a consumer, or gives a channel, of messages that are confirmed when
// they are handed out.
func (b *funcBuilder) confirmedRoot(call *ssa.Call, row *model.Row, rs Roots) Roots {
	if b.settlingOf(call.Common(), row) != model.OnReceipt {
		return rs
	}
	name := ConfirmedKind
	if n := b.nodes[call]; n != nil {
		name += ":" + string(b.g.ID) + "#" + strconv.Itoa(n.ID)
	}
	return rs.add(Root{Kind: KindRoot, Name: name})
}

// ChosenAt gives the function and the node of the step that a kind of confirmed messages was chosen at.
func ChosenAt(kind string) (FuncID, int, bool) {
	rest, ok := strings.CutPrefix(kind, ConfirmedKind+":")
	i := strings.LastIndexByte(rest, '#')
	if !ok || i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(rest[i+1:])
	return FuncID(rest[:i]), n, err == nil
}

// choose gives a node to the call by which a channel of messages is opened, if it says that these are confirmed when they
// come out: that is where a reviewer looks.
func (b *funcBuilder) choose(instr ssa.CallInstruction, row *model.Row) {
	call, ok := instr.(*ssa.Call)
	if !ok || b.settlingOf(instr.Common(), row) != model.OnReceipt {
		return
	}
	b.newNode(call).Op = OpMove
}
