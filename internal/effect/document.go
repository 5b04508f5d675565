package effect

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// mongoPackage reports whether a symbol belongs to a library that speaks in documents: the official driver, mgo, go-zero's
// wrapper of the driver.
func mongoPackage(symbol string) bool {
	return strings.Contains(symbol, "mongo-driver/") || strings.Contains(symbol, "/mgo") || strings.Contains(symbol, "/stores/mon")
}

// A document is what the filter and the update of one operation say.
type document struct {
	conds   []docCond
	sets    []string // assigned by operators that can be repeated
	adds    []string // $inc, $mul
	pushes  []string
	onlyNew bool // $setOnInsert and nothing else
	touched bool
}

type docCond struct {
	name  string
	equal bool
}

// fillDocument reads the filter and the update that an operation of a document store is given. A filter is the first
// document without update operators; an update comes in the argument after it.
func (b *funcBuilder) fillDocument(e *Effect, c *ssa.CallCommon) {
	obj := calledObject(c)
	if obj == nil {
		return
	}
	d := &document{onlyNew: true}
	args := stepArgs(c)
	name := strings.ToLower(obj.Name())
	insert := strings.HasPrefix(name, "insert")
	if strings.HasSuffix(name, "id") && len(args) > 0 { // UpdateByID, mgo's UpdateId and FindId
		d.conds = append(d.conds, docCond{"_id", true})
		args = args[1:]
	}
	if find := findStep(c); find != nil { // mgo's Find(query).One(&x)
		b.findFilter(d, find)
	}
	filtered := insert || len(d.conds) > 0
	for _, a := range args {
		entries, known := b.entries(a)
		switch change := valueOf(entries, "update"); {
		case change != nil && name == "apply": // mgo.Change{Update: …}
			entries, _ = b.entries(change)
			b.readUpdate(d, entries)
		case !known:
		case isUpdate(entries):
			b.readUpdate(d, entries)
		case !filtered:
			b.readFilter(d, entries, 0)
		}
		filtered = true // what is not known stands in its place, too
	}
	if name == "bulkwrite" {
		for _, a := range args {
			b.readModels(d, a)
		}
	}
	d.apply(e, b.upserts(name, args))
}

// findStep is the step of a chain that was given the filter.
func findStep(c *ssa.CallCommon) *ssa.CallCommon {
	for range maxChain {
		call, ok := receiverOf(c).(*ssa.Call)
		if !ok {
			return nil
		}
		c = call.Common()
		if obj := calledObject(c); obj != nil && (obj.Name() == "Find" || obj.Name() == "FindId") {
			return c
		}
	}
	return nil
}

func (b *funcBuilder) findFilter(d *document, find *ssa.CallCommon) {
	args := stepArgs(find)
	if calledObject(find).Name() == "FindId" {
		d.conds = append(d.conds, docCond{"_id", true})
	} else if len(args) > 0 {
		entries, _ := b.entries(args[0])
		b.readFilter(d, entries, 0)
	}
}

func valueOf(entries []entry, key string) ssa.Value {
	for _, e := range entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// apply notes what the documents say.
func (d *document) apply(e *Effect, upsert bool) {
	for _, c := range d.conds {
		e.addWhere([]string{c.name})
	}
	e.Increment = e.Increment || len(d.adds)+len(d.pushes) > 0
	for _, c := range d.conds {
		changed := slices.Contains(d.sets, c.name) || slices.ContainsFunc(d.pushes, c.asks) || c.equal && slices.Contains(d.adds, c.name)
		e.Guarded = e.Guarded || changed
	}
	e.Conflict = e.Conflict || upsert && d.touched && d.onlyNew
}

// asks reports whether a condition looks at a list or at a field of its elements: {"posts.id": {"$ne": id}}.
func (c docCond) asks(list string) bool {
	return c.name == list || list != "" && strings.HasPrefix(c.name, list+".")
}

// isUpdate reports whether a document's keys are update operators.
func isUpdate(entries []entry) bool {
	return slices.ContainsFunc(entries, func(e entry) bool { return updateOperators[e.key] })
}

var updateOperators = stepNames("$set", "$inc", "$push", "$mul", "$setOnInsert", "$addToSet", "$pull", "$pullAll", "$pop",
	"$unset", "$max", "$min", "$currentDate", "$rename", "$bit")

func (b *funcBuilder) readUpdate(d *document, entries []entry) {
	for _, e := range entries {
		d.touched = true
		d.onlyNew = d.onlyNew && e.key == "$setOnInsert"
		fields, _ := b.entries(e.value)
		for _, f := range fields {
			switch e.key {
			case "$inc", "$mul", "$bit":
				d.adds = append(d.adds, f.key)
			case "$push":
				d.pushes = append(d.pushes, f.key)
			case "$setOnInsert":
			default:
				d.sets = append(d.sets, f.key)
			}
		}
		if len(fields) == 0 && (e.key == "$inc" || e.key == "$push" || e.key == "$mul") { // of a field that is not known
			d.adds = append(d.adds, "")
		}
	}
}

func (b *funcBuilder) readFilter(d *document, entries []entry, depth int) {
	if depth > maxLiteralDepth {
		return
	}
	for _, e := range entries {
		switch {
		case e.key == "" || e.key == "$and" || e.key == "$or" || e.key == "$nor":
			inner, _ := b.entries(e.value)
			b.readFilter(d, inner, depth+1)
		case !strings.HasPrefix(e.key, "$"):
			d.conds = append(d.conds, docCond{e.key, b.equalTo(e.value)})
		}
	}
}

// equalTo reports whether a filter's value is one to be equal to, and no operator such as $ne or $gte.
func (b *funcBuilder) equalTo(v ssa.Value) bool {
	entries, _ := b.entries(v)
	for _, e := range entries {
		if strings.HasPrefix(e.key, "$") {
			return e.key == "$eq" || e.key == "$in" || e.key == "$exists"
		}
	}
	return true
}

// upserts reports whether an operation inserts where nothing matches: Upsert of mgo, SetUpsert(true) of the driver.
func (b *funcBuilder) upserts(name string, args []ssa.Value) bool {
	if strings.HasPrefix(name, "upsert") {
		return true
	}
	for _, a := range spread(args) {
		if b.calls(a, "SetUpsert", 0) {
			return true
		}
	}
	return false
}

// calls reports whether a method of that name is called on what v is or comes from by a chain of calls.
func (b *funcBuilder) calls(v ssa.Value, method string, depth int) bool {
	v = b.plain(v)
	call, ok := v.(*ssa.Call)
	if !ok || depth > maxLiteralDepth {
		return false
	}
	if obj := calledObject(call.Common()); obj != nil && obj.Name() == method {
		return true
	}
	for _, ref := range *call.Referrers() { // opts := options.Update(); opts.SetUpsert(true)
		if side, ok := ref.(*ssa.Call); ok && receiverOf(side.Common()) == call {
			if obj := calledObject(side.Common()); obj != nil && obj.Name() == method {
				return true
			}
		}
	}
	recv := receiverOf(call.Common())
	return recv != nil && b.calls(recv, method, depth+1)
}

// readModels reads the operations of a bulk write: mongo.NewUpdateOneModel().SetFilter(…).SetUpdate(…), or a literal.
func (b *funcBuilder) readModels(d *document, v ssa.Value) {
	models, _ := b.entries(v)
	for _, m := range models {
		if m.key != "" {
			continue
		}
		fields, _ := b.entries(m.value)
		call, ok := b.plain(m.value).(*ssa.Call)
		for range maxChain {
			if !ok {
				break
			}
			if args := stepArgs(call.Common()); len(args) == 1 {
				fields = append(fields, entry{sqltext.Snake(strings.TrimPrefix(methodName(call), "Set")), args[0]})
			}
			call, ok = receiverOf(call.Common()).(*ssa.Call)
		}
		for _, f := range fields {
			entries, _ := b.entries(f.value)
			switch f.key {
			case "filter":
				b.readFilter(d, entries, 0)
			case "update":
				b.readUpdate(d, entries)
			}
		}
	}
}

// addsOnServer reports whether an argument holds Firestore's Increment, at any depth of its lists and maps.
func (b *funcBuilder) addsOnServer(c *ssa.CallCommon) bool {
	var holds func(v ssa.Value, depth int) bool
	holds = func(v ssa.Value, depth int) bool {
		if call, ok := b.plain(v).(*ssa.Call); ok && strings.HasSuffix(methodName(call), "Increment") {
			return true
		}
		entries, _ := b.entries(v)
		return depth < maxLiteralDepth && slices.ContainsFunc(entries, func(e entry) bool { return holds(e.value, depth+1) })
	}
	return slices.ContainsFunc(stepArgs(c), func(v ssa.Value) bool { return holds(v, 0) })
}
