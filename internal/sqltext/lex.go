package sqltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// A scanner turns text into tokens. The lexer does strings, comments, numbers and dollar quotes; the scanner does what
// depends on a dialect that the lexer would have to be told: backticks, brackets, named parameters and dotted names.
//
// Where the two disagree about the end of a token the scanner starts the lexer anew behind it. Each restart has eaten
// the whole of the lexer's last token, so the work stays linear in the text.
type scanner struct {
	src  string
	off  int // of the next token in src
	lex  *sqllexer.Lexer
	dbms sqllexer.DBMSType
	out  tokens
}

// lex returns the tokens of src without space and comments.
func lex(src string) tokens {
	s := &scanner{src: src, dbms: dialect(src)}
	s.resume(0)
	for s.off < len(s.src) {
		if !s.special() {
			s.scan()
		}
	}
	return s.out
}

// dialect tells the lexer whether a backslash escapes a quote. It does in MySQL; numbered parameters and :: casts are
// the signs of PostgreSQL, where it does not.
func dialect(src string) sqllexer.DBMSType {
	if !strings.Contains(src, `\`) {
		return ""
	}
	if strings.Contains(src, "$1") || strings.Contains(src, "::") {
		return sqllexer.DBMSPostgres
	}
	return ""
}

// resume starts the lexer anew at off.
func (s *scanner) resume(off int) {
	s.off = min(off, len(s.src))
	s.lex = sqllexer.New(s.src[s.off:], sqllexer.WithDBMS(s.dbms))
}

// special scans a token that the lexer does not know in every dialect, and reports whether there was one.
func (s *scanner) special() bool {
	rest := s.src[s.off:]
	switch rest[0] {
	case 0: // the end of the text, to the lexer
		s.resume(s.off + 1)
	case '`':
		return s.enclosed(rest[1:], "`", len(rest))
	case '[':
		return s.opensName(rest) && s.enclosed(rest[1:], "]", maxQuoted)
	case '$':
		return s.dollar(rest)
	case '{':
		return s.braces(rest)
	case '@':
		if !strings.HasPrefix(rest, "@{") {
			return false
		}
		_, n := cutWithin(rest, "}", maxQuoted)
		s.resume(s.off + max(n, 2))
	default:
		return false
	}
	return true
}

// opensName reports whether the bracket at the start of rest quotes a name, as in SQL Server, and is no index.
func (s *scanner) opensName(rest string) bool {
	spaced := s.off > 0 && strings.IndexByte(" \t\r\n", s.src[s.off-1]) >= 0
	return len(rest) > 1 && isNameStart(rest[1]) && (spaced || !s.afterOperand()) && !s.out.at(-1).is("array")
}

// maxQuoted bounds the search for a closing bracket or brace, which may be missing.
const maxQuoted = 256

// enclosed scans a quoted name up to its closing quote; it always succeeds, if need be by dropping a quote that is
// never closed. The name may hold a whole path, as in BigQuery.
func (s *scanner) enclosed(body, closing string, limit int) bool {
	inner, n := cutWithin(body, closing, limit)
	if n == 0 {
		s.resume(s.off + 1)
		return true
	}
	s.path(strings.Split(inner, "."))
	s.resume(s.off + 1 + n)
	return true
}

// cutWithin returns the part of text before end, and the length of that part with end; 0 if end is not near.
func cutWithin(text, end string, limit int) (string, int) {
	inner, _, found := strings.Cut(text[:min(limit, len(text))], end)
	if !found {
		return "", 0
	}
	return inner, len(inner) + len(end)
}

// dollar scans $name, which the lexer takes for the opening of a dollar quote.
func (s *scanner) dollar(rest string) bool {
	n := 1
	for n < len(rest) && isWordByte(rest[n]) {
		n++
	}
	quote := n < len(rest) && rest[n] == '$'
	if quote || n > 1 && unicode.IsDigit(rune(rest[1])) {
		return false
	}
	if n > 1 {
		s.parameter(rest[:n])
	}
	s.resume(s.off + n)
	return true
}

// braces scans {{a template}}, which is a hole, and ClickHouse's {name:Type}, which is a parameter.
func (s *scanner) braces(rest string) bool {
	if strings.HasPrefix(rest, "{{") {
		_, n := cutWithin(rest, "}}", maxQuoted)
		if n == 0 {
			return false
		}
		s.word(Hole)
		s.resume(s.off + n)
		return true
	}
	inner, n := cutWithin(rest, "}", maxQuoted)
	label, typ, found := strings.Cut(inner, ":")
	label = strings.TrimPrefix(label, "{")
	if !found || label == "" || leadingWord(label) != label || leadingWord(typ) == "" {
		return false
	}
	s.put(param, rest[:n])
	s.resume(s.off + n)
	return true
}

// scan takes one token from the lexer.
func (s *scanner) scan() {
	start := s.off
	t := s.lex.Scan()
	if len(t.Value) == 0 { // never seen, but a lexer that stands still must not hang the analyser
		s.resume(start + 1)
		return
	}
	s.off += len(t.Value)
	switch t.Type {
	case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT, sqllexer.ERROR:
	case sqllexer.STRING, sqllexer.INCOMPLETE_STRING, sqllexer.DOLLAR_QUOTED_STRING, sqllexer.DOLLAR_QUOTED_FUNCTION:
		s.put(str, t.Value)
	case sqllexer.NUMBER:
		s.number(t.Value)
	case sqllexer.POSITIONAL_PARAMETER, sqllexer.SYSTEM_VARIABLE, sqllexer.BIND_PARAMETER:
		s.parameter(t.Value)
	case sqllexer.QUOTED_IDENT:
		s.path(strings.Split(strings.Trim(t.Value, `"`), `"."`))
	case sqllexer.OPERATOR, sqllexer.JSON_OP:
		s.operators(start, t.Value)
	case sqllexer.WILDCARD, sqllexer.PUNCTUATION, sqllexer.UNKNOWN:
		s.put(op, t.Value)
	default:
		s.identifier(start, t.Value)
	}
}

// number puts a number, and an operator before it where the lexer took x-1 for x and -1.
func (s *scanner) number(text string) {
	if (text[0] == '-' || text[0] == '+') && s.afterOperand() {
		s.put(op, text[:1])
		text = text[1:]
	}
	s.put(num, text)
}

// parameter puts a parameter. A hole that was glued to its name is a token of its own: "= @id" + tail; but not when
// it numbers the parameter, as in @p%d.
func (s *scanner) parameter(text string) {
	known, after, found := strings.Cut(text, Hole)
	if !found || len(known) <= 2 || strings.HasSuffix(known, "_") {
		s.put(param, text)
		return
	}
	s.put(param, known)
	s.word(Hole + after)
}

// put appends a token. A word after a dot is a name, whatever it reads like.
func (s *scanner) put(k kind, text string) {
	last := len(s.out) - 1
	if last >= 0 && s.out[last].kind == op {
		switch {
		case k == word && s.out[last].text == ".":
			k = quoted
		case k == op && text == "=" && s.out[last].text == "!":
			s.out[last].text = "!="
			return
		}
	}
	s.out = append(s.out, token{kind: k, text: text})
}

// afterOperand reports whether the last token ends an operand, so that a sign now is an operator, a bracket an index.
func (s *scanner) afterOperand() bool {
	return s.out.at(-1).endsOperand()
}

func isNameStart(c byte) bool { return isWordByte(c) && (c < '0' || c > '9') || c >= utf8.RuneSelf }
