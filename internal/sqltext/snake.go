package sqltext

import (
	"strings"
	"unicode"
)

// Snake writes a Go name as a column or table: OutboxMessage becomes outbox_message, ID becomes id.
func Snake(name string) string {
	var sb strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) {
			boundary := i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && runes[i-1] != '_')
			if boundary {
				sb.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		sb.WriteRune(r)
	}
	return sb.String()
}
