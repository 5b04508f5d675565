package sqltext

import (
	"iter"
	"slices"
	"strings"
)

type kind uint8

const (
	none   kind = iota // what stands before the first token and after the last
	word               // a bare word: a keyword or a name
	quoted             // a name that cannot be a keyword: in quotes, or after a dot
	str                // a string constant
	num                // a number
	param              // a parameter: ?, $1, :name, @p1
	op                 // an operator or a punctuation mark
)

// A token of SQL. The text of names is in lower case and without quotes.
type token struct {
	kind kind
	text string
	jump int // from a parenthesis to its partner; 0 if it has none
}

// is reports whether t is the bare word or the operator text.
func (t token) is(text string) bool { return (t.kind == word || t.kind == op) && t.text == text }

func (t token) isName() bool { return t.kind == word || t.kind == quoted }

func (t token) isHole() bool { return t.isName() && t.text == Hole }

// endsOperand reports whether an operand can end with t.
func (t token) endsOperand() bool {
	switch t.kind {
	case quoted, str, num, param:
		return true
	case word:
		return !beforeOperand[t.text]
	case op:
		return t.text == ")" || t.text == "]" || t.text == "}"
	}
	return false
}

// beforeOperand are the keywords after which an operand begins.
var beforeOperand = wordsOf(`select distinct all from join where and or not on by having when then else case set in is
	like ilike between as using limit offset returning values into update delete insert top array any some exists only
	union except intersect if escape similar to with interval date timestamp collate over filter`)

// tokens are a piece of a statement. Positions outside are legal and hold the zero token.
type tokens []token

// at returns token i; negative positions count from the end.
func (ts tokens) at(i int) token {
	if i < 0 {
		i += len(ts)
	}
	if i < 0 || i >= len(ts) {
		return token{}
	}
	return ts[i]
}

// before returns the token before position i.
func (ts tokens) before(i int) token {
	if i < 1 || i > len(ts) {
		return token{}
	}
	return ts[i-1]
}

// is reports whether the tokens from i on are these words or operators.
func (ts tokens) is(i int, texts ...string) bool {
	if i < 0 || i+len(texts) > len(ts) {
		return false
	}
	for k, text := range texts {
		if !ts[i+k].is(text) {
			return false
		}
	}
	return true
}

// oneOf reports whether token i is one of these words or operators.
func (ts tokens) oneOf(i int, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return ts.is(i, text) })
}

// isAny reports whether token i is a bare word of the set.
func (ts tokens) isAny(i int, words wordSet) bool {
	return i >= 0 && i < len(ts) && ts[i].kind == word && words[ts[i].text]
}

// from returns the tokens from i on.
func (ts tokens) from(i int) tokens { return ts[min(max(i, 0), len(ts)):] }

// skip drops the first token if it is one of texts.
func (ts tokens) skip(texts ...string) tokens {
	if ts.oneOf(0, texts...) {
		return ts[1:]
	}
	return ts
}

// skipAll drops leading tokens as long as they are some of texts.
func (ts tokens) skipAll(texts ...string) tokens {
	for ts.oneOf(0, texts...) {
		ts = ts[1:]
	}
	return ts
}

// has reports whether one of texts stands anywhere, parentheses included.
func (ts tokens) has(texts ...string) bool {
	for i := range ts {
		if ts.oneOf(i, texts...) {
			return true
		}
	}
	return false
}

// hasHole reports whether there is a hole in ts; holes whether there is nothing else.
func (ts tokens) hasHole() bool { return slices.ContainsFunc(ts, token.isHole) }

func (ts tokens) holes() bool {
	return !slices.ContainsFunc(ts, func(t token) bool { return !t.isHole() })
}

// closing returns the position of the parenthesis that closes the one at i. One that is never closed gives i, unless a
// query begins in it: that runs to the end.
func (ts tokens) closing(i int) int { return min(i+ts[i].jump, len(ts)) }

// next returns the position after token i, behind the closing parenthesis if i opens one.
func (ts tokens) next(i int) int {
	if ts.is(i, "(") {
		return min(ts.closing(i)+1, len(ts))
	}
	return i + 1
}

// inside returns what stands between the parenthesis at i and its partner.
func (ts tokens) inside(i int) tokens {
	if !ts.is(i, "(") || ts[i].jump <= 0 {
		return nil
	}
	return ts[i+1 : ts.closing(i)]
}

// outer iterates over the positions outside parentheses, that of an opening parenthesis included.
func (ts tokens) outer() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(ts); i = ts.next(i) {
			if !yield(i) {
				return
			}
		}
	}
}

// find returns the first position outside parentheses that holds the words, -1 if there is none.
func (ts tokens) find(texts ...string) int {
	for i := range ts.outer() {
		if ts.is(i, texts...) {
			return i
		}
	}
	return -1
}

// findAny is find for one word out of a set.
func (ts tokens) findAny(words wordSet) int {
	for i := range ts.outer() {
		if ts.isAny(i, words) {
			return i
		}
	}
	return -1
}

// items splits at the commas outside parentheses.
func (ts tokens) items() iter.Seq[tokens] {
	return func(yield func(tokens) bool) {
		start := 0
		for i := range ts.outer() {
			if ts[i].is(",") {
				if !yield(ts[start:i]) {
					return
				}
				start = i + 1
			}
		}
		if start < len(ts) {
			yield(ts[start:])
		}
	}
}

// pair joins the parentheses of a statement. A closing one without partner is ignored.
func (ts tokens) pair() {
	var open []int
	for i := range ts {
		switch {
		case ts[i].is("("):
			open = append(open, i)
		case ts[i].is(")") && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			ts[from].jump, ts[i].jump = i-from, from-i
		}
	}
	for _, i := range open {
		if ts.opensQuery(i) {
			ts[i].jump = len(ts) - i
		}
	}
}

// opensQuery reports whether a parenthesis with a sub-select begins at i.
func (ts tokens) opensQuery(i int) bool { return ts.is(i, "(") && ts.oneOf(i+1, "select", "with") }

// A column is a name with the last of its qualifiers: t.x, EXCLUDED.x, x.
type column struct{ qual, name string }

// path reads a dotted name at i and returns it and the position behind it; ok is false if there is none.
func (ts tokens) path(i int) (col column, next int, ok bool) {
	for i < len(ts) && ts[i].isName() {
		col, ok = column{col.name, ts[i].text}, true
		i++
		if !ts.is(i, ".") {
			return col, i, true
		}
		for ts.is(i, ".") { // database..table
			i++
		}
	}
	return col, i, ok && !ts.is(i, "*") // t.*
}

// names reads a list of names.
func (ts tokens) names() []column {
	var cols []column
	for item := range ts.items() {
		if col, _, ok := item.path(0); ok && len(cols) < maxNames {
			cols = append(cols, col)
		}
	}
	return cols
}

// A wordSet is a set of keywords.
type wordSet map[string]bool

// wordsOf returns the words of text as a set.
func wordsOf(text string) wordSet {
	words := wordSet{}
	for w := range strings.FieldsSeq(text) {
		words[w] = true
	}
	return words
}
