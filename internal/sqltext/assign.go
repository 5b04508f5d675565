package sqltext

// assigns reports whether ts reads like the list of assignments after SET, which prose does not.
func (ts tokens) assigns() bool {
	if ts.is(0, "(") || ts.at(0).isHole() || ts.at(0).kind == param {
		return true
	}
	_, next, ok := ts.path(0)
	t := ts.at(next)
	return ok && (t.isHole() || t.kind == op && (assignments[t.text] || t.text == "["))
}

var assignments = wordsOf("= := += -= *= /= %=")

// assign reads a list of assignments.
func (d *draft) assign(ts tokens) {
	for item := range ts.items() {
		if item.at(0).kind == param { // @v = x = 1
			item = item.from(2)
		}
		switch col, next, ok := item.path(0); {
		case ok:
			d.assignTo([]column{col}, item, next)
		case item.is(0, "("):
			d.assignTo(item.inside(0).names(), item, item.next(0))
		}
		d.scan(item)
	}
}

// assignTo notes an assignment to cols, whose operator stands at i.
func (d *draft) assignTo(cols []column, item tokens, i int) {
	t := item.at(i)
	compound := t.kind == op && assignments[t.text] && t.text != "=" && t.text != ":="
	for _, col := range cols {
		d.Sets = add(d.Sets, col.name)
		d.updated = add(d.updated, col.name)
		if col.name != Hole && (compound || d.increments(col, item.from(i+1))) {
			d.Increments = add(d.Increments, col.name)
		}
	}
}

// increments reports whether expr computes with the old value of col. What a CASE tests does not count.
func (d *draft) increments(col column, expr tokens) bool {
	var open []int
	test := false
	for i := 0; i < len(expr); i++ {
		switch t := expr[i]; {
		case t.is("when"), t.is("then"):
			test = t.is("when")
		case t.is("("):
			open = append(open, i)
		case t.is(")") && len(open) > 0:
			open = open[:len(open)-1]
		case t.isName():
			ref, next, _ := expr.path(i)
			own := ref.name == col.name && (ref.qual == col.qual || d.ofTarget(ref.qual))
			if own && !test && !expr.is(next, "(") && !expr.is(i-2, "values", "(") && expr.computes(open, i, next) {
				return true
			}
			i = max(i, next-1)
		}
	}
	return false
}

// computes reports whether the operand from lo to hi, or one of the parentheses around it, is an operand of arithmetic.
func (ts tokens) computes(open []int, lo, hi int) bool {
	for level := range maxAround {
		if ts.arithmeticAfter(hi) || ts.arithmeticBefore(lo) {
			return true
		}
		if level >= len(open) {
			return false
		}
		lo = open[len(open)-1-level]
		hi = ts.next(lo)
		if ts.isFunction(lo - 1) {
			lo--
		}
	}
	return false
}

// maxAround bounds the parentheses around an operand that are looked at: COALESCE(CAST(x AS int), 0) + 1 has two.
const maxAround = 8

// arithmeticAfter reports whether the operand that ends before i is followed by arithmetic. Taking a key out of a JSON
// value and adding to a CQL set or map can be repeated.
func (ts tokens) arithmeticAfter(i int) bool {
	for ts.oneOf(i, "::", "->", "->>") {
		i += 2
	}
	next := ts.at(i + 1)
	switch {
	case ts.at(i).isHole(): // balance = balance %s $1
		return next.kind == param || next.kind == num || next.isHole()
	case ts.is(i, "-") && next.kind == str, ts.is(i, "+") && next.is("{"):
		return false
	}
	return ts.arithmetic(i)
}

// arithmeticBefore reports whether the operand at i is the right one of an arithmetic operator.
func (ts tokens) arithmeticBefore(i int) bool {
	return ts.arithmetic(i-1) && ts.before(i-1).endsOperand()
}

func (ts tokens) arithmetic(i int) bool { return ts.oneOf(i, "+", "-", "*", "/", "%") }
