package sqltext

import "iter"

// Each kind of statement is cut into clauses at these words.
var (
	selectClauses = wordsOf(`from into where prewhere group having window qualify order limit offset fetch for union
		intersect except minus lock option format settings`)
	insertClauses = wordsOf("values set default output if using format settings")
	insertTail    = wordsOf("on returning then")
	updateClauses = wordsOf("set output from where returning order limit option if then")
	deleteClauses = wordsOf("from using output where returning order limit option if then")
	mergeClauses  = wordsOf("using when output returning option")
)

// followers has the words that begin a clause only together with one of these after them.
var followers = map[string]wordSet{
	"order":   wordsOf("by siblings " + Hole),
	"group":   wordsOf("by " + Hole),
	"for":     wordsOf("update no share key json xml system_time system_version browse read " + Hole),
	"lock":    wordsOf("in"),
	"on":      wordsOf("conflict duplicate " + Hole),
	"default": wordsOf("values"),
	"then":    wordsOf("return"),
}

// soft are the words that are good names for a column too. They begin a clause only between two operands.
var soft = wordsOf("limit offset fetch window qualify minus option format settings output if set using")

// leading are the soft words that may also be the first of what follows a table.
var leading = wordsOf("set using output if")

// clauses cuts ts at the words of starts outside parentheses. It yields the word, "" for what stands before the first
// one, and the clause without the word.
func (ts tokens) clauses(starts wordSet) iter.Seq2[string, tokens] {
	return func(yield func(string, tokens) bool) {
		start, key := 0, ""
		for i := range ts.outer() {
			if !ts.beginsClause(i, starts) {
				continue
			}
			if !yield(key, ts[start:i]) {
				return
			}
			start, key = i+1, ts[i].text
		}
		yield(key, ts[start:])
	}
}

// beginsClause reports whether token i is a keyword of starts and not a column of that name.
func (ts tokens) beginsClause(i int, starts wordSet) bool {
	t := ts[i]
	if t.kind != word || !starts[t.text] {
		return false
	}
	if after, ok := followers[t.text]; ok {
		return ts.isAny(i+1, after)
	}
	switch {
	case t.text == "from": // IS NOT DISTINCT FROM
		return !ts.is(i-1, "distinct") || !ts.is(i-2, "is") && !ts.is(i-2, "not")
	case t.text == "if" && ts.is(i+1, "("): // the function
		return false
	case t.text == "using" && ts.is(i+1, "(") && !ts.isAny(i+2, rowSources): // JOIN u USING (id)
		return false
	case soft[t.text]:
		prev, next := ts.before(i), ts.at(i+1)
		first := prev.kind == none && leading[t.text]
		return (first || prev.endsOperand()) && (next.kind != op || next.text == "(")
	}
	return true
}

// rowSources are the words that open a parenthesis which yields rows.
var rowSources = wordsOf("select with values")
