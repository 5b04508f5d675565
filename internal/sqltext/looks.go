package sqltext

import "strings"

// Looks reports whether text could be SQL at all. It only looks at the first word, and where that is a hole at the
// words after it, so it is cheap; a text that it turns away has no statement for [Parse].
func Looks(text string) bool {
	rest := skipNoise(text)
	word := leadingWord(rest)
	if strings.HasPrefix(word, Hole) || strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "{{") {
		return anyClause(rest)
	}
	if !openers[strings.ToLower(word)] {
		return false
	}
	return alone[strings.ToLower(word)] || strings.TrimLeft(rest[len(word):], " \t\r\n;") != ""
}

// skipNoise cuts away what may stand before the first word: space, comments, parentheses and statement ends.
func skipNoise(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\x00;(")
		var end string
		switch {
		case strings.HasPrefix(text, "--"), strings.HasPrefix(text, "#"):
			end = "\n"
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		case strings.HasPrefix(text, "@{"): // a Spanner hint
			end = "}"
		default:
			return text
		}
		_, after, found := strings.Cut(text, end)
		if !found {
			return ""
		}
		text = after
	}
}

func leadingWord(text string) string {
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return text[:i]
		}
	}
	return text
}

// anyClause reports whether one of text's words begins a statement or a clause.
func anyClause(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r > 127 || !isWordByte(byte(r)) }) {
		low := strings.ToLower(strings.ReplaceAll(word, Hole, ""))
		if openers[low] || tails[low] {
			return true
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// openers are the words that a statement can begin with.
var openers = wordsOf(`select insert update delete upsert replace merge with
	truncate copy load call exec execute do perform
	create alter drop grant revoke comment rename reindex cluster refresh
	set reset show listen unlisten notify pragma analyze vacuum explain describe lock unlock use prepare deallocate
	discard optimize checkpoint flush attach detach declare fetch close kill
	begin start commit end rollback abort savepoint release save xa
	if else while for loop`)

// alone are the words that are a statement without anything after them.
var alone = wordsOf("begin commit rollback end abort vacuum analyze checkpoint")

// tails are the words by which the rest of a statement with an unknown beginning is recognised.
var tails = wordsOf("from set into where values order limit for returning on output join group fetch offset union")
