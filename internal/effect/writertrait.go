package effect

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// writes reports whether a type is a writer of which it depends on how it was made whether it goes by keys.
func (b *funcBuilder) writes(t types.Type) bool {
	switch name := typeName(deref(t)); name {
	case "github.com/segmentio/kafka-go.Writer", "github.com/ThreeDotsLabs/watermill/message.Publisher",
		"github.com/ThreeDotsLabs/watermill/components/cqrs.EventBus", "github.com/ThreeDotsLabs/watermill/components/cqrs.CommandBus":
		return true
	default:
		return strings.HasPrefix(name, "github.com/ThreeDotsLabs/watermill-") && strings.HasSuffix(name, ".Publisher")
	}
}

// writerTraits says whether a writer goes by the keys of what it writes.
func (b *funcBuilder) writerTraits(v ssa.Value, depth int) []Trait {
	if v == nil || depth > maxPartDepth {
		return []Trait{{}}
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return []Trait{{Kind: FromParam, Index: b.params[v]}}
	case *ssa.Global:
		return []Trait{{Kind: FromCell, Cell: globalName(v)}}
	case *ssa.UnOp:
		return b.writerTraits(v.X, depth+1)
	case *ssa.ChangeInterface:
		return b.writerTraits(v.X, depth+1)
	case *ssa.MakeInterface:
		return b.writerTraits(v.X, depth+1)
	case *ssa.FieldAddr:
		return b.heldWriter(v.X, v.Field, depth)
	case *ssa.Field:
		return b.heldWriter(v.X, v.Field, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return b.constructedTraits(call, v.Index, depth)
		}
	case *ssa.Call:
		return b.constructedTraits(v, 0, depth)
	case *ssa.Alloc:
		return b.allocatedWriter(v, depth)
	}
	return []Trait{{}}
}

func (b *funcBuilder) heldWriter(x ssa.Value, field, depth int) []Trait {
	if a := localObject(x); a != nil {
		if vals := b.contentOf(a).fields[field]; len(vals) > 0 {
			return b.writerTraits(vals[0], depth+1)
		}
	}
	name, _ := cellName(x.Type(), field)
	return []Trait{{Kind: FromCell, Cell: name}}
}

// allocatedWriter is a writer that is written down here: without a balancer kafka-go goes round the partitions.
func (b *funcBuilder) allocatedWriter(a *ssa.Alloc, depth int) []Trait {
	c := b.contentOf(a)
	st, ok := deref(a.Type()).Underlying().(*types.Struct)
	if !ok || typeName(deref(a.Type())) != "github.com/segmentio/kafka-go.Writer" || len(c.whole) > 0 {
		var out []Trait
		for _, val := range c.whole {
			out = addTraits(out, b.writerTraits(val, depth+1)...)
		}
		return out
	}
	return []Trait{b.balance(c, st)}
}

// balance says whether the settings of a writer of kafka-go make it go by keys.
func (b *funcBuilder) balance(c *allocContent, st *types.Struct) Trait {
	for f, vals := range c.fields {
		if st.Field(f).Name() != "Balancer" {
			continue
		}
		for _, val := range vals {
			switch typeName(deref(inner(val).Type())) {
			case "github.com/segmentio/kafka-go.RoundRobin", "github.com/segmentio/kafka-go.LeastBytes":
			default:
				if !isEmpty(val) {
					return Trait{}
				}
			}
		}
	}
	return Trait{Kind: Unkeyed}
}

// constructedTraits is a writer that a call makes.
func (b *funcBuilder) constructedTraits(call *ssa.Call, result, depth int) []Trait {
	if n := b.nodes[call]; n != nil {
		return []Trait{{Kind: FromCall, Node: n.ID, Index: result}}
	}
	obj := calledObject(call.Common())
	if obj == nil || obj.Pkg() == nil {
		return []Trait{{}}
	}
	args, path := stepArgs(call.Common()), obj.Pkg().Path()
	switch {
	case path == "github.com/segmentio/kafka-go" && obj.Name() == "NewWriter" && len(args) == 1:
		if a := localObject(args[0]); a != nil {
			if st, ok := deref(a.Type()).Underlying().(*types.Struct); ok && len(b.contentOf(a).whole) == 0 {
				return []Trait{b.balance(b.contentOf(a), st)}
			}
		}
		return []Trait{{}}
	case strings.Contains(path, "watermill-kafka") && obj.Name() == "NewPublisher":
		return []Trait{b.marshals(args)}
	case strings.Contains(path, "ThreeDotsLabs/watermill") && strings.HasPrefix(obj.Name(), "New"):
		if rows := b.rowsFor(call.Common()); len(rows) > 0 && rows[0].Kind == model.Wrap {
			return b.writerTraits(b.argValue(call.Common(), rows[0].Handle), depth+1)
		}
		return []Trait{{Kind: Apart}}
	}
	return []Trait{{}}
}

// marshals says whether the marshaler in the settings of a publisher gives messages a key.
func (b *funcBuilder) marshals(args []ssa.Value) Trait {
	for _, a := range args {
		v := localObject(a)
		if v == nil {
			if typeName(inner(a).Type()) != "" && strings.HasSuffix(typeName(inner(a).Type()), "/kafka.DefaultMarshaler") {
				return Trait{Kind: Unkeyed}
			}
			continue
		}
		st, ok := deref(v.Type()).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f, vals := range b.contentOf(v).fields {
			if st.Field(f).Name() == "Marshaler" && len(vals) == 1 && strings.HasSuffix(typeName(deref(inner(vals[0]).Type())), "/kafka.DefaultMarshaler") {
				return Trait{Kind: Unkeyed}
			}
		}
	}
	return Trait{}
}

// cellTraits lists the writers that are put where other functions can find them.
func (b *funcBuilder) cellTraits() []ArgTrait {
	var out []ArgTrait
	for _, block := range b.fn.Blocks {
		for _, instr := range block.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || !b.writes(st.Val.Type()) {
				continue
			}
			for _, cell := range b.cellsOf(st.Addr, 0) {
				out = append(out, ArgTrait{Cell: cell, Writer: true, Traits: b.writerTraits(st.Val, 0)})
			}
		}
	}
	return out
}

// topicOf is the text of where a message goes.
func (b *funcBuilder) topicOf(c *ssa.CallCommon, row *model.Row, message ssa.Value) string {
	if row.Topic.IsZero() {
		return ""
	}
	if row.Topic.Field == "" {
		if v := b.argValue(c, row.Topic); v != nil && isString(v.Type()) {
			text, _ := b.textOf(v)
			return text
		}
		return ""
	}
	for _, a := range b.builtMessages(message, 0) {
		st := deref(a.Type()).Underlying().(*types.Struct)
		for f, vals := range b.contentOf(a).fields {
			if st.Field(f).Name() == row.Topic.Field && len(vals) > 0 {
				text, _ := b.textOf(vals[0])
				return text
			}
		}
	}
	return ""
}

// builtMessages are the structs that a message, or the first of a list, is put together as.
func (b *funcBuilder) builtMessages(v ssa.Value, depth int) []*ssa.Alloc {
	if depth > maxRequestDepth {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		if _, ok := deref(v.Type()).Underlying().(*types.Struct); ok {
			return []*ssa.Alloc{v}
		}
		var out []*ssa.Alloc
		for _, val := range b.contentOf(v).whole {
			out = append(out, b.builtMessages(val, depth+1)...)
		}
		return out
	case *ssa.Slice:
		return b.builtMessages(v.X, depth+1)
	case *ssa.UnOp:
		return b.builtMessages(v.X, depth+1)
	}
	return nil
}

// infraIDs are IDs that belong to no entity of the business.
var infraIDs = []string{"event_id", "message_id", "msg_id", "trace_id", "span_id", "request_id", "correlation_id", "causation_id", "session_id",
	"host_id", "instance_id", "node_id", "client_id", "process_id", "worker_id", "job_id", "run_id", "delivery_id", "parent_id", "log_id", "batch_id",
	"consumer_id", "producer_id", "chat_id", "template_id", "uuid", "guid", "tenant_id", "environment_id", "metric_id", "group_id"}

// EntityName reports whether a name is that of the ID of an entity.
func EntityName(name string) bool {
	name = sqltext.Snake(name)
	known := slices.ContainsFunc([]string{"_id", "_sn", "_no", "_number", "_uuid"}, func(end string) bool { return strings.HasSuffix(name, end) })
	return known && !slices.Contains(infraIDs, name)
}

// entityIn looks for the ID of an entity in what goes into a value: fields that are read, types that are encoded, and
// parameters.
func (b *funcBuilder) entityIn(v ssa.Value) string {
	w := &entityWalk{funcBuilder: b, seen: map[ssa.Value]bool{}}
	w.visit(v, 0)
	return w.found
}

type entityWalk struct {
	*funcBuilder
	seen  map[ssa.Value]bool
	found string
}

func (w *entityWalk) visit(v ssa.Value, depth int) {
	if v == nil || w.found != "" || depth > maxDataDepth || w.seen[v] || len(w.seen) > maxSourceSteps {
		return
	}
	w.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Global, *ssa.Builtin:
		return
	case *ssa.Parameter:
		if EntityName(v.Name()) {
			w.found = v.Name()
		} else if !(w.g.Method && w.params[v] == 0) {
			w.typed(v.Type())
		}
		return
	case *ssa.FieldAddr:
		w.named(fieldName(v.X.Type(), v.Field), v.X)
		return
	case *ssa.Field:
		w.named(fieldName(v.X.Type(), v.Field), v.X)
		return
	case *ssa.Alloc:
		w.typed(v.Type())
		c := w.contentOf(v)
		for _, val := range c.whole {
			w.visit(val, depth+1)
		}
		for _, vals := range c.fields {
			for _, val := range vals {
				w.visit(val, depth+1)
			}
		}
		return
	case *ssa.Call:
		if recv := receiverOf(v.Common()); recv == nil || !w.service(recv.Type()) {
			for _, a := range v.Call.Args {
				w.visit(a, depth+1)
			}
		}
		return
	case *ssa.Extract:
		w.visit(v.Tuple, depth+1)
		return
	case *ssa.MakeMap:
		w.mapped(v, depth)
		return
	case *ssa.MakeInterface:
		w.typed(v.X.Type())
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return
	}
	for _, op := range instr.Operands(nil) {
		if op != nil && *op != nil {
			w.visit(*op, depth+1)
		}
	}
}

func (w *entityWalk) named(field string, of ssa.Value) {
	if EntityName(field) {
		w.found = field
	} else if sqltext.Snake(field) == "id" {
		w.typed(of.Type())
	}
}

func (w *entityWalk) mapped(m *ssa.MakeMap, depth int) {
	for _, ref := range *m.Referrers() {
		if up, ok := ref.(*ssa.MapUpdate); ok {
			if key, ok := constText(inner(up.Key)); ok && EntityName(key) {
				w.found = key
				return
			}
			w.visit(up.Value, depth+1)
		}
	}
}

// typed looks at the fields of a struct of the program's own, and of what it holds.
func (w *entityWalk) typed(t types.Type) { w.fields(t, 0) }

func (w *entityWalk) fields(t types.Type, depth int) {
	named, ok := types.Unalias(deref(deref(t))).(*types.Named)
	if !ok || w.found != "" || depth > 1 || named.Obj().Pkg() == nil || !w.programPackage(named.Obj().Pkg().Path()) {
		return
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		if EntityName(f.Name()) {
			w.found = f.Name()
			return
		}
	}
	if depth == 0 && isEntity(named.Obj().Name(), st) {
		w.found = named.Obj().Name() + "ID"
		return
	}
	for f := range st.Fields() {
		w.fields(f.Type(), depth+1)
	}
}

// carriers are words in the names of types whose ID is their own, and not that of what they tell of.
var carriers = []string{"event", "message", "msg", "envelope", "notification", "command", "cmd", "log", "record", "request", "response", "outbox", "inbox",
	"job", "task", "metric", "span", "payload", "packet", "frame", "config"}

// isEntity reports whether a struct is a thing with an ID of its own and something else to tell: an order, a user.
func isEntity(name string, st *types.Struct) bool {
	words := strings.Split(sqltext.Snake(name), "_")
	if st.NumFields() < 2 || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(carriers, strings.TrimSuffix(w, "s")) }) {
		return false
	}
	for f := range st.Fields() {
		if f.Name() == "ID" || f.Name() == "Id" {
			return true
		}
	}
	return false
}

// fillTraits notes the messages and writers among the arguments of a call, and what is sent with them.
func (b *funcBuilder) fillTraits(n *Node, c *ssa.CallCommon, args []ssa.Value) {
	n.Traits = b.argTraits(args)
	for i, a := range args {
		if a == nil || i == 0 && (c.IsInvoke() || receiverOf(c) == a) || b.role(a.Type()) == FuncType {
			continue
		}
		if n.Entity = b.entityIn(a); n.Entity != "" {
			return
		}
	}
}
