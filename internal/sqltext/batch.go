package sqltext

import "iter"

// A batch reads the statements of one text.
type batch struct {
	out  []Statement
	nest int // blocks around the text
	open int // blocks around the current statement
}

// parse reads all statements in text. nest counts the blocks around it.
func parse(text string, nest int) []Statement {
	b := &batch{nest: nest, open: nest}
	for piece := range pieces(lex(text)) {
		b.piece(piece)
	}
	return b.out
}

// piece reads what stands between two semicolons: a statement, or several that are not separated, as in T-SQL.
func (b *batch) piece(ts tokens) {
	for len(ts) > 0 {
		prefix, stmt, rest := ts.firstStatement(b.open > 0)
		if prefix.has("begin") {
			b.open++
		}
		switch {
		case b.open == 0 || !stmt.is(0, "end"):
			b.statement(prefix, stmt)
		case stmt.endsBlock(0):
			b.open = max(b.open-1, b.nest)
		}
		ts = rest
	}
}

func (b *batch) statement(prefix, stmt tokens) {
	d := &draft{nest: b.nest}
	if !d.statement(stmt) {
		return
	}
	d.condition(prefix)
	b.out = append(append(b.out, d.extra...), d.Statement)
	b.out = append(b.out, d.block(stmt)...)
}

// condition reads what stands before a statement: IF NOT EXISTS (SELECT ...) INSERT.
func (d *draft) condition(ts tokens) {
	before := d.notExists
	d.scan(ts)
	if d.notExists && !before && d.Writes() {
		d.Guards = add(d.Guards, NotExists)
	}
}

// block reads the statements of DO $$ ... $$, which run at once.
func (d *draft) block(ts tokens) []Statement {
	if !ts.is(0, "do") || d.nest > 2 {
		return nil
	}
	body, ok := ts.dollarBody()
	if !ok {
		return nil
	}
	return parse(body, d.nest+1)
}

// pieces yields what stands between semicolons, with its parentheses paired.
func pieces(ts tokens) iter.Seq[tokens] {
	return func(yield func(tokens) bool) {
		for start := 0; start < len(ts); {
			end := ts.pieceEnd(start)
			if piece := ts[start:end]; len(piece) > 0 {
				piece.pair()
				if !yield(piece) {
					return
				}
			}
			start = end + 1
		}
	}
}

// pieceEnd returns the position of the semicolon that ends the piece from start on. The body of a trigger or a
// procedure, which runs at another time, is not cut.
func (ts tokens) pieceEnd(start int) int {
	head := ts[start:min(start+routineHead, len(ts))]
	routine := head.is(0, "create") && head.has("trigger", "procedure", "function", "proc")
	depth := 0
	for i := start; i < len(ts); i++ {
		switch {
		case ts[i].is(";") && depth <= 0:
			return i
		case !routine:
		case ts.oneOf(i, "begin", "case"):
			depth++
		case ts.endsBlock(i):
			depth--
		}
	}
	return len(ts)
}

// endsBlock reports whether END stands at i and ends a BEGIN or a CASE.
func (ts tokens) endsBlock(i int) bool {
	return ts.is(i, "end") && !ts.oneOf(i+1, "if", "loop", "while", "repeat")
}

// routineHead is how far from CREATE the word TRIGGER may stand: CREATE OR REPLACE CONSTRAINT TRIGGER.
const routineHead = 8

// firstStatement takes the first statement from ts: what stands before it (IF ... THEN, BEGIN, ELSE), itself, the rest.
func (ts tokens) firstStatement(inBlock bool) (prefix, stmt, rest tokens) {
	start := 0
	if ts.opensBlock(inBlock) {
		start = max(0, ts.nextStatement(true))
	}
	prefix, ts = ts[:start], ts[start:]
	end := len(ts)
	if ts.isAny(0, splittable) {
		if i := ts.nextStatement(false); i > 0 {
			end = i
		}
	}
	return prefix, ts[:end], ts[end:]
}

// opensBlock reports whether ts begins with words that stand before a statement in a block or a batch.
func (ts tokens) opensBlock(inBlock bool) bool {
	switch {
	case inBlock:
		return ts.oneOf(0, "if", "else", "begin", "end", "while", "for", "loop", "then", "declare", "exception", "when")
	case ts.oneOf(0, "if", "while"):
		return ts.oneOf(1, "not", "exists", "(") || ts.at(1).kind == param
	case ts.is(0, "declare"):
		return ts.at(1).kind == param
	case ts.is(0, "begin"):
		return ts.isAny(1, complete) || ts.oneOf(1, "try", "declare", "if", "set", "exec", "batch", "unlogged", "counter")
	}
	return ts.is(0, "else")
}

// splittable begin statements that another one may follow without a semicolon.
var splittable = wordsOf("insert update delete set declare exec execute select if else print")

// nextStatement returns the position of the next statement behind the first token, -1 if there is none. In a block any
// verb begins one; elsewhere only what cannot be part of the statement before it.
func (ts tokens) nextStatement(block bool) int {
	for i := 1; i < len(ts); i = ts.next(i) {
		ended := ts.before(i).endsOperand() || ts.is(0, "set") && ts.is(i-1, "on") // SET NOCOUNT ON
		switch {
		case ts.oneOf(i-1, "for", "key", "do", "or"):
		case block && ts.isAny(i, complete), ts.is(i, "else") && ts.isAny(i+1, complete):
			return i
		case ended && ts.beginsWrite(i):
			return i
		}
	}
	return -1
}

// beginsWrite reports whether a statement that changes rows certainly begins at i.
func (ts tokens) beginsWrite(i int) bool {
	if ts.is(i, "update") {
		_, next, ok := ts.path(i + 1)
		return ok && ts.is(next, "set")
	}
	return ts.is(i, "insert", "into") || ts.is(i, "delete", "from")
}
