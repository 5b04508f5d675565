package sqltext

import (
	"strings"
	"unicode"
)

// path puts the parts of a quoted name.
func (s *scanner) path(parts []string) {
	for i, part := range parts {
		if i > 0 {
			s.put(op, ".")
		}
		s.name(part)
	}
}

// name puts what stands in quotes. The empty name is MySQL's empty string.
func (s *scanner) name(text string) {
	switch {
	case text == "":
		s.put(str, text)
	case strings.ReplaceAll(text, Hole, "") == "":
		s.put(quoted, Hole)
	default:
		s.put(quoted, strings.ToLower(text))
	}
}

// identifier splits what the lexer calls one identifier: t.x, x!, a/b, t."x".
func (s *scanner) identifier(start int, text string) {
	for i := 0; i < len(text); {
		n := nameLen(text[i:])
		if n > 0 {
			s.word(text[i : i+n])
			i += n
			continue
		}
		switch next := s.src[start+i+1:]; {
		case text[i] == '"':
			inner, n := cutWithin(text[i+1:], `"`, len(text))
			if n == 0 {
				s.resume(start + i)
				return
			}
			s.name(inner)
			i += n
		case text[i] == '/' && strings.HasPrefix(next, "*"), text[i] == '@' && strings.HasPrefix(next, "{"):
			s.resume(start + i)
			return
		case text[i] == '?':
			s.put(param, "?")
		default:
			s.put(op, text[i:i+1])
		}
		i++
	}
}

// nameLen returns the length of the plain name at the start of text.
func nameLen(text string) int {
	for i, r := range text {
		if r > 127 && unicode.IsLetter(r) || r == '$' && i > 0 || r < 128 && isWordByte(byte(r)) {
			continue
		}
		return i
	}
	return len(text)
}

// word puts a bare word, and takes holes apart that were glued to it: "FROM orders" + tail is a name and a hole, but
// "FROM orders_" + suffix is one name; so are prefix + "orders", and prefix + "WHERE" a hole and a keyword.
func (s *scanner) word(text string) {
	low := strings.ToLower(text)
	for {
		i := strings.Index(low, Hole)
		switch {
		case i < 0:
			s.put(word, low)
			return
		case i > 0 && low[i-1] != '_':
			s.put(word, low[:i])
			low = low[i:]
			continue
		}
		rest := strings.ReplaceAll(low, Hole, "")
		switch {
		case rest == "":
			low = Hole
		case i == 0 && (tails[rest] || complete[rest]):
			s.put(word, Hole)
			low = rest
		}
		s.put(word, low)
		return
	}
}

// digraphs are the operators of more than one character, longest first.
var digraphs = []string{
	"->>", "#>>", "!~*", "::", ":=", "<=", ">=", "<>", "!=", "==", "||", "+=", "-=", "*=", "/=", "%=", "->", "#>", "@>",
	"<@", "&&", "@@", "~*", "!~", "=>", "#-",
}

// operators splits a run of operator characters. Its last one may be the sign of a parameter, whose name the lexer has
// yet to read: =:name, >=@p.
func (s *scanner) operators(start int, run string) {
	for i := 0; i < len(run); {
		if n := digraph(run[i:]); n > 0 {
			s.put(op, run[i:i+n])
			i += n
			continue
		}
		if n := s.sigil(s.src[start+i:]); n > 0 {
			s.resume(start + i + n)
			return
		}
		if run[i] == '?' {
			s.put(param, "?")
		} else {
			s.put(op, run[i:i+1])
		}
		i++
	}
}

func digraph(run string) int {
	for _, d := range digraphs {
		if strings.HasPrefix(run, d) {
			return len(d)
		}
	}
	return 0
}

// sigil scans :name, @name, %s and #temporary at the start of rest, and returns the length, 0 if there is none.
func (s *scanner) sigil(rest string) int {
	n := 1 + nameLen(rest[1:])
	if n == 1 {
		return 0
	}
	switch rest[0] {
	case ':', '@':
		s.parameter(rest[:n])
	case '%':
		if n != 2 || !strings.ContainsRune("svqdtx", rune(rest[1])) || s.afterOperand() && s.out.at(-1).kind != word {
			return 0
		}
		s.word(Hole)
	case '#':
		if s.afterOperand() && s.out.at(-1).kind != word {
			return 0
		}
		s.put(quoted, strings.ToLower(rest[:n]))
	default:
		return 0
	}
	return n
}
